#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A cookie as the jar keeps it (RFC 6265, section 5.3).
public struct Cookie: Sendable, Hashable {
    public var name: String
    /// The value: a secret; no description shows it.
    public var value: String
    /// In lower case, without a leading dot.
    public var domain: String
    /// Whether only the very host that set it gets it back.
    public var isHostOnly: Bool
    public var path: String
    /// `nil` for a session cookie.
    public var expires: Date?
    public var isSecure: Bool
    public var isHTTPOnly: Bool
    public var sameSite: String?

    /// Makes a cookie; capitals and a leading dot of the domain are dropped, and a path that is none becomes `/`.
    public init(
        name: String, value: String, domain: String, isHostOnly: Bool, path: String = "/", expires: Date? = nil,
        isSecure: Bool = false, isHTTPOnly: Bool = false, sameSite: String? = nil
    ) {
        self.name = name
        self.value = value
        self.domain = (domain.hasPrefix(".") ? String(domain.dropFirst()) : domain).lowercased()
        self.isHostOnly = isHostOnly
        self.path = path.hasPrefix("/") ? path : "/"
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
    }
}
