import ArgumentParser
import CountersignTesting
import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

/// The streams of the output, and its colours.
@Suite(.takesTurns) struct ConsoleTests {
    @Test(arguments: [
        ([:], true), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true), (["TERM": "dumb"], false), (["TERM": "xterm"], true),
    ])
    func `NO_COLOR and a dumb terminal forbid colours`(environment: [String: String], isAllowed: Bool) {
        #expect(Console.allowsColor(environment) == isAllowed)
    }

    @Test func `progress is for a terminal, and leaves no line behind`() {
        let pipe = RecordedConsole()
        pipe.console.progress("working")
        pipe.console.clearProgress()
        #expect(pipe.messages == "")
        let terminal = RecordedConsole(isTerminal: true)
        terminal.console.progress("working")
        terminal.console.clearProgress()
        #expect(terminal.messages == "\r\u{1B}[Kworking …\r\u{1B}[K")
        #expect(terminal.output == "")
        // If no progress line is shown, none is erased, because the line could be another program's.
        terminal.console.clearProgress()
        #expect(terminal.messages == "\r\u{1B}[Kworking …\r\u{1B}[K")
        let dumb = RecordedConsole(isTerminal: true, erases: false)
        dumb.console.progress("working")
        dumb.console.progress("working")
        dumb.console.clearProgress()
        #expect(dumb.messages == "working …\n")
    }

    // MARK: An output that cannot be written

    /// Makes a console whose output is full.
    private func full(_ recorded: RecordedConsole) -> Console {
        Console(output: Console.Stream { _ in throw POSIXError(.ENOSPC) }, messages: recorded.console.messages)
    }

    @Test func `each command ends with 73 and a message if its output cannot be written`() async throws {
        let folder = try SpecFolder()
        let specs = try folder.copySpecs()
        let runs: [(String, (Console) async throws -> Void)] = [
            ("schema", { try SchemaCommand.parse([]).run(console: $0) }),
            ("explain", { try ExplainCommand.parse(["CS0507"]).run(console: $0) }),
            ("new", { try NewCommand.parse(["Parcels", "--output", folder.path + "/new"]).run(console: $0) }),
            ("mock", { try await MockCommand.parse(["HTTPAuthentication"]).run(console: $0, until: {}) }),
            ("lint", { try LintCommand.parse(["--json", specs]).run(console: $0) }),
            (
                "generate",
                {
                    try await GenerateCommand.parse(["--dry-run", "--output", folder.path, specs]).run(
                        console: $0, prove: { _ in [] })
                }
            ),
            ("demo", { try await DemoCommand.parse([]).run(console: $0, scenarios: []) }),
            ("demo --json", { try await DemoCommand.parse(["--json"]).run(console: $0, scenarios: []) }),
            ("onboard", { try await OnboardRehearsal(command: try OnboardCommand.parse(["--mock"]), console: $0).run() }),
            (
                "onboard --json",
                { try await OnboardRehearsal(command: try OnboardCommand.parse(["--mock", "--json"]), console: $0).run() }
            ),
        ]
        for (name, run) in runs {
            let recorded = RecordedConsole()
            await #expect(throws: CommandExit.cannotCreate, "\(name)") { try await run(full(recorded)) }
            #expect(recorded.messages.contains("error: the standard output cannot be written: No space left on device"), "\(name)")
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full here"))
    func `a full device is an error for data, and none for messages`() throws {
        let descriptor = open("/dev/full", O_WRONLY)
        defer { close(descriptor) }
        let recorded = RecordedConsole()
        let data = Console(output: Console.stream(descriptor), messages: recorded.console.messages)
        #expect(throws: CommandExit.cannotCreate) { try data.print("data") }
        #expect(recorded.messages.contains("No space left on device"))
        let messages = Console(output: recorded.console.output, messages: Console.stream(descriptor))
        messages.message("lost")
        try messages.print("data")
        #expect(recorded.output == "data\n")
    }

    @Test func `a closed output is said to be closed`() throws {
        let recorded = RecordedConsole()
        let console = Console(output: Console.Stream { _ in throw POSIXError(.EBADF) }, messages: recorded.console.messages)
        #expect(throws: CommandExit.cannotCreate) { try console.print("data") }
        #expect(recorded.messages == "error: the standard output is closed, so that the result cannot be written\n")
    }

    @Test func `a help text that cannot be written is an error`() throws {
        let recorded = RecordedConsole()
        let help = CleanExit.helpRequest(SchemaCommand.self)
        let failure = CountersignCommand.shown(help, on: full(recorded))
        #expect(failure as? ExitCode == CommandExit.cannotCreate)
        #expect(recorded.messages == "error: the standard output cannot be written: No space left on device\n")
        // A text that was written is not written again, and an error of a command is left to the argument parser.
        let success = CountersignCommand.shown(help, on: recorded.console)
        #expect(success as? ExitCode == ExitCode.success && recorded.output.contains("USAGE: countersign schema"))
        let refusal = CountersignCommand.shown(CommandExit.refused, on: recorded.console)
        #expect(refusal as? ExitCode == CommandExit.refused)
    }

    // MARK: The process

    /// Runs the command with its standard output redirected.
    ///
    /// - Returns: The lines of the standard error, and then one with the exit status.
    private func run(_ arguments: [String], redirecting redirection: String) async throws -> [String] {
        // The standard error of the command is the pipe that the test reads.
        let script = "\"$@\" 2>&1 \(redirection); echo \"status $?\""
        return try await OtherProcess("countersign", arguments, wrapper: ["sh", "-c", script, "sh"]).end()
    }

    @Test(arguments: [["schema"], ["explain", "CS0507"], ["reference"], ["--help"], ["--version"]])
    func `a process with a closed output fails and says so`(arguments: [String]) async throws {
        let lines = try await run(arguments, redirecting: ">&-")
        #expect(lines == ["error: the standard output is closed, so that the result cannot be written", "status 73"])
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full here"))
    func `a process with a full output fails and says so`() async throws {
        for arguments in [["schema"], ["--help"], ["--generate-completion-script", "bash"]] {
            let lines = try await run(arguments, redirecting: ">/dev/full")
            #expect(lines == ["error: the standard output cannot be written: No space left on device", "status 73"])
        }
    }

    @Test func `a process whose reader has gone away ends as after success`() async throws {
        // The schema is larger than the buffer of a pipe, so that the command still writes when the reader ends.
        let script = "exec 3>&1; { \"$@\" 2>&3; echo \"status $?\" >&3; } | head -n 1"
        let lines = try await OtherProcess("countersign", ["schema"], wrapper: ["sh", "-c", script, "sh"]).end()
        #expect(lines.sorted() == ["status 0", "{"])
    }

    @Test func `a reader that has gone away is no error`() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let recorded = RecordedConsole()
        let console = Console(
            output: Console.stream(pipe.fileHandleForWriting.fileDescriptor), messages: recorded.console.messages)
        try console.print("data")
        #expect(recorded.messages == "")
        #expect(throws: POSIXError.self) {
            try DescriptorWriter.write(Array("data".utf8), to: pipe.fileHandleForWriting.fileDescriptor)
        }
    }
}
