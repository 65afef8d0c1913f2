import ArgumentParser

/// The command `countersign`.
@main
struct CountersignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "countersign",
        abstract: "Answers the authentication challenges of server landscapes.",
        discussion: """
            Data goes to the standard output, everything else to the standard error. Progress and colours are for terminals only; \
            NO_COLOR turns the colours off.

            Exit status:
              0   all is well
              1   something that was shown does not work
              64  wrong usage
              65  a spec or a configuration has errors
              66  a file cannot be read
              70  a defect of Countersign
              73  a file cannot be written
            """,
        subcommands: [
            DemoCommand.self, GenerateCommand.self, LintCommand.self, OnboardCommand.self, ReferenceCommand.self,
            SchemaCommand.self,
        ])
}
