#if os(Linux)
import Countersign
import Foundation
import Synchronization
import TestTurns
import Testing

@testable import CountersignBrowser

/// A real pseudo-terminal, with the test at its other end.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `Pseudo-terminal` {
    private final class PseudoTerminal: Sendable {
        let device: TerminalDevice
        /// The test's end.
        let user: Int32
        private let descriptor: Int32

        /// - Parameter lowest: The lowest number of the program's descriptor.
        init(from lowest: Int32 = 0) throws {
            var ends: (user: Int32, program: Int32) = (-1, -1)
            try #require(openpty(&ends.user, &ends.program, nil, nil, nil) == 0)
            let low = ends.program
            if lowest > 0 {
                ends.program = fcntl(low, F_DUPFD, lowest)
                close(low)
                try #require(ends.program >= lowest)
            }
            (user, descriptor) = ends
            device = try #require(TerminalDevice(preferring: descriptor))
        }

        deinit {
            close(descriptor)
            close(user)
        }

        var flags: tcflag_t {
            var mode = termios()
            tcgetattr(descriptor, &mode)
            return mode.c_lflag
        }

        func setWidth(_ columns: UInt16) {
            var size = winsize()
            size.ws_col = columns
            size.ws_row = 24
            _ = ioctl(user, UInt(TIOCSWINSZ), &size)
        }

        /// Types a text, in parts that the terminal can take.
        func type(_ text: String) async throws {
            var rest = Array(text.utf8)[...]
            _ = fcntl(user, F_SETFL, O_NONBLOCK)
            while !rest.isEmpty {
                let part = rest.prefix(1000)
                let count = part.withUnsafeBytes { write(user, $0.baseAddress, $0.count) }
                if count > 0 { rest = rest.dropFirst(count) } else { try await Task.sleep(for: .milliseconds(2)) }
            }
        }

        /// Waits until a program reads without echo, because text that is typed earlier could be shown.
        func isAsked() async throws {
            while flags & tcflag_t(ECHO) != 0 { try await Task.sleep(for: .milliseconds(2)) }
        }

        /// Returns the output that has not been read yet.
        func screen() -> String { String(decoding: bytes(), as: UTF8.self) }

        /// Returns the output when it ends with a text.
        func screen(endingWith text: String) async throws -> String {
            var screen = bytes()
            while !screen.suffix(text.utf8.count).elementsEqual(text.utf8) {
                try await Task.sleep(for: .milliseconds(2))
                screen += bytes()
            }
            return String(decoding: screen, as: UTF8.self)
        }

        private func bytes() -> [UInt8] {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            _ = fcntl(user, F_SETFL, O_NONBLOCK)
            var bytes: [UInt8] = []
            while case let count = read(user, &buffer, buffer.count), count > 0 { bytes += buffer.prefix(count) }
            return bytes
        }
    }

    private func reading(_ terminal: PseudoTerminal) async throws -> Task<String?, any Error> {
        let task = Task { try await terminal.device.readLine(limit: 1 << 17) }
        try await terminal.isAsked()
        return task
    }

    @Test func `a line is longer than a terminal's own, and is not shown`() async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.flags
        let line = try await reading(terminal)
        let address = "http://127.0.0.1/callback?code=" + String(repeating: "c0de", count: 5000)
        try await terminal.type(address + "\n")
        #expect(try await line.value == address)
        #expect(terminal.flags == before)
        #expect(!terminal.screen().contains("c0de"))
    }

    @Test func `a line is read with a descriptor of more than 1024`() async throws {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        try #require(getrlimit(resource, &limit) == 0)
        // The usual limit of some systems is 1024.
        limit.rlim_cur = max(limit.rlim_cur, min(4096, limit.rlim_max))
        try #require(setrlimit(resource, &limit) == 0)
        let terminal = try PseudoTerminal(from: 1100)
        let line = try await reading(terminal)
        try await terminal.type("wonderland\n")
        #expect(try await line.value == "wonderland")
    }

    @Test(arguments: ["\u{3}", "http://127.0.0.1/\u{3}", "\u{4}"])
    func `Ctrl-C and Ctrl-D end the input, and the terminal is as it was`(typed: String) async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.flags
        let line = try await reading(terminal)
        try await terminal.type(typed)
        #expect(try await line.value == nil)
        #expect(terminal.flags == before)
    }

    @Test(arguments: [("\u{3}", 1), ("\u{4}", 0)])
    func `Ctrl-C is heard of, too, by a program that it is to end`(typed: String, count: Int) async throws {
        let terminal = try PseudoTerminal()
        let interrupts = Mutex(0)
        async let line = terminal.device.readLine(limit: 100) { interrupts.withLock { $0 += 1 } }
        try await terminal.isAsked()
        try await terminal.type(typed)
        #expect(try await line == nil)
        #expect(interrupts.withLock(\.self) == count)
    }

    @Test func `a question is asked when the answer is hidden already`() async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.flags
        let flags = Mutex(before)
        async let line = terminal.device.readLine(limit: 100) {
        } whenHidden: {
            flags.withLock { $0 = terminal.flags }
        }
        try await terminal.isAsked()
        try await terminal.type("wonderland\n")
        #expect(try await line == "wonderland")
        #expect(flags.withLock(\.self) != before)
    }

    @Test func `a cancelled reader returns at once, and the terminal is as it was`() async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.flags
        let line = try await reading(terminal)
        line.cancel()
        await #expect(throws: CancellationError.self) { try await line.value }
        #expect(terminal.flags == before)
    }

    @Test func `what is typed behind a line is left for the next reader`() async throws {
        let terminal = try PseudoTerminal()
        let first = try await reading(terminal)
        try await terminal.type("one\ntwo\n")
        #expect(try await first.value == "one")
        #expect(try await terminal.device.readLine(limit: 100) == "two")
    }

    @Test func `the width is asked for each time`() async throws {
        let terminal = try PseudoTerminal()
        #expect(terminal.device.columns == nil)
        terminal.setWidth(132)
        #expect(terminal.device.columns == 132)
        terminal.device.write("hello\n")
        #expect(try await terminal.screen(endingWith: "\n") == "hello\r\n")
    }

    @Test func `a file is no terminal`() throws {
        let file = open("/dev/null", O_RDWR)
        defer { close(file) }
        // If the tests have a terminal, its device is used instead of the file.
        let hasTerminal = open("/dev/tty", O_RDWR | O_NOCTTY)
        defer { if hasTerminal >= 0 { close(hasTerminal) } }
        #expect((TerminalDevice(preferring: file) == nil) == (hasTerminal < 0))
    }

    @Test func `a login runs at it from the address to the answer`() async throws {
        let pseudo = try PseudoTerminal()
        pseudo.setWidth(132)
        let terminal = Terminal(
            width: { pseudo.device.columns }, environment: ["LANG": "C.UTF-8"], turns: TerminalTurns(),
            write: { pseudo.device.write($0) }, read: { try await pseudo.device.readLine(limit: 1 << 17, whenHidden: $0) })
        let presenter = TerminalPresenter(terminal: terminal, timeout: .seconds(600))
        let presentation = try await Login.presentation(redirect: "com.example.app:/callback")
        let login = Task { try await presenter.present(presentation) }
        let screen = try await pseudo.screen(endingWith: "Address: ")
        try await pseudo.isAsked()
        #expect(screen.contains("https://login.example/authorize?redirect_uri=com.example.app:/callback&state=s3cret\r\n"))
        #expect(screen.contains("▀") && screen.contains("\u{1B}[38;5;16;48;5;231m"))
        try await pseudo.type("com.example.app:/callback?code=c0de&state=s3cret\n")
        #expect(try await login.value.finishURL.query() == "code=c0de&state=s3cret")
        #expect(!pseudo.screen().contains("c0de"))
    }
}
#endif
