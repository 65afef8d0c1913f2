/// A fault in a response of the introspection endpoint.
public enum MockIntrospectionFault: Sendable, Hashable {
    /// Members of the response are replaced by these JSON texts, added, or removed by `nil`.
    case introspection([String: String?])
    /// The response is this text.
    case introspectionBody(String)
    /// The response has this status.
    case introspectionStatus(Int)
}

extension MockIntrospectionFault: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind, and the names of the members. Values are not shown, since they may identify a user.
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
