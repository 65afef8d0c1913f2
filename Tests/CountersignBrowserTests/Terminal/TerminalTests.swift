import Countersign
import Foundation
import TestTurns
import Testing

@testable import CountersignBrowser

@Suite(.takesTurns) struct `Terminal's abilities` {
    private func terminal(_ environment: [String: String]) -> Terminal {
        Terminal(environment: environment, write: { _ in }, readLine: { nil })
    }

    @Test(arguments: [
        (["LANG": "en_US.UTF-8"], true), (["LANG": "C.utf8"], true), (["LC_ALL": "C", "LANG": "en_US.UTF-8"], false),
        (["LC_ALL": "", "LC_CTYPE": "de_DE.UTF-8", "LANG": "C"], true), ([:], false), (["LANG": "en_US.ISO-8859-1"], false),
        (["LANG": "en_US.UTF-8", "TERM": "dumb"], false),
    ])
    func `the locale says whether blocks can be shown`(environment: [String: String], isUnicode: Bool) {
        #expect(terminal(environment).isUnicode == isUnicode)
    }

    @Test func `NO_COLOR with any value, and a terminal that knows none, forbid colours`() {
        #expect(terminal(["TERM": "xterm"]).usesColor)
        #expect(terminal(["NO_COLOR": ""]).usesColor)
        #expect(!terminal(["NO_COLOR": "0"]).usesColor)
        #expect(!terminal(["TERM": "dumb"]).usesColor)
    }

    @Test(arguments: [(29, true), (28, false), (nil, false)])
    func `a code is shown where it fits`(columns: Int?, isShown: Bool) {
        let user = ScriptedTerminal(columns: columns)
        user.terminal.writeCode(of: "a")
        #expect(user.screen.contains("█") == isShown)
        #expect(isShown || user.screen.isEmpty)
    }

    @Test func `sentences break at spaces alone`() {
        let user = ScriptedTerminal(columns: 10)
        user.terminal.write(paragraph: "one two three  four-and-a-half five\nsix")
        #expect(user.screen == "one two\nthree\nfour-and-a-half\nfive six\n")
    }

    @Test func `a text that is too long for a code is left out`() {
        let user = ScriptedTerminal(columns: 1000)
        user.terminal.writeCode(of: String(repeating: "a", count: 3000))
        #expect(user.screen.isEmpty)
    }

    @Test func `the end of a wait is shown as on the user's clock`() throws {
        let zone = try #require(TimeZone(secondsFromGMT: 3600))
        #expect(Deadline(date: Date(timeIntervalSince1970: 1_000_000_000), timeZone: zone).time == "02:46:40")
        #expect(Duration.seconds(300).words == "5 minutes")
        #expect(Duration.seconds(90).words == "90 seconds")
        #expect(Duration.seconds(1).words == "1 second")
    }

    @Test func `a code for a device is shown with its address and its end`() throws {
        let user = ScriptedTerminal()
        let presentation = UserCodePresentation(
            authenticationMethod: "Device", userCode: "WDJB-MJHT\u{1B}[2J\u{202E}",
            verificationURL: try #require(URL(string: "https://login.example/device")),
            completeURL: URL(string: "https://login.example/device?user_code=WDJB-MJHT"))
        let view = UserCodeView(
            presentation,
            until: Deadline(date: Date(timeIntervalSince1970: 1_000_000_000), timeZone: try #require(TimeZone(secondsFromGMT: 0))))
        view.show(on: user.terminal)
        #expect(user.screen.contains("\nhttps://login.example/device\n"))
        #expect(user.screen.contains("WDJB-MJHT") && !user.screen.contains("\u{1B}") && !user.screen.contains("\u{202E}"))
        #expect(user.screen.contains("█"))
        #expect(user.screen.contains("until 01:46:40"))
    }

    @Test func `a page without a code is shown with its address and its end`() throws {
        let user = ScriptedTerminal()
        let presentation = UserCodePresentation(
            authenticationMethod: "Device", userCode: "",
            verificationURL: try #require(URL(string: "https://login.example/flow/4711")))
        let view = UserCodeView(
            presentation,
            until: Deadline(date: Date(timeIntervalSince1970: 1_000_000_000), timeZone: try #require(TimeZone(secondsFromGMT: 0))))
        view.show(on: user.terminal)
        #expect(user.screen.contains("\nhttps://login.example/flow/4711\n\nWaiting for the login until 01:46:40"))
        #expect(user.screen.contains("█") && !user.screen.contains("code"))
    }
}
