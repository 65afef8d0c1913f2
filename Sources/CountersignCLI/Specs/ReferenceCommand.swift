import ArgumentParser
import CountersignGenerator

/// Writes the reference of the spec language.
struct ReferenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reference",
        abstract: "Writes the reference of specs in Markdown: every key, and the rule behind every message.",
        discussion: """
            Example: countersign reference | less
            """)

    func run() throws { try run(console: .standard) }

    func run(console: Console) throws {
        try console.print(SpecReference.text(), terminator: "")
    }
}
