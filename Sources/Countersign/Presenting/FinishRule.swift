#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Which URL ends a web flow: compared by components, never by a prefix of the text.
public struct FinishRule: Sendable, Hashable {
    /// How much of the URL has to agree. Scheme, host, port and path always do.
    public enum Match: String, Sendable, Hashable, CaseIterable {
        /// The query has the same names and values.
        case exact
        /// The path alone decides.
        case path
        /// Each query name of the rule is there, with any value.
        case pathAndQueryNames = "path-and-query-names"
    }

    /// The URL to compare with.
    public let url: URL
    /// How much has to agree.
    public let match: Match

    /// Makes a rule.
    public init(_ url: URL, match: Match) {
        self.url = url
        self.match = match
    }
}
