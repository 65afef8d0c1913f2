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

typealias LoginMethod = Method<LoginParameters, LoginError>

extension Method where Parameters == LoginParameters, Failure == LoginError {
    /// The method; without its own errors where a test wants the runtime's.
    static func login(
        name: String = "Login", afterResend: [Step<LoginParameters, LoginError>] = [.fail(.rejected)], mapsFailures: Bool = true
    ) -> LoginMethod {
        let signature = ChallengeSignature<LoginParameters>(
            name: "login-request", statuses: [200],
            fields: [FieldCondition(Template("{field}") { $0.field }, .equals(Template("{value}") { $0.value }))])
        let page = PresentStep<LoginParameters, LoginError>(
            url: Template("{login}") { $0.login }, finish: Template("{finish}") { $0.finish }, match: .path,
            failure: { failure in mapsFailures ? LoginError(failure) : nil })
        let busy: LoginError? = mapsFailures ? .busy : nil
        var invalidArgument: (@Sendable (String) -> LoginError)?
        if mapsFailures { invalidArgument = { detail in LoginError.invalidArgument(detail) } }
        return LoginMethod(
            name: name, summary: "A web login.", challenges: [signature], credential: .sessionCookies,
            authenticate: [.present(page)],
            afterResend: afterResend, errors: [], mock: MockDescription(), busy: busy, invalidArgument: invalidArgument)
    }
}

extension LoginError {
    fileprivate init(_ failure: PresentationFailure) {
        switch failure {
        case .dismissed: self = .cancelled
        case .load(let error), .refused(let error): self = .page(error)
        case .reloaded: self = .reloaded
        case .background: self = .background
        }
    }
}
