import ArgumentParser
import Countersign
import CountersignBrowser
import Foundation
import SAPMobileServices

/// Onboards with a configuration, sends the first authenticated request, and stores the configuration and the tokens.
struct OnboardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "onboard",
        abstract: "Onboards at a server of SAP Mobile Services: from a link, a file or a QR code to an authenticated request.",
        discussion: """
            The first run logs in, in the browser of this machine, and keeps configuration and tokens in encrypted files. Later runs need \
            no argument and ask nothing while the tokens can be renewed. The client's redirect URL has to be one of this machine, such as \
            http://127.0.0.1/callback.

            After a run that was interrupted or failed, the next run continues there; with a source it starts over. A complete \
            onboarding is kept, whatever source is given, until '--reset'.

            The configuration's server is shown. If the configuration sends credentials to other origins, such as a token endpoint \
            elsewhere, each origin has to be confirmed in a terminal or named by '--trust'; otherwise nothing is sent or changed.

            A source may be a pipe, such as /dev/stdin: at most 32 MiB are read, and a pipe may be silent for 60 seconds. A link or JSON \
            among the arguments can be seen by other users of the machine, so one with a passcode is better given by a file or a pipe.

            Without '--key-file' the key of the files is kept by the desktop's Secret Service, or by the Keychain.

            Examples:
              countersign onboard --mock
              countersign onboard configuration.json --key-file ~/key --json
              pbpaste | countersign onboard /dev/stdin
            """)

    // A list, so that the argument parser does not print surplus arguments, such as the words of JSON without quotes.
    @Argument(
        help: ArgumentHelp(
            """
            One source: a link with 'config=', JSON, or a file of a link, of a configuration as JSON or property list, or of a picture of \
            its QR code. Without it, the user is asked in the terminal.
            """, valueName: "source"))
    private var sources: [String] = []

    /// The source, if one is given.
    var source: String? {
        get { sources.first }
        set { sources = newValue.map { [$0] } ?? [] }
    }

    @Option(help: ArgumentHelp("The folder of the store, with the configuration and the tokens.", valueName: "folder"))
    var store: String?

    @Option(help: ArgumentHelp("A file with the key of the store: 32 random bytes, raw or in Base64.", valueName: "file"))
    var keyFile: String?

    @Option(name: .customLong("application-id"), help: "The application's identifier, if the configuration has none.")
    var applicationID: String?

    @Option(
        help: ArgumentHelp(
            "Path and query of the final GET request, relative to the server's URL; another server is refused.",
            valueName: "path"))
    var request = "/"

    @Option(
        help: ArgumentHelp(
            """
            An origin besides the server's that the configuration may send credentials to, such as https://login.example. Other \
            origins have to be confirmed in a terminal, and are refused without one. May be repeated.
            """, valueName: "origin"), transform: OnboardCommand.origin)
    var trust: [Origin] = []

    @OptionGroup var limit: TimeLimit

    @Flag(help: "Delete what is stored, once a valid configuration was given, and onboard again.")
    var reset = false

    @Flag(help: "Use a mock of SAP Mobile Services on this machine: onboard from nothing, then restore.")
    var mock = false

    @Flag(help: "Write the result as JSON; with '--mock', both results in one object.")
    var json = false

    func validate() throws {
        guard !mock || (source == nil && store == nil && keyFile == nil && !reset) else {
            throw ValidationError("'--mock' uses its own configuration, store and key: give none of them.")
        }
        guard sources.count <= 1 else {
            throw ValidationError(
                "There is more than one source. Put a link or JSON in quotes: otherwise the shell splits it.")
        }
    }

    func run() async throws {
        if mock {
            // Its folder must not remain.
            return try await Interrupt.run { try await OnboardRehearsal(command: self, console: .standard).run() }
        }
        try await run(
            console: .standard, presenter: ClientPresenter(LoopbackPresenter(), hasOptions: false), barcodes: BarcodeProgram())
    }

    func run(
        console: Console, presenter: any WebPresenter, barcodes: BarcodeProgram, reader: TerminalOnboardingScreens.Reader? = nil
    ) async throws {
        try await limited(on: console) {
            let report = try await self.report(console: console, presenter: presenter, barcodes: barcodes, reader: reader)
            try show(report, on: console)
            if json { try console.print(try report.json()) }
            if !report.ok { throw CommandExit.failed }
        }
    }

    /// Writes the report as a line of text, unless JSON was requested.
    func show(_ report: OnboardReport, on console: Console) throws {
        if !json { try console.print(console.output.styled(report.line(), report.ok ? .green : .red)) }
    }

    /// Onboards or restores.
    ///
    /// - Parameter reader: Asks the user a question; `nil` asks in the terminal, if there is one.
    func report(
        console: Console, presenter: any WebPresenter, barcodes: BarcodeProgram, reader: TerminalOnboardingScreens.Reader? = nil
    ) async throws -> OnboardReport {
        let report = try await OnboardRun(
            command: self, console: console, presenter: presenter, barcodes: barcodes,
            reader: reader ?? Self.terminal(of: console)
        ).report()
        console.clearProgress()
        return report
    }

    /// Runs the whole work of the command within its time limit.
    ///
    /// - Throws: The exit status, after a message was written; `CancellationError`, without one, if the task was cancelled.
    func limited(on console: Console, _ work: @escaping @Sendable () async throws -> Void) async throws {
        do {
            try await limit.run(work)
        } catch let exit as ExitCode {
            throw exit
        } catch {
            console.clearProgress()
            // The signal that has cancelled the work is the reason, not the error that follows from it.
            try Task.checkCancellation()
            let failure = OnboardFailure(error)
            failure.show(on: console)
            if json { try console.print(failure.report) }
            throw failure.exit
        }
    }

    /// Parses an origin: a URL with a scheme, a host and an optional port.
    private static func origin(_ text: String) throws -> Origin {
        guard let url = URL(string: text), url.user == nil, url.query == nil, url.fragment == nil,
            ["", "/"].contains(url.path(percentEncoded: true)), let origin = Origin(url)
        else { throw ValidationError("'--trust' requires an origin, such as https://login.example.") }
        return origin
    }

    private static func terminal(of console: Console) -> TerminalOnboardingScreens.Reader {
        let hasPerson = isatty(STDIN_FILENO) == 1 && console.messages.isTerminal
        return { prompt in
            guard hasPerson else { return nil }
            TerminalOnboardingScreens.writeStandardError(prompt)
            // A user who does not answer must not outlast the time limit.
            return try await Blocking.run { readLine() }
        }
    }
}
