/// A fault in the redirect of the authorization endpoint.
public enum MockCallbackFault: Sendable, Hashable {
    /// A parameter has these values in place of its own, or is added; an empty list removes it.
    case values(String, [String])
    /// A parameter occurs twice.
    case repeated(String)
    /// The parameters are in the fragment.
    case fragment
}

extension MockCallbackFault: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The parameter. Values are not shown, since they may contain tokens.
    public var description: String {
        switch self {
        case .values(let name, let values): "\(values.count) values for \(name), redacted"
        case .repeated(let name): "\(name) twice"
        case .fragment: "parameters in the fragment"
        }
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["fault": description]) }
}
