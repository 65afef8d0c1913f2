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
