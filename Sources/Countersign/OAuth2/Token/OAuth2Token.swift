#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
