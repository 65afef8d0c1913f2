import Countersign
import Foundation
import HTTPTypes
import Synchronization

/// A method whose challenge is status code 401 and whose credential is the cookie `session`.
enum Login {
    struct Parameters: ProgramParameters {
        let url: URL

        static let program = MethodProgram(
            name: "Login", summary: "A login for tests.", slots: [.parameter("url")],
            challenges: [ChallengePattern("unauthorized", statuses: [401])],
            credential: CredentialShape(space: .servers, destinations: [], isSessionCookies: true),
            acquire: [
                .present(
                    LoginPage(
                        ProgramTemplate(.slot(0)), endsAt: ProgramTemplate(.slot(0)), match: .path,
                        failures: Dictionary(uniqueKeysWithValues: LoginPage.Failure.allCases.map { ($0, 0) })))
            ],
            rejections: [RejectionRule(.acquire)],
            errors: [ErrorTable("Login", [ErrorDescription(type: "Failure", code: "cancelled", summary: "Cancelled.")])],
            failures: [.cancelled: 0])

        var slotValues: [ProgramValue] { [.url(url)] }
        static func error(_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)? { Failure.cancelled }
    }

    enum Failure: AuthenticationError {
        case cancelled

        static var authenticationMethod: String { "Login" }
        var code: String { "cancelled" }
    }

    static let url = URL(string: "https://server.example/login")

    static func authenticator() throws -> ProgramAuthenticator {
        guard let url else { throw URLError(.badURL) }
        return ProgramAuthenticator(Parameters(url: url))
    }

    /// Makes a server that answers 401 to every request without the cookie.
    static func server() -> ScriptedTransport {
        ScriptedTransport { _, request in
            let isLoggedIn = request.head.headerFields[.cookie]?.contains("session=") == true
            return (HTTPResponse(status: isLoggedIn ? .ok : .unauthorized), ResponseBody(bytes: Array("answer".utf8)))
        }
    }
}

/// A presenter that returns the cookie without showing a page.
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
