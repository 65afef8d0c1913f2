import ArgumentParser
import CountersignGenerator
import Foundation

/// Writes the reference of the spec language.
struct ReferenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reference",
        abstract: "Writes the reference of specs in Markdown: every key, and the rule behind every message.",
        discussion: """
            With '--messages', it writes a page for each message code instead, which has an incorrect and a corrected example: articles \
            for a catalog of DocC. 'countersign explain CS0201' shows one of them.

            Example: countersign reference | less
            """)

    @Option(
        help: ArgumentHelp("Write a page for each message code to this folder; created if needed.", valueName: "folder"),
        completion: .directory)
    var messages: String?

    func validate() throws {
        guard messages != "" else { throw ValidationError("The folder of '--messages' has no name.") }
    }

    func run() throws { try run(console: .standard) }

    func run(console: Console) throws {
        guard let messages else { return try console.print(SpecReference.text(), terminator: "") }
        let files = try MessagePages.files()
        do {
            try OutputFolder(URL(filePath: messages, directoryHint: .isDirectory)).write(files)
        } catch {
            console.message(error.description)
            throw CommandExit.cannotCreate
        }
        try console.print("\(files.count) pages")
    }
}
