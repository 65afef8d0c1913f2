import ArgumentParser
import Countersign
import CountersignSpec

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
              0   success
              1   the operation failed
              64  invalid usage
              65  a spec or a configuration has errors
              66  a file cannot be read
              69  a server could not be reached, or cannot answer at present
              70  a defect in Countersign
              73  a file cannot be written
              74  the store cannot be read or written
              75  a time limit was exceeded, or another process uses a resource
              77  the login was refused or cancelled
              130 interrupted by Ctrl-C
              143 ended by SIGTERM
            'mock' and 'docs' serve until Ctrl-C, and end with 0 then.

            '--generate-completion-script bash' (or zsh, fish) prints completions for a shell.
            """,
        version: CountersignVersion.current,
        subcommands: [
            CredentialHelperCommand.self, DemoCommand.self, DiffCommand.self, DocsCommand.self, ExplainCommand.self,
            GenerateCommand.self, LintCommand.self, LoginCommand.self, LogoutCommand.self, MockCommand.self, NewCommand.self,
            OnboardCommand.self, ProbeCommand.self, ReferenceCommand.self, RequestCommand.self, SchemaCommand.self,
            StatusCommand.self, TokenCommand.self,
        ])

    /// On the main actor, so that the descriptors are reserved before a thread of the runtime opens another one.
    @MainActor static func main() async {
        StandardDescriptors.reserve()
        await run(Array(CommandLine.arguments.dropFirst()))
    }

    private static func run(_ arguments: [String]) async {
        if let problem = problem(with: arguments) { exit(withError: problem) }
        do {
            var command = try await asyncParseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(withError: shown(error, on: .standard))
        }
    }

    /// Writes the text of an error that is a success: a help text, the version, or a completion script. The argument parser would ignore
    /// that it cannot be written.
    ///
    /// - Returns: The error that ends the command: ``CommandExit/cannotCreate``, after a message, if the text cannot be written; the success
    ///   without its text if it was written; the given error if it is no success.
    static func shown(_ error: any Error, on console: Console) -> any Error {
        guard exitCode(for: error) == .success else { return error }
        let text = fullMessage(for: error)
        do {
            if !text.isEmpty { try console.print(text) }
            return ExitCode.success
        } catch {
            return error
        }
    }

    /// Returns the error for arguments that begin with a word which is not a command, with the nearest command. The parser would only
    /// call it unexpected, and after `help` ignore it.
    static func problem(with arguments: [String]) -> ValidationError? {
        let names = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
        guard let word = words.first, !word.hasPrefix("-"), !names.contains(word) else { return nil }
        let nearest = Suggestion.nearest(to: word, among: names).map { " Did you mean '\($0)'?" } ?? ""
        return ValidationError("There is no command '\(VisibleText.escaped(word))'.\(nearest)")
    }
}
