// The declarations of AppAuth for iOS that the guide "Coming from AppAuth" uses, so that its earlier code is type-checked where
// the library cannot be built. Written from the library's public documentation (version 2.0), and without effect when called.

import Foundation

/// Stands for UIKit's class of that name.
class UIViewController {}

/// The endpoints of a provider.
class OIDServiceConfiguration: NSObject {
    init(authorizationEndpoint: URL, tokenEndpoint: URL) {}
}

/// The response type of the authorization code flow.
let OIDResponseTypeCode = "code"
/// The scope of OpenID Connect.
let OIDScopeOpenID = "openid"

/// A request for a login.
class OIDAuthorizationRequest: NSObject {
    init(
        configuration: OIDServiceConfiguration, clientId: String, scopes: [String]?, redirectURL: URL, responseType: String,
        additionalParameters: [String: String]?
    ) {}
}

/// A login page that is shown.
protocol OIDExternalUserAgentSession {
    @discardableResult
    func resumeExternalUserAgentFlow(with URL: URL) -> Bool
    func cancel()
}

private struct NoAgent: OIDExternalUserAgentSession {
    func resumeExternalUserAgentFlow(with URL: URL) -> Bool { false }
    func cancel() {}
}

/// Requests to a provider.
class OIDAuthorizationService: NSObject {
    class func discoverConfiguration(
        forIssuer issuerURL: URL, completion: @escaping (OIDServiceConfiguration?, (any Error)?) -> Void
    ) {}
}

/// Receives each change of a state, to store it.
protocol OIDAuthStateChangeDelegate: AnyObject {
    func didChange(_ state: OIDAuthState)
}

/// The tokens of a login.
class OIDAuthState: NSObject, NSSecureCoding {
    class var supportsSecureCoding: Bool { true }
    weak var stateChangeDelegate: (any OIDAuthStateChangeDelegate)?
    var isAuthorized: Bool { false }

    override init() {}
    required init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}

    class func authState(
        byPresenting authorizationRequest: OIDAuthorizationRequest, presenting presentingViewController: UIViewController,
        callback: @escaping (OIDAuthState?, (any Error)?) -> Void
    ) -> any OIDExternalUserAgentSession { NoAgent() }

    var refreshToken: String? { nil }
    var scope: String? { nil }
    var lastTokenResponse: OIDTokenResponse? { nil }

    func performAction(freshTokens action: @escaping (String?, String?, (any Error)?) -> Void) {}
    func setNeedsTokenRefresh() {}
}

/// A response of the token endpoint.
class OIDTokenResponse: NSObject {
    var accessToken: String? { nil }
    var accessTokenExpirationDate: Date? { nil }
    var idToken: String? { nil }
}

/// The claims of an ID token.
class OIDIDToken: NSObject {
    let subject = ""

    init?(idTokenString: String) {}
}
