/// How JSON of a server says what it wants to know: pointers (RFC 6901) into it, and into each field of its list.
///
/// The application is asked as long as ``fields`` leads to a list, be it empty: then there is a message to read, or a disclaimer to agree to.
public struct PromptPage: Sendable, Hashable {
    /// The list of the fields.
    public let fields: String
    /// In a field: the name that its value is sent under.
    public let name: String
    /// In a field: what the user reads.
    public let prompt: String?
    /// In a field: the value that is there already.
    public let preset: String?
    /// In a field: how it is typed.
    public let type: String?
    /// The type of fields that show no letters.
    public let hidden: String?
    /// In a field: the name of another that has to have the same value.
    public let confirms: String?
    /// What the server says.
    public let message: String?
    /// How it means that.
    public let messageType: String?
    /// What the user has to agree to.
    public let disclaimer: String?

    /// Makes a description.
    public init(
        fields: String, name: String, prompt: String? = nil, preset: String? = nil, type: String? = nil, hidden: String? = nil,
        confirms: String? = nil, message: String? = nil, messageType: String? = nil, disclaimer: String? = nil
    ) {
        self.fields = fields
        self.name = name
        self.prompt = prompt
        self.preset = preset
        self.type = type
        self.hidden = hidden
        self.confirms = confirms
        self.message = message
        self.messageType = messageType
        self.disclaimer = disclaimer
    }
}
