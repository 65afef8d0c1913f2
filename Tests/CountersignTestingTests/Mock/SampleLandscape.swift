@_spi(Generated) import Countersign
import CountersignTesting
import Foundation

/// A landscape like that of a generated module, but handwritten: the mock must work from the description alone.
///
/// By default its description and the rules of its servers agree. A test changes one part of the description.
struct SampleLandscape: Sendable {
    enum Failure: String, AuthenticationError {
        case cancelled
        case rejected

        static var authenticationMethod: String { "SAML" }
        var code: String { rawValue }
    }

    /// The rules of its servers.
    var rules = ServerRules.sample
    var launcher = "/SAMLAuthLauncher"
    var finish = "/SAMLAuthLauncher?finishEndpointParam=someUnusedValue"
    var statuses = [200]
    /// The authentication schemes of the challenge. With schemes it has no field of its own.
    var schemes: [ChallengePattern.Scheme] = []
    var match = ChallengePattern.Match.equals("login-request")
    var mock = MockDescription(sessionCookie: "X-SMP-SESSID")

    /// The constant of a generated module.
    var landscape: Landscape {
        Landscape(name: "Sample", summary: "A sample.", loggingPrefix: "Sample") { base in
            [program.description(mock: mock, parameters: values(at: base))]
        }
    }

    /// Makes the observer that a generated module would have.
    func observer(at base: URL) -> any SessionObserver {
        let authenticator = ProgramAuthenticator(program, values: values(at: base)) { number, _, _ in
            number == 0 ? Failure.cancelled : .rejected
        }
        return AuthenticatorObserver(name: "SampleObserver", authenticator: authenticator)
    }

    private var program: MethodProgram {
        let page = LoginPage(
            ProgramTemplate(.slot(0)), endsAt: ProgramTemplate(.slot(1)), match: .pathAndQueryNames,
            failures: Dictionary(uniqueKeysWithValues: LoginPage.Failure.allCases.map { ($0, 0) }))
        return MethodProgram(
            name: "SAML", summary: "SAML 2.0 web single sign-on.",
            slots: [.parameter("launcher"), .parameter("finish")],
            challenges: [
                ChallengePattern(
                    "login-request", statuses: statuses,
                    headers: schemes.isEmpty ? [ChallengePattern.Named("com.sap.cloud.security.login", match)] : [],
                    schemes: schemes)
            ],
            credential: CredentialShape(space: .servers, destinations: [], isSessionCookies: true), acquire: [.present(page)],
            rejections: [RejectionRule(.acquire, error: 1)],
            errors: [
                ErrorTable(
                    "SAML",
                    [Failure.cancelled, .rejected].map { ErrorDescription(type: "Failure", code: $0.code, summary: $0.rawValue) })
            ], failures: [.cancelled: 0])
    }

    private func values(at base: URL) -> [ProgramValue] { [launcher, finish].map { .url(address($0, at: base)) } }

    private func address(_ path: String, at base: URL) -> URL {
        URL(string: path, relativeTo: base)?.absoluteURL ?? base
    }
}

extension ServerRules {
    /// The rules of the sample landscape's servers, including passcodes.
    static let sample = ServerRules(
        launcherPath: "/SAMLAuthLauncher", finish: "/SAMLAuthLauncher?finishEndpointParam=someUnusedValue",
        logoutPaths: ["/mobileservices/sessions/logout", "/mobileservices/sessions/v2/logout"],
        revokingLogoutPaths: ["/mobileservices/sessions/v2/logout"],
        passcodeForm: PasscodeForm(
            path: "/mobileservices/OTPForm", finish: "/mobileservices/OTPForm?finished=true",
            stay: ["redirecttooriginalurl": "false"]),
        challenges: [
            "OTP": Challenge(status: 200, fields: ["x-smp-authentication": "otp-challenge"]),
            "SAML": Challenge(status: 200, fields: ["com.sap.cloud.security.login": "login-request"]),
        ])
}
