import Countersign
import CountersignTesting
import Foundation

/// A landscape as a generated module brings it along, written by hand: the mock is to work from the description alone.
enum SampleLandscape {
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

    static func method(
        name: String = "SAML", statuses: [Int] = [200], match: FieldCondition<Parameters>.Match? = nil, mock: MockDescription
    ) -> Countersign.Method<Parameters, Failure> {
        let value = Template<Parameters, String>("{challengeHeaderValue}") { $0.challengeHeaderValue }
        return Countersign.Method(
            name: name, summary: "SAML 2.0 web single sign-on.",
            challenges: [
                ChallengeSignature(
                    name: "login-request", statuses: statuses,
                    fields: [
                        FieldCondition(Template("{challengeHeaderName}") { $0.challengeHeaderName }, match ?? .equals(value))
                    ])
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

    /// SAP Mobile Services as its specs describe it, or with one thing described otherwise.
    static func sap(
        name: String = "SAPMobileServices", launcher: String = "/SAMLAuthLauncher",
        finish: String = "/SAMLAuthLauncher?finishEndpointParam=someUnusedValue", statuses: [Int] = [200],
        match: FieldCondition<Parameters>.Match? = nil,
        mock: MockDescription = MockDescription(sessionCookie: "X-SMP-SESSID")
    ) -> Landscape {
        Landscape(name: name, summary: "A sample.", loggingPrefix: "Sample") { base in
            [
                method(statuses: statuses, match: match, mock: mock).description(
                    for: Parameters(
                        authorizationEndpointURL: address(launcher, at: base), finishEndpointURL: address(finish, at: base)))
            ]
        }
    }

    static func address(_ path: String, at base: URL) -> URL {
        URL(string: path, relativeTo: base)?.absoluteURL ?? base
    }
}
