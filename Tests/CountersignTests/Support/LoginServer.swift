import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A server that requires a session cookie, and the login page that sets it. Each login invalidates the earlier sessions.
final class LoginServer: Sendable {
    let name: String
    let origin: String
    private let current = Mutex(0)

    init(name: String = "login", origin: String = "https://app.example") {
        self.name = name
        self.origin = origin
    }

    /// The number of the only valid session; zero before the first login.
    var session: Int { current.withLock { $0 } }

    /// Invalidates the session, as a time limit would.
    func expire() { current.withLock { $0 += 1 } }

    /// The cookie of the only valid session.
    var cookie: String { "\(name)=s\(session)" }

    /// Starts a new session, and returns its cookie.
    func logIn() -> Cookie {
        let number = current.withLock { number in
            number += 1
            return number
        }
        return Cookie(name: name, value: "s\(number)", domain: "app.example", isHostOnly: true, isSecure: true)
    }

    /// Whether a request carries the valid session.
    func knows(_ sent: ScriptedTransport.Sent) -> Bool {
        session > 0 && (sent["Cookie"] ?? "").split(separator: "; ").contains { $0 == cookie }
    }

    /// The challenge of this server.
    var challenge: Reply { Reply(200, [("x-\(name)", "login-request")], body: ResponseBody(bytes: Array("<html>".utf8))) }

    /// Answers with data for requests with a session, and with a challenge for all others.
    func answer(_ sent: ScriptedTransport.Sent) -> Reply { knows(sent) ? .text("data") : challenge }

    func parameters() throws -> LoginParameters {
        LoginParameters(
            login: try #require(URL(string: "\(origin)/login")), finish: try #require(URL(string: "\(origin)/done")),
            field: "x-\(name)")
    }

    /// Makes an observer that answers this server's challenges.
    func observer(
        _ method: LoginMethod? = nil, presenter: (any WebPresenter)? = nil
    ) throws -> LoginObserver {
        LoginObserver(
            name: "\(name)Observer",
            authenticator: LoginAuthenticator(
                method: method ?? .login(name: name), parameters: try parameters(), presenter: presenter))
    }

    /// Returns the result of a login by a user who knows the password.
    func finished(_ presentation: WebPresentation) -> WebPresentationResult {
        WebPresentationResult(
            finishURL: presentation.finish.url, cookies: CookieJar.Snapshot(cookies: presentation.cookies.cookies + [logIn()]))
    }

    /// Makes a presenter that logs in immediately, or after a gate.
    func presenter(after gate: Turnstile? = nil) -> ScriptedPresenter {
        ScriptedPresenter { presentation in
            try await gate?.pass()
            return self.finished(presentation)
        }
    }
}

extension SessionConfiguration {
    /// Makes a configuration for a test.
    static func test(
        presenter: (any WebPresenter)? = nil, events: EventRecorder? = nil,
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.presenter = presenter
        configuration.clock = ManualClock()
        if let events { configuration.eventObservers = [events] }
        change(&configuration)
        return configuration
    }
}
