/// Why a token endpoint's answer of status 200 cannot be used.
package enum OAuth2ResponseProblem: Error, Sendable, Hashable {
    /// More bytes than ``OAuth2TokenResponseReader/maximumBodySize``.
    case tooLarge
    /// Nested deeper, or with more members, than any token response.
    case tooComplex
    /// Not a JSON object: the page of a gateway, most likely.
    case notJSON
    /// The beginning of a JSON object, or nothing at all.
    case truncated
    /// A member that matters is there twice, and which one counts is ambiguous.
    case repeatedMember
    /// A member is missing, or is empty: its name in RFC 6749.
    case missingMember(String)
    /// A member has a value that cannot be used, such as an access token with a line break: its name in RFC 6749.
    case unusableMember(String)
    /// A token that is not sent as RFC 6750 says (RFC 6749, section 7.1: such a token must not be used).
    case unsupportedTokenType
}

extension OAuth2ResponseProblem {
    /// A sentence for the user, without anything that the server wrote.
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
