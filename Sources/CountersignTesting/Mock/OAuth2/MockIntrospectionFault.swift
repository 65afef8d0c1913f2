/// Something that is wrong about what the introspection endpoint answers.
public enum MockIntrospectionFault: Sendable, Hashable {
    /// Members of the answer are replaced by these JSON texts, added, or taken away by `nil`.
    case introspection([String: String?])
    /// The answer is this text.
    case introspectionBody(String)
    /// The answer has this status.
    case introspectionStatus(Int)
}

extension MockIntrospectionFault: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind, and the names of the members; their values may say who a user is, and are not shown.
    public var description: String {
        switch self {
        case .introspection(let members): "members \(members.keys.sorted()), redacted"
        case .introspectionBody: "another body, redacted"
        case .introspectionStatus(let status): "status \(status)"
        }
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["fault": description]) }
}
