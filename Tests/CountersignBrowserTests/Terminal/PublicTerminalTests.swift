import Countersign
import CountersignBrowser
import Foundation
import Synchronization
import TestTurns
import Testing

/// The API that an application can use, without `@testable`.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `Terminal of an application` {
    @Test func `a terminal is made of two functions`() async throws {
        let screen = Mutex("")
        let asked = AsyncStream.makeStream(of: Void.self)
        let terminal = Terminal(columns: 40, environment: ["LANG": "C.UTF-8"]) { text in
            screen.withLock { $0 += text }
        } readLine: {
            asked.continuation.yield()
            let text = screen.withLock { $0 }
            return text.contains("another login") ? "com.example.app:/done?state=s" : "com.example.app:/done?state=other"
        }
        let presenter = TerminalPresenter(terminal: terminal, timeout: .seconds(600))
        let redirect = WebRedirect(to: try #require(URL(string: "com.example.app:/done")), state: "s") { _ in
            URL(string: "https://login.example/")!
        }
        let result = try await presenter.present(
            try await WebPresentation(authenticationMethod: "Test", redirect: redirect, jar: CookieJar(), transport: NoTransport()))
        #expect(result.finishURL.query() == "state=s")
    }

    @Test func `errors are for users to read`() {
        #expect(TerminalError.timedOut(.seconds(5)).errorDescription?.contains("start the login again") == true)
        #expect(AutomaticPresenterError.noChromium.errorDescription?.contains("install it") == true)
        #expect(PresenterChoice(rawValue: "system-browser") == .systemBrowser)
    }

    @Test func `a presenter gets the terminal to use, and names it`() async throws {
        let selections = Mutex<[PresenterSelection]>([])
        let presenter = AutomaticPresenter(.terminal, port: nil, timeout: .seconds(1)) { selection in
            selections.withLock { $0.append(selection) }
        }
        let presentation = WebPresentation(
            authenticationMethod: "Test", url: try #require(URL(string: "https://login.example/")),
            finish: FinishRule(try #require(URL(string: "https://login.example/done")), match: .path), jar: CookieJar(),
            transport: NoTransport())
        await #expect(throws: PresentationFailure.self) { try await presenter.present(presentation) }
        let selection = try #require(selections.withLock { $0.first })
        #expect(selection.choice == .terminal && selection.reason == "it was requested")
        #expect("\(selection)" == "Logging in with the terminal, because it was requested.")
    }
}
