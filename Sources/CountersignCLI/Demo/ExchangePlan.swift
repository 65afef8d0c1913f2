/// The fewest requests that a sign-in takes by its protocol, from the one that is challenged to the one that is answered, and what this client
/// sends beside them. What a browser sends for a page is the page's affair.
struct ExchangePlan: Sendable {
    /// The requests that the protocol needs.
    let needed: [String]
    /// Those that it could do without, and why they are sent.
    var more: [(request: String, reason: String)] = []

    /// How many there are.
    var count: Int { needed.count + more.count }

    /// All of them, in one line.
    var text: String {
        ([needed.joined(separator: ", ")] + more.map { "and \($0.request), since \($0.reason)" }).joined(separator: ", ")
    }

    /// The plan of a row of the demo; `nil` for any other.
    static func of(row: String) -> ExchangePlan? { plans[row] }

    private static let plans: [String: ExchangePlan] = [
        "SAML": plan(), "SAML, logout": plan(), "SAML + OTP": plan(), "OAuth2 + OTP": plan(),
        "OAuth2 code": plan("token"), "OAuth2 refresh": plan("token"), "OAuth2 QR code": plan("token"),
        "OAuth2 client": plan("token"),
        "Basic": plan(), "API key": plan(), "Certificate": plan(),
        "Certificate CDS": plan("attributes, challenged", "token", "attributes", "certificate"),
        "Certificate SLS": plan("login", "password", "passcode", "certificate"),
        // Two challenges, one behind the other.
        "Transmission": ExchangePlan(needed: ["challenged: password", "challenged: session", "answered"]),
        "SAML ECP": plan("identity provider", "its response"),
        "Registry token": plan("token"), "Keystone": plan("password", "passcode"),
        // Requests are signed from the first on.
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
        // Requests have a token from the first on.
        "GitHub": ExchangePlan(needed: ["token", "answered"]),
        "GitLab": ExchangePlan(needed: ["metadata", "token", "answered"]).and(keys),
    ]

    /// OpenID Connect Core, section 3.1.3.7, lets a client take the server's certificate for the signature of a token that it got itself.
    private static let keys = (request: "keys", reason: "the ID token's signature is verified")

    private static func plan(_ between: String...) -> ExchangePlan {
        ExchangePlan(needed: ["challenged"] + between + ["answered"])
    }

    private func and(_ request: (request: String, reason: String)) -> ExchangePlan {
        ExchangePlan(needed: needed, more: more + [request])
    }
}
