#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
package import HTTPTypes

/// An access token, and what the server said of it (RFC 6749, section 5.1).
///
/// The tokens themselves are secrets: no description, reflection or dump of this type shows them. Encoding does, since a store
/// needs them: code that encodes a token is responsible for the result.
///
/// ```swift
/// let token = OAuth2Token(accessToken: "2YotnFZFEjr1zCsicMWpAA", tokenType: "Bearer", scopes: ["orders.read"])
/// print(token)  // OAuth2Token(accessToken: <redacted>, tokenType: Bearer, 1 scope, no expiry, no refresh token)
/// ```
public struct OAuth2Token: Sendable, Hashable {
    /// What a request carries.
    public let accessToken: String
    /// How a request carries it, as the server wrote it: `Bearer`, in whatever case.
    public let tokenType: String
    /// What the token is good for; what was asked for, if the server did not say otherwise.
    public let scopes: Set<String>
    /// When the token ends by this machine's clock, or `nil` if the server gave no time: then a challenge is the only sign.
    public let expiryDate: Date?
    /// What a new access token is got with, if the server gave one.
    public let refreshToken: String?

    /// Makes a token.
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
    /// Whether requests carry the token as RFC 6750 says.
    package var isBearer: Bool { tokenType.lowercased() == "bearer" }

    /// The field that carries the token (RFC 6750, section 2.1), or `nil` if it is of another type, or no field can carry it.
    ///
    /// The second matters for tokens that an application or a store hands in: a line break in one would end the field.
    package var authorizationField: HTTPField? {
        guard isBearer, Self.isSendable(accessToken) else { return nil }
        var field = HTTPField(name: .authorization, value: "Bearer \(accessToken)")
        field.indexingStrategy = .disallow
        return field
    }

    /// Whether a text can stand behind the scheme of an `Authorization` field: visible ASCII characters, and at least one.
    ///
    /// That is wider than RFC 6750's `b64token`, since servers are, and narrower than what RFC 6749 lets an access token be: a
    /// space would part it in two.
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

    /// Reads a token from the keys that ``encode(to:)`` writes.
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

    /// Encodes the token under these keys:
    ///
    /// | key | value |
    /// |---|---|
    /// | `access_token`, `token_type` | texts |
    /// | `scopes` | a list of texts, sorted; absent counts as empty |
    /// | `expiry_date` | seconds since 2001-01-01 00:00 UTC; absent if not known |
    /// | `refresh_token` | a text; absent if there is none |
    ///
    /// Other keys are ignored, so that what a later version writes can be read. The time is a number whatever the coder's strategy
    /// for dates is, and the very number that `Date` holds: a token that was stored and read again equals the one that was stored.
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
    /// What may be seen of a token: its type if it is `Bearer`, how many scopes it has, when it ends.
    public var description: String {
        let parts = shown.map { part in part.label.map { "\($0): \(part.value)" } ?? part.value }
        return "OAuth2Token(\(parts.joined(separator: ", ")))"
    }

    public var debugDescription: String { description }

    // What dump(_:) and reflecting loggers walk through.
    public var customMirror: Mirror {
        Mirror(self, children: shown.map { (label: $0.label, value: $0.value as Any) }, displayStyle: .struct)
    }

    private var shown: [(label: String?, value: String)] {
        [
            ("accessToken", redacted),
            // Any other text of the server could be the token in the wrong place.
            ("tokenType", isBearer ? "Bearer" : "not Bearer"),
            (nil, scopes.count == 1 ? "1 scope" : "\(scopes.count) scopes"),
            expiryDate.map { ("expiryDate", "\($0)") } ?? (nil, "no expiry"),
            refreshToken.map { _ in ("refreshToken", redacted) } ?? (nil, "no refresh token"),
        ]
    }
}
