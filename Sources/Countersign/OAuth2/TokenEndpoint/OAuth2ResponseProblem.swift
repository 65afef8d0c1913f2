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
        case .tooLarge: "The answer is larger than any token response."
        case .tooComplex: "The answer nests deeper, or has more members, than any token response."
        case .notJSON: "The answer is not a JSON object."
        case .truncated: "The answer ends in the middle."
        case .repeatedMember: "A member of the answer is there twice."
        case .missingMember(let name): "The answer has no '\(name)'."
        case .unusableMember(let name): "The '\(name)' of the answer cannot be used."
        case .unsupportedTokenType: "The token is of a type that is not sent as RFC 6750 says."
        }
    }
}
