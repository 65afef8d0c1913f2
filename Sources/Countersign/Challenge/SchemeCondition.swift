/// An authentication scheme that a challenge offers (RFC 9110, section 11.6.1).
///
/// One of the challenges in the field has to be of this scheme and to agree in every parameter. Which others the server offers beside it
/// does not matter.
public struct SchemeCondition<Parameters: Sendable>: Sendable {
    /// The field that offers it.
    public let field: AuthenticationChallenge.Field
    /// The scheme's name, compared without case.
    public let scheme: String
    /// Every one of these parameters has to agree.
    public let parameters: [ParameterCondition<Parameters>]

    /// Makes a condition.
    public init(
        _ scheme: String, in field: AuthenticationChallenge.Field, parameters: [ParameterCondition<Parameters>] = []
    ) {
        self.field = field
        self.scheme = scheme
        self.parameters = parameters
    }
}

/// One parameter of a challenge, such as the `error` of a `Bearer` challenge.
public struct ParameterCondition<Parameters: Sendable>: Sendable {
    /// The parameter's name, compared without case.
    public let name: String
    /// What its value has to be, without quotes and escapes.
    public let match: FieldCondition<Parameters>.Match

    /// Makes a condition.
    public init(_ name: String, _ match: FieldCondition<Parameters>.Match) {
        self.name = name
        self.match = match
    }
}
