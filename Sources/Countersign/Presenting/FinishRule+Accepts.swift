#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension FinishRule {
    /// Whether a URL ends the flow.
    ///
    /// Scheme and host are compared without case, the port with the scheme's own filled in, the path segment by segment after
    /// percent escapes are decoded, and as many of the query's parts as ``match`` says, in any order. A fragment does not count. A
    /// URL with a user name never ends a flow.
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
    /// How often each item is there.
    fileprivate var counted: [ComparableURL.Item: Int] {
        reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}
