/// One step to a token, as the spec lists it.
///
/// `Values` is what the steps read: the grant's parameters, and the slots that earlier steps fill.
public enum Step<Values: Sendable, Failure: AuthenticationError>: Sendable {
    /// Random values for this run alone. They are in the values when a run begins; the step says that they are used.
    case generate([GeneratedValue])
    /// Opens a page until it redirects to the application, and captures what the redirect brings.
    case present(PresentStep<Values, Failure>)
    /// Sends a form to a token endpoint and decodes the token.
    case request(RequestStep<Values, Failure>)
}

/// What a `generate` step makes.
public enum GeneratedValue: String, Sendable, Hashable, CaseIterable {
    /// 256 random bits by which an answer is known to belong to its question (RFC 6749, section 10.12).
    case state
    /// The secret that binds a code to the login that asked for it, with its S256 challenge (RFC 7636).
    case codeVerifier = "code_verifier"
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
