/// The reason why an authorization response is unusable.
package enum OAuth2CallbackError: Error, Sendable, Hashable {
    /// The parameters cannot be decoded, or exceed the limits.
    case malformed
    /// A parameter occurs twice (RFC 6749, section 3.1).
    case repeatedParameter
    /// A required parameter is missing or empty: `state`, or the `iss` of a server that announces it (RFC 9207).
    case unverified(String)
    /// A parameter has an unexpected value: the response belongs to another login or another server.
    case mismatch(String)
    /// The URL contains a token, which the code flow never has.
    case tokenInCallback
    /// The response is in the fragment, which the code flow never uses.
    case answerInFragment
}

extension OAuth2CallbackError {
    /// A description that contains nothing of the response.
    var summary: String {
        switch self {
        case .malformed: "the login page's response is malformed"
        case .repeatedParameter: "the login page's response contains a parameter twice"
        case .unverified(let name): "the login page's response has no '\(name)'"
        case .mismatch(let name): "the login page's response belongs to another login or server: its '\(name)' does not match"
        case .tokenInCallback: "the login page's response contains a token, which the code flow never returns"
        case .answerInFragment: "the login page's response is in the fragment of the URL"
        }
    }
}
