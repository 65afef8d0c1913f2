/// The `state` of one login: by it the answer is known to belong to the question (RFC 6749, section 10.12).
@_spi(Generated)
public struct OAuth2State: Sendable, Hashable {
    /// What goes to the server and comes back.
    public let value: String

    /// Makes a state of 256 random bits.
    package init(using source: inout some RandomNumberGenerator) {
        value = RandomText.make(using: &source)
    }

    /// Makes a state from the system's random source.
    public init() {
        var source = SystemRandomNumberGenerator()
        self.init(using: &source)
    }
}

@_spi(Generated)
extension OAuth2State: ReducedDescription {
    public var visibleParts: KeyValuePairs<String, String> { ["value": redacted] }
}
