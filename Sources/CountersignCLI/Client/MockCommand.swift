import ArgumentParser
import Countersign
import CountersignTesting
import Foundation

/// Serves a landscape on this machine, for trying clients.
struct MockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mock", abstract: "Serves a mock of a landscape on this machine until Ctrl-C, and shows the requests to it.",
        discussion: """
            The servers listen on 127.0.0.1, on ports that the system chooses; nothing is stored.

            These mocks are written from the servers' documentation, and know the user 'alice' with the password 'wonderland': \
            \(Self.written.joined(separator: ", ")).

            The mock of a method of any other landscape, and of a method that '--method' or '--spec' chooses, follows from its spec \
            alone: it answers each step as the spec describes, and so agrees with every mistake in it. Values that are not given are \
            chosen and printed, with the request to try as a command. Such a mock cannot play methods that verify a signed token, use \
            a client certificate or Kerberos, or show input that the server describes: for logins with OpenID Connect, use the mock \
            'OpenIDConnect'.

            Examples:
              countersign mock Keystone
              countersign mock GitHub --method DeviceCode
              countersign mock HTTPAuthentication --method HTTPBasic
              countersign mock --spec Specs/Parcels
            """)

    @Argument(
        help: ArgumentHelp(
            "A landscape that comes with the command: \(Self.landscapes.joined(separator: ", ")).", valueName: "landscape"),
        completion: .list(Self.landscapes))
    var landscape: String?

    @Option(help: ArgumentHelp("A folder with the specs of a landscape.", valueName: "folder"), completion: .directory)
    var spec: String?

    @Option(help: ArgumentHelp("The method to play, if the landscape has several.", valueName: "name"))
    var method: String?

    @OptionGroup var choice: MethodOptions

    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp(
            """
            A value of a parameter or a setting; or of a prompt, which then is the only accepted one. Repeatable; several with one \
            name form a list.
            """,
            valueName: "name=value"))
    var values: [String] = []

    @Option(
        name: .customLong("set-env"), parsing: .singleValue,
        help: ArgumentHelp(
            "Like '--set', with the value of an environment variable, which is not printed.", valueName: "name=variable"))
    var environmentValues: [String] = []

    @Option(
        name: .customLong("set-file"), parsing: .singleValue,
        help: ArgumentHelp("Like '--set', with the content of a file, which is not printed.", valueName: "name=file"),
        completion: .file())
    var fileValues: [String] = []

    /// The landscapes that have a mock.
    static let landscapes = ShippedLandscapes.names
    /// The landscapes with a mock of their own. Other mocks follow from the specs.
    private static let written = MockShow.all.map(\.landscape).sorted()

    func validate() throws {
        guard (landscape == nil) != (spec == nil) else {
            throw ValidationError("Give a landscape or '--spec', and not both.")
        }
        guard choice.base == nil || spec != nil else { throw ValidationError("'--base' belongs to '--spec'.") }
        let hasValues = !values.isEmpty || !environmentValues.isEmpty || !fileValues.isEmpty
        guard writtenShow == nil || choice.variant == nil && !hasValues else {
            throw ValidationError(
                """
                The mock of \(landscape ?? "") is a written one, with its own values: '--variant' and '--set' belong to mocks of specs. \
                With '--method NAME', the spec of that method is played.
                """)
        }
        _ = try given()
    }

    /// The written mock of the landscape; `nil` if there is none, or if a method is chosen, whose spec is played instead.
    private var writtenShow: MockShow? {
        guard method == nil else { return nil }
        return MockShow.all.first { $0.landscape.lowercased() == landscape?.lowercased() }
    }

    func run() async throws { try await run(console: .standard, until: { try await Task.sleep(for: .seconds(1 << 31)) }) }

    /// - Parameter end: Returns, or throws, when the servers are to stop.
    func run(console: Console, until end: @escaping @Sendable () async throws -> Void) async throws {
        do {
            try await serve(try await show(), on: console, until: end)
        } catch let exit as ExitCode {
            throw exit
        } catch {
            try ClientFailure(error).end(on: console)
        }
    }

    private func show() async throws -> MockShow {
        if let writtenShow { return writtenShow }
        let source: DescribedShow.Specs
        if let spec {
            source = .folder(spec, base: choice.base)
        } else if let name = Self.landscapes.first(where: { $0.lowercased() == landscape?.lowercased() }) {
            source = .shipped(name)
        } else {
            throw CommandProblem(
                "There is no mock of '\(landscape ?? "")'.",
                remedy:
                    "\(CommandProblem.remedy(for: landscape ?? "", among: Self.landscapes)) A spec is played with '--spec FOLDER'.",
                exit: CommandExit.usage)
        }
        return try await DescribedShow(source, method, choice, values: try given()).show
    }

    /// The values of the command line.
    private func given() throws -> [(name: String, source: Profile.Source)] {
        try MethodOptions.sources(values, environment: environmentValues, files: fileValues)
    }

    private func serve(
        _ show: MockShow, on console: Console, until end: @escaping @Sendable () async throws -> Void
    ) async throws {
        let log = MockRequestLog { entry in
            console.message(
                VisibleText.escaped("\(entry.status) \(entry.method) \(entry.authority)\(entry.path)"))
        }
        let task = Task {
            try await MockRequestLog.$current.withValue(log) {
                try await show.run { address, values in
                    try await log.serve(titled: "Mock of \(show.landscape)") { page in
                        try console.print("url: \(address.absoluteString)")
                        // A value can be an example of the spec, which must not look like another line.
                        for (name, value) in values.pairs { try console.print("\(name): \(VisibleText.escaped(value))") }
                        try console.print("page: \(page.absoluteString)")
                        for text in values.warnings { console.warn(text) }
                        console.message("Serving until Ctrl-C.")
                        try await end()
                    }
                }
            }
        }
        let interrupt = Interrupt()
        interrupt.cancel(with: task.cancel)
        defer { interrupt.stop() }
        do {
            try await task.value
        } catch is CancellationError {
            console.message("Stopped.")
        }
    }
}
