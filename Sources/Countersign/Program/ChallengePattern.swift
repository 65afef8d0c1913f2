internal import HTTPTypes

extension ChallengePattern.Match: ExpressibleByStringLiteral {
    /// A text that it is as a whole.
    public init(stringLiteral text: String) { self = .equals(ProgramTemplate(stringLiteral: text)) }
}

/// What a response looks like, a challenge or the answer to a request or a login page of a method's own, and what it says.
public struct ChallengePattern: Sendable, Hashable {
    /// How a text is compared: with case, unless it says otherwise.
    public enum Match: Sendable, Hashable {
        /// It is there.
        case present
        case equals(ProgramTemplate)
        case prefix(ProgramTemplate)
        case contains(ProgramTemplate)
        /// As a whole, whatever letters of ASCII are capital.
        case anyCase(ProgramTemplate)
    }

    /// A header field, a parameter of an authentication scheme, a cookie, by its pointer (RFC 6901) a value of a JSON body, or by its path a text
    /// of a body of XML.
    public struct Named: NamedElement {
        public let name: ProgramTemplate
        public let match: Match

        /// Makes a condition.
        public init(_ name: ProgramTemplate, _ match: Match) {
            self.name = name
            self.match = match
        }
    }

    /// The cookies that a response sets; those that it deletes do not count, nor those that it may not set.
    public enum Cookies: Sendable, Hashable {
        /// One of any name.
        case any
        /// All of these.
        case named(NamedList<Named>)
    }

    /// An authentication scheme that the response offers.
    public struct Scheme: Sendable, Hashable {
        public let field: AuthenticationChallenge.Field
        public let name: String
        public let parameters: NamedList<Named>

        /// Makes a condition.
        public init(_ name: String, in field: AuthenticationChallenge.Field = .wwwAuthenticate, parameters: NamedList<Named> = []) {
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
            /// At the first of these pointers (RFC 6901) into a JSON body that leads to a value.
            case json([String])
            /// In a cookie that the response sets.
            case cookie(String)
            /// In the query of the URL that a browser was sent back to.
            case query(String)
            /// In the `value` of the first `input` of this name, in an HTML body.
            case input(ProgramTemplate)
            /// The text of an element, or of an attribute, in a body of XML; a path of local names, such as `/Envelope/Body/@id`.
            case xml(String)
            /// All of the body: as it is if it is text, otherwise in base64.
            case body
        }

        /// What the value is read as.
        public enum Kind: Sendable, Hashable {
            case text
            /// A text that is written in base64 or base64url (RFC 4648), with padding or without.
            case decoded
            /// An address: `https`, or on this machine, without a user, and at one of these origins.
            ///
            /// One elsewhere ends the login; or it is as good as none, where `isLenient` says so.
            case url(within: [Place], isLenient: Bool = false)
            /// A number of seconds.
            case seconds
            /// A point in time, as the time that is left until then: RFC 3339, a date of HTTP, or seconds since 1970.
            case date
            /// A point in time as it is, in the same forms.
            case moment
            /// The server's time, as how far its clock is ahead of this machine's.
            case clock
            /// The texts of a list, or the one that there is: as they are, with lines, and as long as a body can be.
            case texts
            /// The whole body for steps that look into it, as JSON if it is that.
            case json
            /// An element of XML as it was written, with the namespaces that it is in.
            case element
            /// Whether it is this text; anything else leaves the slot without a value. Of a list, any item has to be.
            case flag(is: String)
            /// Whether it is JSON's `true`; the response does not fit if it is neither that nor `false`.
            case truth
        }

        /// An origin that an address may be at.
        public enum Place: Sendable, Hashable {
            /// That of the response.
            case response
            /// Those of a parameter.
            case slot(Int)
        }

        public let slot: Int
        public let source: Source
        public let kind: Kind
        /// What is taken where there is no value; `nil` for nothing.
        public let fallback: String?
        /// Whether the pattern fits without the value.
        public let isOptional: Bool

        /// A value for a slot.
        public static func slot(
            _ slot: Int, from source: Source, as kind: Kind = .text, fallback: String? = nil, isOptional: Bool = false
        ) -> Self {
            Self(slot: slot, source: source, kind: kind, fallback: fallback, isOptional: isOptional)
        }
    }

    /// The name in the spec.
    public let name: String
    /// What has to hold of the parameters; otherwise no response fits.
    public let conditions: [StepCondition]
    /// Whether it is no response, but a connection that the server refuses for want of a client certificate.
    public let isRefusedConnection: Bool
    /// The statuses that it comes with; empty for any.
    public let statuses: [Int]
    /// Every one of these has to fit.
    public let headers: NamedList<Named>
    /// Every one of these has to be offered.
    public let schemes: [Scheme]
    /// What its body has to be, as text; `nil` for any.
    public let text: Match?
    /// Every one of these values of a JSON body has to fit.
    public let json: NamedList<Named>
    /// Every one of these texts of a body of XML has to fit, by paths such as `/Envelope/Body/@id`.
    public let xml: NamedList<Named>
    /// What it sets; `nil` for anything or nothing.
    public let cookies: Cookies?
    /// Every one of these values has to be in the query of the URL that a browser was sent back to.
    public let query: NamedList<Named>
    public let captures: [Capture]

    /// Makes a pattern.
    public init(
        _ name: String, conditions: [StepCondition] = [], isRefusedConnection: Bool = false, statuses: [Int] = [],
        headers: NamedList<Named> = [], schemes: [Scheme] = [], text: Match? = nil, json: NamedList<Named> = [],
        xml: NamedList<Named> = [], cookies: Cookies? = nil,
        query: NamedList<Named> = [], captures: [Capture] = []
    ) {
        self.name = name
        self.conditions = conditions
        self.isRefusedConnection = isRefusedConnection
        self.statuses = statuses
        self.headers = headers
        self.schemes = schemes
        self.text = text
        self.json = json
        self.xml = xml
        self.cookies = cookies
        self.query = query
        self.captures = captures
    }
}
