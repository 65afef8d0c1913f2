import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import Synchronization
import TestTurns
import Testing

/// A login in an external browser, after which the system opens the application with a URL.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct DispatchedPresenterTests {
    /// Fills in forms in a browser of its own, and passes the final URL to the dispatcher, as the system does.
    private struct Browser: Sendable {
        let transport: any HTTPTransport
        let change: @Sendable (String) -> String
        let taken: @Sendable (Bool) -> Void

        func open(_ page: URL) async throws {
            let end = try #require(URL(string: "com.example.countersign://oauth2/callback"))
            let presentation = WebPresentation(
                authenticationMethod: "Browser", url: page, finish: FinishRule(end, match: .path), jar: CookieJar(),
                transport: transport)
            let result = try await FormFillingPresenter(user: "alice", password: "wonderland").present(presentation)
            let forged = try #require(URL(string: change(result.finishURL.absoluteString)))
            taken(AppDelegateDispatcher.application(open: forged))
            if forged != result.finishURL { taken(AppDelegateDispatcher.application(open: result.finishURL)) }
        }
    }

    private func run(change: @escaping @Sendable (String) -> String, expecting expected: [Bool]) async throws {
        try await OAuth2Bench.run(presenter: nil) { bench in
            let taken = Taken()
            let browser = Browser(transport: bench.session.session.transport, change: change) { taken.note($0) }
            let observer = OAuth2Observer(
                authenticationParameters: try bench.parameters, tokenStore: bench.store,
                webViewPresenter: DispatchedPresenter { try await browser.open($0) })
            bench.session.register(observer)
            #expect(try await bench.user() == "alice")
            #expect(taken.all == expected)
        }
    }

    private final class Taken: Sendable {
        private let answers = Mutex<[Bool]>([])
        var all: [Bool] { answers.withLock { $0 } }
        func note(_ answer: Bool) { answers.withLock { $0.append(answer) } }
    }

    @Test func `S4 the redirect comes in through the dispatcher`() async throws {
        try await run(change: { $0 }, expecting: [true])
    }

    @Test func `an answer with another state is not taken, and the login goes on waiting`() async throws {
        try await run(change: { $0.replacing(/state=[^&]*/, with: "state=stranger") }, expecting: [false, true])
    }

    @Test func `a login that ends elsewhere cannot be shown outside`() async throws {
        try await OTPBench.run { bench in
            let authenticator = SAMLAuthenticator(
                settingsParameters: bench.settings, webViewPresenter: DispatchedPresenter { _ in Issue.record("opened") })
            let error = await #expect(throws: SAMLError.self) { try await authenticator.authenticate(session: bench.session) }
            guard case .webView(let cause as DispatchedPresenterError)? = error else {
                Issue.record("expected webView")
                return
            }
            #expect(cause == .noAddressOfTheApplication)
        }
    }
}
