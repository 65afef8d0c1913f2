/// The types that a value of a method can have.
enum ProgramType: String, Sendable, Hashable, CaseIterable {
    case string, secret, url, header, origins, duration, date, boolean, scopes, texts, identity
    /// The offset by which a server's clock is ahead.
    case clock
    case requestHandler = "request-handler"
    /// A JSON value that a step computes or a response contains.
    case json
    /// An XML element, exactly as it was written.
    case xml
    case privateKey = "private-key"
    case certificateRequest = "certificate-request"
    /// The application's answers to the prompts of a server's page. The type has no keyword in the spec language.
    case answers
    /// The cookies that a login leaves. The type has no keyword in the spec language.
    case cookies

    /// The type of a parameter. In steps, a value of a closed set is a text like any other.
    init?(_ type: FieldType) { self.init(rawValue: type == .choice ? Self.string.rawValue : type.rawValue) }

    /// Returns the type with a keyword among the given types; `nil` if there is none.
    static func named(_ word: String?, among types: [ProgramType]) -> ProgramType? { types.first { $0.rawValue == word } }

    /// Whether a value has a text form that can be inserted into another text.
    var isText: Bool { [.string, .secret, .url, .header, .scopes, .texts].contains(self) }

    /// Whether the text form is a list, which cannot be inserted into another text.
    var isList: Bool { self == .scopes || self == .texts }

    /// Whether a value says how long a credential is valid.
    var isTime: Bool { self == .duration || self == .date }
}
