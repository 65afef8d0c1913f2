/// The types that a value of a method can have.
enum ProgramType: String, Sendable, Hashable, CaseIterable {
    case string, secret, url, header, origins, duration, date, boolean, scopes, texts, identity
    /// How far a server's clock is ahead.
    case clock
    case requestHandler = "request-handler"
    /// A tree that a step computes, or that an answer is.
    case json
    /// An element of XML, as it was written.
    case xml
    case privateKey = "private-key"
    case certificateRequest = "certificate-request"
    /// What the application has answered a server's page with; it has no word in the language.
    case answers
    /// What a login leaves; it has no word in the language.
    case cookies

    /// The type of a parameter.
    init?(_ type: FieldType) { self.init(rawValue: type.rawValue) }

    /// The type with a word among some.
    static func named(_ word: String?, among types: [ProgramType]) -> ProgramType? { types.first { $0.rawValue == word } }

    /// Whether a value has a text that can stand in another one.
    var isText: Bool { [.string, .secret, .url, .header, .scopes, .texts].contains(self) }

    /// Whether its text is a list, which stands in no other text.
    var isList: Bool { self == .scopes || self == .texts }

    /// Whether it says how long a credential is good for.
    var isTime: Bool { self == .duration || self == .date }
}
