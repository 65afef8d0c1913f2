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
        case .malformed: "the answer of the login page cannot be read"
        case .repeatedParameter: "the answer of the login page has a parameter twice"
        case .unverified(let name): "the answer of the login page has no '\(name)'"
        case .mismatch(let name): "the answer of the login page belongs to something else: its '\(name)' is another"
        case .tokenInCallback: "the answer of the login page holds a token, where no code flow has one"
        case .answerInFragment: "the answer of the login page stands in the fragment"
        }
    }
}
