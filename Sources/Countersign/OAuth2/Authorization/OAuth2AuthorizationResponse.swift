internal import Crypto
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// An authorization response, parsed from the URL that the browser was redirected to (RFC 6749, section 4.1.2).
///
/// No parameter is trusted, not even `error`, before values such as `state` have been verified.
package struct OAuth2AuthorizationResponse: Sendable {
    /// The maximum length of a callback URL in bytes.
    package static let maximumLength = 1 << 16

    private let query: FormParameters
    private let fragment: FormParameters

    /// Parses the parameters of a URL.
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

    /// Verifies that a parameter equals the expected value, such as the `state` of the login or the issuer.
    ///
    /// The comparison takes constant time.
    package func require(_ name: String, toBe expected: String) throws(OAuth2CallbackError) {
        guard let stated = query[nonempty: name] else { throw .unverified(name) }
        // Comparing digests takes constant time for texts of any length. It also compares byte by byte, unlike `==` of strings.
        guard SHA256.hash(data: Array(stated.utf8)) == SHA256.hash(data: Array(expected.utf8)) else { throw .mismatch(name) }
    }

    /// Whether the response has a nonempty parameter of this name.
    func has(_ name: String) -> Bool { query[nonempty: name] != nil }

    /// Returns all parameters, after the response is known to belong to the login.
    ///
    /// - Parameter names: The names of the parameters that will be read.
    func parameters(expecting names: [String]) throws(OAuth2CallbackError) -> FormParameters {
        for name in Self.tokenNames where query[name] != nil || fragment[name] != nil { throw .tokenInCallback }
        // Some servers add a fragment without meaning, such as `#_=_`.
        for name in Self.answerNames + names where fragment[name] != nil { throw .answerInFragment }
        return query
    }

    /// A parameter beside a code, such as `expires_in` for the lifetime of the code, is no token. Clients ignore parameters that they
    /// do not know (RFC 6749, section 4.1.2).
    private static let tokenNames = ["access_token", "id_token", "refresh_token"]
    private static let answerNames = ["code", "state", "error", "iss"]
}

extension OAuth2AuthorizationResponse: RedactedDescription {
    package var visibleParts: KeyValuePairs<String, String> { ["parameters": "\(query.all.count)"] }
}
