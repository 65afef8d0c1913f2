import Testing

@testable import CountersignCLI

/// What goes where, and in which colours.
@Suite struct ConsoleTests {
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
    }
}
