#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension FinishRule {
    /// Returns whether a URL ends the flow.
    ///
    /// Scheme and host are compared case-insensitively, the port with the scheme's default, the path by decoded segments, and the
    /// query as ``match`` requires, in any order. The fragment is ignored. A URL with a user name never ends a flow.
    ///
    /// ```swift
    /// // finish is https://example.com/done
    /// let rule = FinishRule(finish, match: .path)
    /// // true for HTTPS://EXAMPLE.com:443/done?x=1, false for https://example.com.evil/done
    /// let isOver = rule.accepts(browserURL)
    /// ```
    public func accepts(_ candidate: URL) -> Bool {
        guard let rule = ComparableURL(url), let candidate = ComparableURL(candidate), candidate.scheme == rule.scheme,
            candidate.host == rule.host, candidate.port == rule.port, candidate.segments == rule.segments
        else { return false }
        switch match {
        case .path: return true
        case .pathAndQueryNames: return Set(rule.query.map(\.name)).isSubset(of: candidate.query.map(\.name))
        case .exact: return rule.query.counted == candidate.query.counted
        }
    }
}

extension [ComparableURL.Item] {
    /// The number of occurrences of each item.
    fileprivate var counted: [ComparableURL.Item: Int] {
        reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}
