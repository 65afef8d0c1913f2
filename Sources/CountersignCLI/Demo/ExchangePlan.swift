/// The minimum number of requests of a sign-in in its protocol, from the challenged request to the answered one, and the requests
/// that this client sends in addition. The requests of a browser for a page are not counted.
struct ExchangePlan: Sendable {
    /// The requests that the protocol needs.
    let needed: [String]
    /// The additional requests, and the reasons for them.
    var more: [(request: String, reason: String)] = []

    /// The number of all requests.
    var count: Int { needed.count + more.count }

    /// All requests on one line.
    var text: String {
        ([needed.joined(separator: ", ")] + more.map { "and \($0.request), since \($0.reason)" }).joined(separator: ", ")
    }

    /// Returns the plan of a row of the demo; `nil` for an unknown row.
    static func of(row: String) -> ExchangePlan? { plans[row] }

    private static let plans: [String: ExchangePlan] = [
        "SAML": plan(), "SAML, logout": plan(), "SAML + OTP": plan(), "OAuth2 + OTP": plan(),
        "OAuth2 code": plan("token"), "OAuth2 refresh": plan("token"), "OAuth2 QR code": plan("token"),
        "OAuth2 client": plan("token"),
        "Basic": plan(), "API key": plan(), "Certificate": plan(),
        "Certificate CDS": plan("attributes, challenged", "token", "attributes", "certificate"),
        "Certificate SLS": plan("login", "password", "passcode", "certificate"),
        // There are two challenges, one after the other.
        "Transmission": ExchangePlan(needed: ["challenged: password", "challenged: session", "answered"]),
        "SAML ECP": plan("identity provider", "its response"),
        "Registry token": plan("token"), "Keystone": plan("password", "passcode"),
        // All requests are signed, including the first one.
        "AWS role": ExchangePlan(needed: ["temporary key", "answered"]),
        "HTTP Digest": plan(), "HTTP Negotiate": plan(), "Form login": plan("form", "its answer"), "Browser login": plan(),
        "JSON-RPC login": plan("login"),
        "OAuth, user": plan("token"), "OAuth, refresh": plan("token"), "OAuth, device": plan("codes", "token"),
        "OAuth, service": plan("token"),
        "OpenID, user": plan("metadata", "token").and(keys), "OpenID, bound": plan("metadata", "token").and(keys),
        "OpenID, refresh": plan("metadata", "token").and(keys),
        "OpenID, device": plan("metadata", "codes", "token").and(keys),
        "OpenID, service": plan("metadata", "token"), "OpenID, mTLS": plan("metadata", "token"),
        "OpenID, exchange": plan("metadata", "token"),
        "MCP": plan("metadata of the resource", "metadata of the server", "registration", "token"),
        "MCP, service": plan("metadata of the resource", "metadata of the server", "token"),
        "Keycloak": plan("metadata", "token").and(keys), "Entra ID": plan("metadata", "token").and(keys),
        "Okta": plan("metadata", "token").and(keys), "Auth0": plan("metadata", "token").and(keys),
        "Google": plan("metadata", "codes", "token").and(keys),
        // All requests carry a token, including the first one.
        "GitHub": ExchangePlan(needed: ["token", "answered"]),
        "GitLab": ExchangePlan(needed: ["metadata", "token", "answered"]).and(keys),
    ]

    /// OpenID Connect Core, section 3.1.3.7, allows a client to rely on TLS instead of the signature of a token that it received
    /// directly from the server.
    private static let keys = (request: "keys", reason: "the ID token's signature is verified")

    private static func plan(_ between: String...) -> ExchangePlan {
        ExchangePlan(needed: ["challenged"] + between + ["answered"])
    }

    private func and(_ request: (request: String, reason: String)) -> ExchangePlan {
        ExchangePlan(needed: needed, more: more + [request])
    }
}
