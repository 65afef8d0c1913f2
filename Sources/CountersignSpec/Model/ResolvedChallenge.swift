/// One look of a challenge: its status is one of these, and all fields and schemes agree.
public struct ResolvedChallenge: Sendable {
    public var name: Located<String>
    /// Empty for any.
    public var statuses: [Int]
    /// The header fields, in the order of the file.
    public var fields: [(name: ResolvedTemplate, match: Match)]
    /// The authentication schemes that it offers, at most one in each field.
    public var schemes: [ResolvedScheme] = []
    /// Methods that have a challenge which the same response can be, by intention.
    public var overlaps: [Located<String>] = []
    /// The error case for a credential that is refused in this way.
    public var refused: Located<String>?
    /// What is in the beginning of the body.
    public var body: String?
    /// Whether it is a connection that the server refuses.
    public var isRefusedConnection = false

    public enum Match: Sendable, Hashable {
        case present
        case equals(ResolvedTemplate)
        case prefix(ResolvedTemplate)
        case contains(ResolvedTemplate)
    }
}
