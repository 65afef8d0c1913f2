/// Why the answer of an authorization endpoint brings nothing to go on with.
package enum OAuth2CallbackError: Error, Sendable, Hashable {
    /// The parameters cannot be decoded, or are more than any server sends.
    case malformed
    /// A parameter is there twice (RFC 6749, section 3.1).
    case repeatedParameter
    /// A parameter that has to come back is not there, or is empty: `state`, or the `iss` of a server that announced it (RFC 9207).
    case unverified(String)
    /// A parameter is not what it has to be: the answer is to another login, or from another server.
    case mismatch(String)
    /// A token came in the URL, where no code flow has one.
    case tokenInCallback
    /// The answer stands in the fragment, where no code flow has it.
    case answerInFragment
}

extension OAuth2CallbackError {
    /// What is wrong, without anything that the answer says.
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
