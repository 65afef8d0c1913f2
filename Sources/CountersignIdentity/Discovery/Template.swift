/// A value of a spec that is complete only with the parameters: the text as written, and how to fill it in.
public struct Template<Parameters: Sendable, Value: Sendable>: Sendable {
    /// The text as the spec has it, such as `{authorizationEndpointURL}`.
    public let text: String
    /// The value for given parameters.
    public let value: @Sendable (Parameters) -> Value

    /// Makes a template.
    public init(_ text: String, _ value: @escaping @Sendable (Parameters) -> Value) {
        self.text = text
        self.value = value
    }
}

/// A named value of a query or a form; left out where the template gives `nil`.
public struct NamedTemplate<Values: Sendable>: Sendable {
    /// The name, as it is sent before encoding.
    public let name: String
    /// The value.
    public let value: Template<Values, String?>

    /// Makes a named value.
    public init(_ name: String, _ value: Template<Values, String?>) {
        self.name = name
        self.value = value
    }
}
