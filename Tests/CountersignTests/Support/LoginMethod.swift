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

/// The errors of the login.
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

typealias LoginAuthenticator = ProgramAuthenticator
typealias LoginObserver = AuthenticatorObserver

/// The method, without its own errors if a test expects those of the runtime.
struct LoginMethod: Sendable {
    var program: MethodProgram
    var mapsFailures: Bool

    static func login(
        name: String = "Login", challenges: [ChallengePattern]? = nil, rejection: Int? = 3, mapsFailures: Bool = true,
        hasAlternative: Bool = false, explanations: [Int: String] = [:]
    ) -> LoginMethod {
        let challenge = ChallengePattern(
            "login-request", statuses: [200],
            headers: [ChallengePattern.Named(ProgramTemplate(.slot(2)), .equals(ProgramTemplate(.slot(3))))])
        let page = LoginPage(
            ProgramTemplate(.slot(0)), instead: hasAlternative ? [LoginPage.Alternative(ProgramTemplate(.slot(0)))] : [],
            endsAt: ProgramTemplate(.slot(1)), match: .path, explanations: explanations,
            failures: mapsFailures ? [.load: 0, .dismissed: 1, .reloaded: 4, .background: 5] : [:])
        let codes = ["page", "cancelled", "busy", "rejected", "reloaded", "background", "invalidArgument"]
        let program = MethodProgram(
            name: name, summary: "A web login.", slots: ["login", "finish", "field", "value"].map { .parameter($0) },
            challenges: challenges ?? [challenge],
            credential: CredentialShape(space: .servers, destinations: [], isSessionCookies: true), acquire: [.present(page)],
            rejections: [RejectionRule(.acquire, error: rejection)],
            errors: [ErrorTable("Login", codes.map { ErrorDescription(type: "LoginError", code: $0, summary: $0) })],
            failures: mapsFailures ? [.cancelled: 1, .busy: 2, .invalidArgument: 6] : [:])
        return LoginMethod(program: program, mapsFailures: mapsFailures)
    }
}

extension ProgramAuthenticator {
    /// Makes an authenticator of the method.
    convenience init(method: LoginMethod, parameters: LoginParameters, presenter: (any WebPresenter)? = nil) {
        self.init(
            method.program,
            values: [.url(parameters.login), .url(parameters.finish), .text(parameters.field), .text(parameters.value)],
            presenter: presenter
        ) { number, detail, cause in
            let errors: [LoginError] = [
                .page(cause), .cancelled, .busy, .rejected, .reloaded, .background, .invalidArgument(detail),
            ]
            return errors[number]
        }
    }
}
