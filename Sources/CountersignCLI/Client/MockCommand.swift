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

            Mocks of landscapes that come with the command know the user 'alice' with the password 'wonderland', and are written \
            from the servers' documentation. With '--spec', the mock of a method follows from its spec alone: it answers each step \
            as the spec describes, and so agrees with every mistake in it. Values that are not given are chosen and printed, with \
            the request to try as a command.

            Examples:
              countersign mock Keystone
              countersign mock --spec Specs/Parcels
            """)

    @Argument(
        help: ArgumentHelp("The landscape: \(Self.landscapes.joined(separator: ", ")).", valueName: "landscape"),
        completion: .list(Self.landscapes))
    var landscape: String?

    @Option(help: ArgumentHelp("A folder with the specs of a landscape.", valueName: "folder"), completion: .directory)
    var spec: String?

    @OptionGroup var choice: MethodOptions

    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp(
            "A value of a parameter or a setting; or of a prompt, which then is the only accepted one. Repeatable.",
            valueName: "name=value"))
    var values: [String] = []

    /// The landscapes with a mock.
    static let landscapes = MockShow.all.map(\.landscape).sorted()

    func validate() throws {
        guard (landscape == nil) != (spec == nil) else {
            throw ValidationError("Give a landscape or '--spec', and not both.")
        }
        guard spec != nil || (choice.base == nil && choice.method == nil && choice.variant == nil && values.isEmpty) else {
            throw ValidationError("'--base', '--method', '--variant' and '--set' belong to '--spec'.")
        }
        _ = try MethodOptions.pairs(values)
    }

    func run() async throws { try await run(console: .standard, until: { try await Task.sleep(for: .seconds(1 << 31)) }) }

    /// - Parameter end: Returns, or throws, when the servers are to stop.
    func run(console: Console, until end: @escaping @Sendable () async throws -> Void) async throws {
        do {
            try await serve(try show(), on: console, until: end)
        } catch let exit as ExitCode {
            throw exit
        } catch {
            let failure = ClientFailure(error)
            failure.show(on: console)
            throw failure.exit
        }
    }

    private func show() throws -> MockShow {
        if let spec {
            return try DescribedShow(folder: spec, choice, values: try MethodOptions.pairs(values)).show
        }
        guard let show = MockShow.all.first(where: { $0.landscape.lowercased() == landscape?.lowercased() }) else {
            throw CommandProblem(
                "There is no mock of '\(VisibleText.escaped(landscape ?? ""))'.",
                remedy:
                    "\(CommandProblem.remedy(for: landscape ?? "", among: Self.landscapes)) A spec is played with '--spec FOLDER'.",
                exit: CommandExit.usage)
        }
        return show
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
                        for (name, value) in values.pairs { try console.print("\(name): \(value)") }
                        try console.print("page: \(page.absoluteString)")
                        for text in values.warnings {
                            console.message(console.messages.styled("warning:", .yellow) + " " + VisibleText.escaped(text))
                        }
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
