#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The prefix that the URL of a `Location` field must have, compared by components.
///
/// The origins must be equal, and the rest of the prefix must end where a component of the URL ends. So
/// `https://idp.example/login` is a prefix of `https://idp.example/login/x` and of `https://idp.example/login?x`, but neither of
/// `https://idp.example/logins` nor of `https://idp.example.evil/login`.
struct LocationPrefix {
    private let origin: Origin
    private let rest: String
    private let base: URL

    /// Creates a prefix. A text without scheme and host refers to the server at `base`.
    init?(_ text: String, relativeTo base: URL) {
        guard let url = URL(string: text, relativeTo: base)?.absoluteURL, let origin = Origin(url) else { return nil }
        self.origin = origin
        self.base = base
        rest = url.target
    }

    /// Whether a `Location`, resolved to an absolute URL, has this prefix.
    func matches(_ location: String) -> Bool {
        guard let url = URL(string: location, relativeTo: base)?.absoluteURL, Origin(url) == origin, url.user == nil else {
            return false
        }
        let target = url.target
        guard target.hasPrefix(rest) else { return false }
        guard let next = target.utf8.dropFirst(rest.utf8.count).first, let last = rest.utf8.last else { return true }
        return "/?=&".utf8.contains(last) || "/?=&".utf8.contains(next)
    }
}

extension URL {
    /// Path and query, with neither `.` nor `..` in the path.
    fileprivate var target: String {
        let url = standardized
        let path = url.path(percentEncoded: true)
        let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        return (path.isEmpty ? "/" : path) + query
    }
}
