#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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
