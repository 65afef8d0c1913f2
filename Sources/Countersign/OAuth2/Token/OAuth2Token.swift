#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
package import HTTPTypes

/// An access token with the metadata of the token response (RFC 6749, section 5.1).
///
/// Descriptions, reflection and dumps of this type never show the tokens. Encoding includes them, since a store needs them; the
/// caller is responsible for the encoded data.
///
/// ```swift
/// let token = OAuth2Token(accessToken: "2YotnFZFEjr1zCsicMWpAA", tokenType: "Bearer", scopes: ["orders.read"])
/// print(token)  // OAuth2Token(accessToken: <redacted>, tokenType: Bearer, 1 scope, no expiry, no refresh token)
/// ```
public struct OAuth2Token: Sendable, Hashable {
    /// The access token.
    public let accessToken: String
    /// The token type, as the server sent it: `Bearer`, in any case.
    public let tokenType: String
    /// The granted scopes; the requested ones if the server sent none.
    public let scopes: Set<String>
    /// The expiry date by this machine's clock; `nil` if the server sent no lifetime. Then only a challenge shows that the token
    /// has expired.
    public let expiryDate: Date?
    /// The refresh token, if the server issued one.
    public let refreshToken: String?

    /// Creates a token.
    public init(
        accessToken: String, tokenType: String, expiryDate: Date? = nil, scopes: Set<String> = [], refreshToken: String? = nil
    ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expiryDate = expiryDate
        self.scopes = scopes
        self.refreshToken = refreshToken
    }
}

extension OAuth2Token {
    /// Whether the token is a bearer token (RFC 6750).
    package var isBearer: Bool { tokenType.lowercased() == "bearer" }

    /// The `Authorization` field with the token (RFC 6750, section 2.1); `nil` if the token has another type or cannot be a field
    /// value.
    ///
    /// The latter can occur with tokens of an application or a store: a line break would end the field.
    package var authorizationField: HTTPField? {
        guard isBearer, Self.isSendable(accessToken) else { return nil }
        var field = HTTPField(name: .authorization, value: "Bearer \(accessToken)")
        field.indexingStrategy = .disallow
        return field
    }

    /// Returns whether a text can follow the scheme of an `Authorization` field: one or more visible ASCII characters.
    ///
    /// That is wider than the `b64token` of RFC 6750, since servers send other characters, and narrower than an access token of RFC
    /// 6749, which may contain a space.
    package static func isSendable(_ accessToken: String) -> Bool {
        !accessToken.isEmpty && accessToken.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension OAuth2Token: Codable {
    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case scopes
        case expiryDate = "expiry_date"
        case refreshToken = "refresh_token"
    }

    /// Decodes a token from the keys that ``encode(to:)`` writes.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            accessToken: try container.decode(String.self, forKey: .accessToken),
            tokenType: try container.decode(String.self, forKey: .tokenType),
            expiryDate: try container.decodeIfPresent(Double.self, forKey: .expiryDate)
                .map { Date(timeIntervalSinceReferenceDate: $0) },
            scopes: Set(try container.decodeIfPresent([String].self, forKey: .scopes) ?? []),
            refreshToken: try container.decodeIfPresent(String.self, forKey: .refreshToken))
    }

    /// Encodes the token with these keys:
    ///
    /// | key | value |
    /// |---|---|
    /// | `access_token`, `token_type` | texts |
    /// | `scopes` | a list of texts, sorted; absent counts as empty |
    /// | `expiry_date` | seconds since 2001-01-01 00:00 UTC; absent if not known |
    /// | `refresh_token` | a text; absent if there is none |
    ///
    /// Unknown keys are ignored when decoding. The expiry date is a number independent of the coder's date strategy, and equals the
    /// number in `Date`, so a decoded token equals the encoded one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(accessToken, forKey: .accessToken)
        try container.encode(tokenType, forKey: .tokenType)
        try container.encode(scopes.sorted(), forKey: .scopes)
        try container.encodeIfPresent(expiryDate?.timeIntervalSinceReferenceDate, forKey: .expiryDate)
        try container.encodeIfPresent(refreshToken, forKey: .refreshToken)
    }
}

extension OAuth2Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The token type if it is `Bearer`, the number of scopes, and the expiry date.
    public var description: String {
        let parts = shown.map { part in part.label.map { "\($0): \(part.value)" } ?? part.value }
        return "OAuth2Token(\(parts.joined(separator: ", ")))"
    }

    public var debugDescription: String { description }

    // `dump(_:)` and loggers that use reflection read the mirror.
    public var customMirror: Mirror {
        Mirror(self, children: shown.map { (label: $0.label, value: $0.value as Any) }, displayStyle: .struct)
    }

    private var shown: [(label: String?, value: String)] {
        [
            ("accessToken", redacted),
            // Any other text of the server could be a misplaced token.
            ("tokenType", isBearer ? "Bearer" : "not Bearer"),
            (nil, scopes.count == 1 ? "1 scope" : "\(scopes.count) scopes"),
            expiryDate.map { ("expiryDate", "\($0)") } ?? (nil, "no expiry"),
            refreshToken.map { _ in ("refreshToken", redacted) } ?? (nil, "no refresh token"),
        ]
    }
}
