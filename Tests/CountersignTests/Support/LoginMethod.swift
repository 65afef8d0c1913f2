import Foundation
import HTTPTypes

@testable import Countersign

/// A web login as a spec would describe it.
struct LoginParameters: Sendable {
    var login: URL
    var finish: URL
    var field = "x-login"
    var value = "login-request"
}

/// What the login can end in.
enum LoginError: AuthenticationError {
    case page(any Error)
    case cancelled
    case busy
    case rejected
    case reloaded
    case background
    case invalidArgument(String)

    static var authenticationMethod: String { "Login" }
    var code: String {
        switch self {
        case .page: "page"
        case .cancelled: "cancelled"
        case .busy: "busy"
        case .rejected: "rejected"
        case .reloaded: "reloaded"
        case .background: "background"
        case .invalidArgument: "invalidArgument"
        }
    }
    var errorDescription: String? { "The login failed." }
    var failureReason: String? { code }
}

typealias LoginAuthenticator = MethodAuthenticator<LoginParameters, LoginError>
typealias LoginObserver = MethodObserver<LoginParameters, LoginError>

extension Method where Parameters == LoginParameters, Failure == LoginError {
    /// The method; without its own errors where a test wants the runtime's.
    static func login(
        name: String = "Login", afterResend: [Step<LoginParameters, LoginError>] = [.fail(.rejected)], mapsFailures: Bool = true,
        statuses: [Int] = [200]
    ) -> Method {
        Method(
            name: name, summary: "A web login.",
            challenges: [
                ChallengeSignature(
                    name: "login-request", statuses: statuses,
                    fields: [FieldCondition(Template("{field}") { $0.field }, .equals(Template("{value}") { $0.value }))])
            ],
            credential: .sessionCookies,
            authenticate: [
                .present(
                    PresentStep(
                        url: Template("{login}") { $0.login }, finish: Template("{finish}") { $0.finish }, match: .path,
                        failure: { failure in
                            guard mapsFailures else { return nil }
                            return switch failure {
                            case .dismissed: .cancelled
                            case .load(let error): .page(error)
                            case .reloaded: .reloaded
                            case .background: .background
                            }
                        }))
            ],
            afterResend: afterResend, errors: [], mock: MockDescription(), busy: mapsFailures ? .busy : nil,
            invalidArgument: mapsFailures ? { .invalidArgument($0) } : nil)
    }
}
