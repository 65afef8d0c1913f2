/// A step of a flow.
public enum ResolvedStep: Sendable {
    case present(ResolvedPresent)
    case fail(Located<String>)
}

/// A page that is opened until a URL ends the flow.
public struct ResolvedPresent: Sendable {
    public var location: SourceLocation
    public var url: ResolvedTemplate
    public var finish: ResolvedTemplate
    public var match: FinishMatch
    /// Error cases by presenter failure, in the order of the file.
    public var failures: [(failure: PresentFailure, errorCase: Located<String>)]

    public enum FinishMatch: String, Sendable, Hashable, CaseIterable {
        case exact, path
        case pathAndQueryNames = "path-and-query-names"
    }

    public enum PresentFailure: String, Sendable, Hashable, CaseIterable {
        case dismissed, load, reloaded, background
    }
}
