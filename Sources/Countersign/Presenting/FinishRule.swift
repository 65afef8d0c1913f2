#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The rule for the URL that ends a web flow. URLs are compared by components, never by a prefix of the text.
public struct FinishRule: Sendable, Hashable {
    /// The parts of the URL that must be equal, in addition to scheme, host, port and path.
    public enum Match: String, Sendable, Hashable, CaseIterable {
        /// The query has the same names and values.
        case exact
        /// No further part.
        case path
        /// Each query name of the rule must be present, with any value.
        case pathAndQueryNames = "path-and-query-names"
    }

    /// The URL to compare with.
    public let url: URL
    /// The parts that must be equal.
    public let match: Match

    /// Creates a rule.
    public init(_ url: URL, match: Match) {
        self.url = url
        self.match = match
    }
}
