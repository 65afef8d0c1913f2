/// Something that is wrong with the address that the authorization endpoint sends a browser back to.
public enum MockCallbackFault: Sendable, Hashable {
    /// A parameter has these values instead of its own, or is added; none take it away.
    case values(String, [String])
    /// A parameter is there twice.
    case repeated(String)
    /// The parameters stand in the fragment.
    case fragment
}

extension MockCallbackFault: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The parameter; its values may hold tokens and are not shown.
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
