internal import Crypto
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The answer of an authorization endpoint, taken from the URL that the browser was sent to (RFC 6749, section 4.1.2).
///
/// Nothing of it is believed before what has to come back, such as its `state`, is known to be the
/// login's: not even that it is an error.
package struct OAuth2AuthorizationResponse: Sendable {
    /// Longer URLs are no answers.
    package static let maximumLength = 1 << 16

    private let query: FormParameters
    private let fragment: FormParameters

    /// Takes the parameters out of a URL.
    package init(_ callback: URL) throws(OAuth2CallbackError) {
        let text = callback.absoluteString
        guard text.utf8.count <= Self.maximumLength else { throw .malformed }
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        query = try Self.parameters(parts[0].drop { $0 != "?" }.dropFirst())
        fragment = parts.count == 2 ? try Self.parameters(parts[1]) : FormParameters()
    }

    private static func parameters(_ text: Substring) throws(OAuth2CallbackError) -> FormParameters {
        do { return try FormParameters(parsing: text) } catch {
            switch error {
            case .malformed: throw .malformed
            case .repeated: throw .repeatedParameter
            }
        }
    }

    /// Checks that the answer says what it has to say, to the byte: that it belongs to this login, and comes from this server.
    ///
    /// How long it takes does not depend on how much is right.
    package func require(_ name: String, toBe expected: String) throws(OAuth2CallbackError) {
        guard let stated = query[nonempty: name] else { throw .unverified(name) }
        // Digests are compared in constant time, whatever the lengths of the texts; and byte by byte, as strings are not.
        guard SHA256.hash(data: Array(stated.utf8)) == SHA256.hash(data: Array(expected.utf8)) else { throw .mismatch(name) }
    }

    /// Whether the answer has a parameter that is not empty.
    func has(_ name: String) -> Bool { query[nonempty: name] != nil }

    /// All parameters, once the answer is known to belong to the login.
    ///
    /// - Parameter names: Those that are looked at.
    func parameters(expecting names: [String]) throws(OAuth2CallbackError) -> FormParameters {
        for name in Self.tokenNames where query[name] != nil || fragment[name] != nil { throw .tokenInCallback }
        // Some servers add a fragment without meaning, such as `#_=_`.
        for name in Self.answerNames + names where fragment[name] != nil { throw .answerInFragment }
        return query
    }

    private static let tokenNames = ["access_token", "id_token", "refresh_token", "token_type", "expires_in"]
    private static let answerNames = ["code", "state", "error", "iss"]
}

extension OAuth2AuthorizationResponse: RedactedDescription {
    package var visibleParts: KeyValuePairs<String, String> { ["parameters": "\(query.all.count)"] }
}
