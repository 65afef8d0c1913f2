/// What a challenge of a method looks like in the head of a response.
public struct ChallengeSignature<Parameters: Sendable>: Sendable {
    /// The signature's name in the spec.
    public let name: String
    /// The statuses that it comes with; empty for any.
    public let statuses: [Int]
    /// Every one of these fields has to agree.
    public let fields: [FieldCondition<Parameters>]
    /// Every one of these schemes has to be offered.
    public let schemes: [SchemeCondition<Parameters>]
    /// What stands near the beginning of the body, within ``ExchangeContext/bodyPrefixLimit`` bytes; `nil` if the body does not matter.
    public let body: String?
    /// Whether it is no response at all, but a connection that the server refuses for want of a client certificate.
    public let isRefusedConnection: Bool

    /// Makes a signature.
    public init(
        name: String, statuses: [Int], fields: [FieldCondition<Parameters>], schemes: [SchemeCondition<Parameters>] = [],
        body: String? = nil, isRefusedConnection: Bool = false
    ) {
        self.name = name
        self.statuses = statuses
        self.fields = fields
        self.schemes = schemes
        self.body = body
        self.isRefusedConnection = isRefusedConnection
    }
}

/// One field of a challenge.
public struct FieldCondition<Parameters: Sendable>: Sendable {
    /// The field's name, compared without case.
    public let name: Template<Parameters, String>
    /// What its value has to be.
    public let match: Match

    /// How a value is compared: as a whole and with case, after white space at both ends is taken away.
    public enum Match: Sendable {
        /// The field is there.
        case present
        /// The value is this.
        case equals(Template<Parameters, String>)
        /// The value begins with this; `Location` is made absolute before.
        case prefix(Template<Parameters, String>)
        /// The value has this in it.
        case contains(Template<Parameters, String>)
    }

    /// Makes a condition.
    public init(_ name: Template<Parameters, String>, _ match: Match) {
        self.name = name
        self.match = match
    }
}
