#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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
