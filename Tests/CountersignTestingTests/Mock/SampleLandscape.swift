import Countersign
import CountersignTesting
import Foundation

/// A landscape as a generated module brings it along, written by hand: the mock is to work from the description alone.
///
/// As it is made it is SAP Mobile Services as its specs describe it; a test describes one thing otherwise.
struct SampleLandscape: Sendable {
    struct Parameters: Sendable {
        var authorizationEndpointURL: URL
        var finishEndpointURL: URL
        var challengeHeaderName = "com.sap.cloud.security.login"
        var challengeHeaderValue = "login-request"
    }

    enum Failure: String, AuthenticationError {
        case cancelled
        case rejected

        static var authenticationMethod: String { "SAML" }
        var code: String { rawValue }
    }

    var name = "SAPMobileServices"
    var launcher = "/SAMLAuthLauncher"
    var finish = "/SAMLAuthLauncher?finishEndpointParam=someUnusedValue"
    var statuses = [200]
    /// Authentication schemes of the challenge; with them, it has no field of its own.
    var schemes: [SchemeCondition<Parameters>] = []
    var match = FieldCondition<Parameters>.Match.equals(Template("{challengeHeaderValue}") { $0.challengeHeaderValue })
    var mock = MockDescription(sessionCookie: "X-SMP-SESSID")

    /// What a generated module has as a constant.
    var landscape: Landscape {
        Landscape(name: name, summary: "A sample.", loggingPrefix: "Sample") { base in
            [method.description(for: parameters(at: base))]
        }
    }

    /// What a generated observer is made of.
    func observer(at base: URL) -> any SessionObserver {
        MethodObserver(name: "SampleObserver", authenticator: MethodAuthenticator(method: method, parameters: parameters(at: base)))
    }

    private var method: Countersign.Method<Parameters, Failure> {
        Countersign.Method(
            name: "SAML", summary: "SAML 2.0 web single sign-on.",
            challenges: [
                ChallengeSignature(
                    name: "login-request", statuses: statuses,
                    fields: schemes.isEmpty
                        ? [FieldCondition(Template("{challengeHeaderName}") { $0.challengeHeaderName }, match)] : [],
                    schemes: schemes)
            ],
            credential: .sessionCookies,
            authenticate: [
                .present(
                    PresentStep(
                        url: Template("{authorizationEndpointURL}") { $0.authorizationEndpointURL },
                        finish: Template("{finishEndpointURL}") { $0.finishEndpointURL }, match: .pathAndQueryNames,
                        failure: { _ in .cancelled }))
            ],
            afterResend: [.fail(.rejected)], errors: [], mock: mock, busy: nil, invalidArgument: nil)
    }

    private func parameters(at base: URL) -> Parameters {
        Parameters(authorizationEndpointURL: address(launcher, at: base), finishEndpointURL: address(finish, at: base))
    }

    private func address(_ path: String, at base: URL) -> URL {
        URL(string: path, relativeTo: base)?.absoluteURL ?? base
    }
}
