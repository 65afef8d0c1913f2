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
              69  a server was not reached
              70  a defect of Countersign
              73  a file cannot be written
              74  what is stored cannot be read, or nothing can be stored
              75  something took too long, or another process is at it
              77  the login was refused, or given up
              130 ended by Ctrl-C
            """,
        subcommands: [
            CredentialHelperCommand.self, DemoCommand.self, DocsCommand.self, ExplainCommand.self, GenerateCommand.self,
            LintCommand.self,
            LoginCommand.self, LogoutCommand.self, OnboardCommand.self, ProbeCommand.self, ReferenceCommand.self,
            RequestCommand.self,
            MockCommand.self, SchemaCommand.self, StatusCommand.self, TokenCommand.self,
        ])
}
