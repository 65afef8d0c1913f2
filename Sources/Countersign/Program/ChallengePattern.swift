internal import HTTPTypes

extension ChallengePattern.Match: ExpressibleByStringLiteral {
    /// Creates a match of an equal text.
    public init(stringLiteral text: String) { self = .equals(ProgramTemplate(stringLiteral: text)) }
}

/// A pattern for a response (a challenge, the response to a method's own request, or the redirect of a login page), with the values
/// to capture.
public struct ChallengePattern: Sendable, Hashable {
    /// The comparison of a text, case-sensitive by default.
    public enum Match: Sendable, Hashable {
        /// The value is present. In a JSON body, `null` and an empty text are not, but
        /// `false` and an empty list are. In a query, an empty value is not.
        case present
        /// The value is absent: the opposite of ``present``. The body must be JSON
        /// for a condition on JSON, and XML for one on XML. Not for the body's text.
        case absent
        case equals(ProgramTemplate)
        case prefix(ProgramTemplate)
        case contains(ProgramTemplate)
        /// The text is equal, ignoring the case of ASCII letters.
        case anyCase(ProgramTemplate)
    }

    /// A named part of a response: a header field, a parameter of an authentication scheme, a cookie, a value of a JSON body by
    /// JSON pointer (RFC 6901), or a text of an XML body by path.
    public struct Named: NamedElement {
        public let name: ProgramTemplate
        public let match: Match

        /// Creates a condition.
        public init(_ name: ProgramTemplate, _ match: Match) {
            self.name = name
            self.match = match
        }
    }

    /// The cookies that a response sets. Deleted cookies, and those that the server may not set, do not count.
    public enum Cookies: Sendable, Hashable {
        /// At least one cookie.
        case any
        /// All of these.
        case named(NamedList<Named>)
    }

    /// An authentication scheme of the response.
    public struct Scheme: Sendable, Hashable {
        public let field: AuthenticationChallenge.Field
        public let name: String
        public let parameters: NamedList<Named>

        /// Creates a condition.
        public init(_ name: String, in field: AuthenticationChallenge.Field = .wwwAuthenticate, parameters: NamedList<Named> = []) {
            self.name = name
            self.field = field
            self.parameters = parameters
        }
    }

    /// A value of the response that is copied to a slot.
    public struct Capture: Sendable, Hashable {
        /// The source of the value.
        public enum Source: Sendable, Hashable {
            /// A header field.
            case header(String)
            /// A parameter of the pattern's authentication scheme.
            case parameter(String)
            /// The first of these JSON pointers (RFC 6901) with a value in a JSON body.
            case json([String])
            /// A cookie that the response sets.
            case cookie(String)
            /// The query of the URL that a browser was redirected to.
            case query(String)
            /// The `value` of the first `input` element with this name in an HTML body.
            case input(ProgramTemplate)
            /// The text of an element or attribute in an XML body, by a path of local names such as `/Envelope/Body/@id`.
            case xml(String)
            /// The whole body: as text if it is text, otherwise in Base64.
            case body
        }

        /// The type of the value.
        public enum Kind: Sendable, Hashable {
            case text
            /// A text in Base64 or Base64url (RFC 4648), with or without padding.
            case decoded
            /// A URL without a user name, at one of these origins: `https`, or `http` to this machine.
            ///
            /// A URL elsewhere fails the login, or counts as absent if `isLenient` is set.
            case url(within: [Place], isLenient: Bool = false)
            /// A number of units of time.
            case duration(unit: Duration)
            /// A point in time, converted to the remaining time: RFC 3339, an HTTP date, or seconds since 1970.
            case date
            /// A point in time, in the same formats.
            case moment
            /// The server's time, converted to the offset from this machine's clock.
            case clock
            /// The texts of a list, or a single text: unchanged, with line breaks, and up to the size limit of a body.
            case texts
            /// The whole body for later steps, as JSON if it is JSON.
            case json
            /// An XML element as it was sent, with its namespace declarations.
            case element
            /// Whether the value equals this text; otherwise the slot stays absent. In a list, one equal item is enough.
            case flag(is: String)
            /// Whether the value is JSON `true`. The pattern does not match if it is neither `true` nor `false`.
            case truth

            /// A number of seconds.
            public static var seconds: Self { .duration(unit: .seconds(1)) }
        }

        /// An origin that a URL may have.
        public enum Place: Sendable, Hashable {
            /// The origin of the response.
            case response
            /// The origins in a parameter's slot.
            case slot(Int)
        }

        public let slot: Int
        public let source: Source
        /// The conditions on the item of a list that has the value; empty for any item.
        ///
        /// The pointers are those of the whole body, like the pointer of the value. What both have in common, up to the last `*`,
        /// is the same item: `/sites/*/url` is a condition on the item whose `/sites/*/id` is captured.
        public let items: NamedList<Named>
        public let kind: Kind
        /// The default for an absent value; `nil` for none.
        public let fallback: String?
        /// Whether the pattern matches without the value.
        public let isOptional: Bool

        /// Returns a capture into a slot.
        public static func slot(
            _ slot: Int, from source: Source, where items: NamedList<Named> = [], as kind: Kind = .text,
            fallback: String? = nil, isOptional: Bool = false
        ) -> Self {
            Self(slot: slot, source: source, items: items, kind: kind, fallback: fallback, isOptional: isOptional)
        }
    }

    /// The name in the spec.
    public let name: String
    /// The conditions on parameters. If one does not hold, the pattern matches no response.
    public let conditions: [StepCondition]
    /// Whether the pattern is a TLS connection that the server refuses because it requires a client certificate.
    public let isRefusedConnection: Bool
    /// The statuses; empty for any.
    public let statuses: [Int]
    /// The required header fields.
    public let headers: NamedList<Named>
    /// The required authentication schemes.
    public let schemes: [Scheme]
    /// The comparison of the body as text; `nil` for any.
    public let text: Match?
    /// The required values of a JSON body.
    public let json: NamedList<Named>
    /// The required texts of an XML body, by paths such as `/Envelope/Body/@id`.
    public let xml: NamedList<Named>
    /// The required cookies; `nil` for any or none.
    public let cookies: Cookies?
    /// The required query items of the URL that a browser was redirected to.
    public let query: NamedList<Named>
    public let captures: [Capture]

    /// Creates a pattern.
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
