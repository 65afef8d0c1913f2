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
