import Countersign
import Foundation
import HTTPTypes
import Synchronization

/// A method whose challenge is status 401 and whose credential is the cookie `session`.
enum Login {
    struct Parameters: Sendable {
        let url: URL
    }

    enum Failure: AuthenticationError {
        case cancelled

        static var authenticationMethod: String { "Login" }
        var code: String { "cancelled" }
    }

    static let method = Method<Parameters, Failure>(
        name: "Login", summary: "A login for tests.",
        challenges: [ChallengeSignature(name: "unauthorized", statuses: [401], fields: [])],
        credential: .sessionCookies,
        authenticate: [
            .present(
                PresentStep(
                    url: Template("{url}") { $0.url }, finish: Template("{url}") { $0.url }, match: .path,
                    failure: { _ in .cancelled }))
        ],
        afterResend: [], errors: [], mock: MockDescription(), busy: nil, invalidArgument: nil)

    static let url = URL(string: "https://server.example/login")

    static func authenticator() throws -> MethodAuthenticator<Parameters, Failure> {
        guard let url else { throw URLError(.badURL) }
        return MethodAuthenticator(method: method, parameters: Parameters(url: url))
    }

    /// Answers 401 to every request without the cookie.
    static func server() -> ScriptedTransport {
        ScriptedTransport { _, request in
            let isLoggedIn = request.head.headerFields[.cookie]?.contains("session=") == true
            return (HTTPResponse(status: isLoggedIn ? .ok : .unauthorized), ResponseBody(bytes: Array("answer".utf8)))
        }
    }
}

/// Brings the cookie without showing anything.
final class InstantPresenter: WebPresenter {
    private let count = Mutex(0)

    var presentations: Int { count.withLock { $0 } }

    func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        count.withLock { $0 += 1 }
        let cookie = Cookie(name: "session", value: "1", domain: "server.example", isHostOnly: true, isSecure: true)
        return WebPresentationResult(
            finishURL: presentation.url, cookies: CookieJar.Snapshot(cookies: presentation.cookies.cookies + [cookie]))
    }
}
