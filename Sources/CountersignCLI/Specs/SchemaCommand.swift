import ArgumentParser
import CountersignGenerator

/// Writes the JSON Schema of the spec language.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Writes the JSON Schema of specs, with which editors complete and explain them.",
        discussion: """
            Put it beside your specs, and name it in the first line of each:
              # yaml-language-server: $schema=../countersign.schema.json

            Example: countersign schema > Specs/countersign.schema.json
            """)

    func run() throws { try run(console: .standard) }

    func run(console: Console) throws {
        try console.print(SpecSchema.text(), terminator: "")
    }
}
