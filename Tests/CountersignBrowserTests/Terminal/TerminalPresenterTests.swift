import Countersign
import Foundation
import TestTurns
import Testing

@testable import CountersignBrowser

/// Logins from the address to the response, at a terminal whose user is the test, with real sockets.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `Terminal presenter` {
    /// A login at a terminal.
    private struct Bench {
        let user: ScriptedTerminal
        let clock = StoppedClock()
        let presenter: TerminalPresenter

        init(_ user: ScriptedTerminal = ScriptedTerminal(), port: UInt16? = nil) throws {
            self.user = user
            let zone = try #require(TimeZone(secondsFromGMT: 0))
            presenter = TerminalPresenter(
                terminal: user.terminal, port: port, timeout: .seconds(300), clock: clock,
                now: { Date(timeIntervalSince1970: 1_000_000_000) }, timeZone: zone)
        }

        /// Starts a login and waits until the terminal asks for its answer.
        func start(
            redirect: String = "http://127.0.0.1/callback", state: String? = "s3cret"
        ) async throws -> Task<WebPresentationResult, any Error> {
            let presentation = try await Login.presentation(redirect: redirect, state: state)
            let task = Task { [presenter] in try await presenter.present(presentation) }
            try await user.reads("Address: ")
            return task
        }

        /// Returns the URL of the page, as it is shown.
        func page() throws -> URL {
            let line = user.screen.split(separator: "\n").last { $0.hasPrefix("https://login.example/authorize") }
            return try #require(line.flatMap { URL(string: String($0)) })
        }

        /// Returns the redirect URL that the page's URL names.
        func redirectURL() throws -> URL {
            let items = URLComponents(url: try page(), resolvingAgainstBaseURL: false)?.queryItems
            return try #require(items?.first { $0.name == "redirect_uri" }?.value.flatMap { URL(string: $0) })
        }

        /// Pastes a text, and waits for the terminal's response.
        func paste(_ text: String, toRead answer: String) async throws {
            user.type(text)
            try await user.reads(answer)
        }
    }

    @Test func `the address is shown with its code and its end, and what is pasted is the answer`() async throws {
        let bench = try Bench()
        let login = try await bench.start()
        let screen = bench.user.screen
        #expect(screen.contains("Login for Test"))
        #expect(screen.contains("\n\(try bench.page().absoluteString)\n"))
        #expect(screen.contains("████"))
        #expect(bench.user.prose.contains("until 01:51:40 (5 minutes). Ctrl-C ends the login."))
        let answer = "\(try bench.redirectURL().absoluteString)?code=c0de&state=s3cret"
        bench.user.type(answer)
        let result = try await login.value
        #expect(result.finishURL.absoluteString == answer)
        #expect(try result.redirectURL == bench.redirectURL())
        #expect(!bench.user.screen.contains("c0de"), "the answer is not repeated")
        try await expectRefusal(by: try bench.redirectURL())
    }

    @Test func `a browser that reaches the port brings the answer by itself`() async throws {
        let bench = try Bench()
        let login = try await bench.start()
        let redirectURL = try bench.redirectURL()
        func ask(_ target: String) async throws {
            let connection = try await RawConnection.open(to: redirectURL)
            await connection.send("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(redirectURL.port ?? 0)\r\n\r\n")
            _ = try await connection.answer()
        }
        try await ask("/callback?code=c0de&state=s3cret")
        // On a busy machine, the login may end before its page is requested.
        try? await ask("/callback")
        #expect(try await login.value.finishURL.query() == "code=c0de&state=s3cret")
        #expect(bench.user.prose.contains("The response arrived from the browser."))
    }

    @Test func `RT-35 the answer to yesterday's login is refused with a reason, and the login continues`() async throws {
        let bench = try Bench()
        let login = try await bench.start()
        let redirect = try bench.redirectURL().absoluteString
        try await bench.paste("http://127.0.0.1:9/callback?code=c4n4ry&state=yesterday", toRead: "the response to another login")
        try await bench.paste("https://login.example/authorize?x=c4n4ry", toRead: "the address of the login page")
        try await bench.paste("https://else.example/c4n4ry", toRead: "an address of https://else.example")
        try await bench.paste("c4n4ry", toRead: "not a complete address")
        try await bench.paste(redirect, toRead: "no response in this address")
        try await bench.paste(String(repeating: "a", count: 1 << 17), toRead: "too long for a response")
        #expect(bench.user.prose.contains("Waiting for the response until 01:51:40."))
        #expect(!bench.user.screen.contains("c4n4ry"))
        bench.user.type("\(redirect)?code=c0de&state=s3cret")
        #expect(try await login.value.finishURL.query() == "code=c0de&state=s3cret")
    }

    @Test func `the end of the input is as if the user had closed the page`() async throws {
        let bench = try Bench()
        let login = try await bench.start()
        bench.user.type(nil)
        let error = try await #require(throws: PresentationFailure.self) { try await login.value }
        guard case .dismissed = error else {
            Issue.record("\(error)")
            return
        }
        try await expectRefusal(by: try bench.redirectURL())
    }

    @Test func `a login whose time is over says so, and its port is closed`() async throws {
        let bench = try Bench()
        let login = try await bench.start()
        bench.clock.ring()
        let error = try await #require(throws: PresentationFailure.self) { try await login.value }
        guard case .load(TerminalError.timedOut(.seconds(300))) = error else {
            Issue.record("\(error)")
            return
        }
        try await expectRefusal(by: try bench.redirectURL())
    }

    @Test func `a cancelled login ends, and its port is closed`() async throws {
        let bench = try Bench()
        let login = try await bench.start()
        login.cancel()
        await #expect(throws: CancellationError.self) { try await login.value }
        try await expectRefusal(by: try bench.redirectURL())
    }

    @Test func `a login that ends in cookies names the presenters that can show it`() async throws {
        let bench = try Bench()
        let finish = try #require(URL(string: "https://login.example/done"))
        let presentation = WebPresentation(
            authenticationMethod: "Test", url: try #require(URL(string: "https://login.example/saml?c4n4ry")),
            finish: FinishRule(finish, match: .path), jar: CookieJar(), transport: NoTransport())
        let error = try await #require(throws: PresentationFailure.self) { try await bench.presenter.present(presentation) }
        guard case .load(let cause as TerminalError) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(cause == .fixedFinish(authenticationMethod: "Test"))
        #expect("\(cause)".contains("ChromiumPresenter") && !"\(cause)".contains("c4n4ry"))
        #expect(bench.user.screen.isEmpty)
    }

    @Test func `without a terminal the error says what to do`() async throws {
        let presenter = TerminalPresenter(terminal: nil, timeout: .seconds(1), clock: StoppedClock())
        let presentation = try await Login.presentation()
        let error = try await #require(throws: PresentationFailure.self) { try await presenter.present(presentation) }
        guard case .load(TerminalError.noTerminal) = error else {
            Issue.record("\(error)")
            return
        }
        #expect("\(TerminalError.noTerminal)".contains("ssh needs -t"))
    }

    @Test func `over SSH the command is shown that forwards the port`() async throws {
        let bench = try Bench(
            ScriptedTerminal(environment: [
                "SSH_CONNECTION": "198.51.100.7 51000 203.0.113.5 2222", "USER": "alice", "NO_COLOR": "1",
            ]))
        let login = try await bench.start()
        let port = try #require(try bench.redirectURL().port)
        #expect(bench.user.screen.contains("    ssh -N -L \(port):127.0.0.1:\(port) -p 2222 alice@203.0.113.5\n"))
        #expect(bench.user.prose.contains("cannot load the page"))
        #expect(!bench.user.screen.contains("█"), "nothing says that blocks can be shown")
        login.cancel()
    }

    @Test func `an answer at the application's own scheme is pasted`() async throws {
        let bench = try Bench()
        let login = try await bench.start(redirect: "com.example.app:/callback")
        #expect(bench.user.prose.contains("begins with com.example.app:/callback"))
        bench.user.type("com.example.app:/callback?code=c0de&state=s3cret")
        let result = try await login.value
        #expect(result.finishURL.absoluteString == "com.example.app:/callback?code=c0de&state=s3cret")
        #expect(result.redirectURL?.absoluteString == "com.example.app:/callback")
    }

    @Test func `two logins at a terminal are shown one after the other, and both end`() async throws {
        let user = ScriptedTerminal()
        let (first, second) = (try Bench(user), try Bench(user))
        let one = try await first.start(state: "one")
        let redirect = try first.redirectURL().absoluteString
        let presentation = try await Login.presentation(state: "two")
        let two = Task { [presenter = second.presenter] in try await presenter.present(presentation) }
        try await user.reads("Another login is using this terminal, until 01:51:40 at the latest.")
        user.type("\(redirect)?code=1&state=one")
        #expect(try await one.value.finishURL.query() == "code=1&state=one")
        try await user.reads("state=two")
        user.type("\(try second.redirectURL().absoluteString)?code=2&state=two")
        #expect(try await two.value.finishURL.query() == "code=2&state=two")
    }

    @Test func `a login that waits for the terminal and is cancelled lets the next one in`() async throws {
        let user = ScriptedTerminal()
        let bench = try Bench(user)
        let one = try await bench.start(state: "one")
        let redirect = try bench.redirectURL().absoluteString
        let (second, third) = (try await Login.presentation(state: "two"), try await Login.presentation(state: "three"))
        let two = Task { [presenter = bench.presenter] in try await presenter.present(second) }
        try await user.reads("is next.")
        two.cancel()
        await #expect(throws: CancellationError.self) { try await two.value }
        let three = Task { [presenter = try Bench(user).presenter] in try await presenter.present(third) }
        user.type("\(redirect)?code=1&state=one")
        _ = try await one.value
        try await user.reads("state=three")
        three.cancel()
        await #expect(throws: CancellationError.self) { try await three.value }
    }

    @Test func `a port that another program has leaves the answer to be pasted`() async throws {
        let bench = try Bench()
        let login = try await bench.start()
        let port = try #require(try bench.redirectURL().port)
        let other = try Bench(port: UInt16(port))
        let second = try await other.start()
        #expect(try other.redirectURL().port == port)
        other.user.type("http://127.0.0.1:\(port)/callback?code=c0de&state=s3cret")
        #expect(try await second.value.finishURL.query() == "code=c0de&state=s3cret")
        login.cancel()
    }
}
