/// The error type of a method.
public struct ResolvedErrorType: Sendable {
    public var name: Located<String>
    public var documentation: Documentation
    public var cases: [ResolvedErrorCase]
}

/// One way for a method to end in an error.
public struct ResolvedErrorCase: Sendable {
    public var name: Located<String>
    /// `summary` is the error's description, `discussion` documentation only.
    public var documentation: Documentation
    public var reason: String?
    public var recovery: String?
    public var since: String?
    public var carries: [(label: Located<String>, type: CarriedType)]

    public enum CarriedType: String, Sendable, Hashable, CaseIterable {
        case error, string, integer
    }
}
