/// The reason why a token response with status 200 is unusable.
package enum OAuth2ResponseProblem: Error, Sendable, Hashable {
    /// The body exceeds ``OAuth2TokenResponseReader/maximumBodySize``.
    case tooLarge
    /// The body is nested too deeply or has too many members.
    case tooComplex
    /// The body is not a JSON object, for example a gateway's page.
    case notJSON
    /// The body is empty or an incomplete JSON object.
    case truncated
    /// A relevant member occurs twice.
    case repeatedMember
    /// A required member is missing or empty. The associated value is its name in RFC 6749.
    case missingMember(String)
    /// A member has an unusable value, such as an access token with a line break. The associated value is its name in RFC 6749.
    case unusableMember(String)
    /// The token type is not `Bearer`. A client must not use such a token (RFC 6749, section 7.1).
    case unsupportedTokenType
}

extension OAuth2ResponseProblem {
    /// A sentence for the user, without text of the server.
    package var summary: String {
        switch self {
        case .tooLarge: "The response is too large for a token response."
        case .tooComplex: "The response is nested too deeply, or has too many members, for a token response."
        case .notJSON: "The response is not a JSON object."
        case .truncated: "The response is incomplete."
        case .repeatedMember: "The response contains a member twice."
        case .missingMember(let name): "The response has no '\(name)'."
        case .unusableMember(let name): "The '\(name)' of the response is invalid."
        case .unsupportedTokenType: "The token type is not supported; only bearer tokens (RFC 6750) are."
        }
    }
}
