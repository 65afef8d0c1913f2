internal import HTTPTypes

/// What a challenge looks like in the head of a response, and what it says.
public struct ChallengePattern: Sendable, Hashable {
    /// How a text is compared: as a whole and with case.
    public enum Match: Sendable, Hashable {
        /// It is there.
        case present
        case equals(ProgramTemplate)
        case prefix(ProgramTemplate)
        case contains(ProgramTemplate)
    }

    /// A header field, or a parameter of an authentication scheme.
    public struct Named: Sendable, Hashable {
        public let name: String
        public let match: Match

        /// Makes a condition.
        public init(_ name: String, _ match: Match) {
            self.name = name
            self.match = match
        }
    }

    /// An authentication scheme that the response offers.
    public struct Scheme: Sendable, Hashable {
        public let field: AuthenticationChallenge.Field
        public let name: String
        public let parameters: [Named]

        /// Makes a condition.
        public init(_ name: String, in field: AuthenticationChallenge.Field = .wwwAuthenticate, parameters: [Named] = []) {
            self.name = name
            self.field = field
            self.parameters = parameters
        }
    }

    /// A value of the challenge that has a slot.
    public struct Capture: Sendable, Hashable {
        /// Where the value is.
        public enum Source: Sendable, Hashable {
            /// In a header field.
            case header(String)
            /// In a parameter of the pattern's authentication scheme.
            case parameter(String)
        }

        public let slot: Int
        public let source: Source
        /// What is taken where there is no value; `nil` for nothing.
        public let fallback: String?
        /// Whether the pattern fits without the value.
        public let isOptional: Bool

        /// Makes a capture.
        public init(slot: Int, from source: Source, fallback: String? = nil, isOptional: Bool = false) {
            self.slot = slot
            self.source = source
            self.fallback = fallback
            self.isOptional = isOptional
        }
    }

    /// The name in the spec.
    public let name: String
    /// The statuses that it comes with; empty for any.
    public let statuses: [Int]
    /// Every one of these has to fit.
    public let headers: [Named]
    /// Every one of these has to be offered.
    public let schemes: [Scheme]
    public let captures: [Capture]

    /// Makes a pattern.
    public init(
        name: String, statuses: [Int] = [], headers: [Named] = [], schemes: [Scheme] = [], captures: [Capture] = []
    ) {
        self.name = name
        self.statuses = statuses
        self.headers = headers
        self.schemes = schemes
        self.captures = captures
    }
}
