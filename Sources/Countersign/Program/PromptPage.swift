/// The mapping of a server's JSON to input fields: JSON pointers (RFC 6901) into it, and into each item of its list of fields.
///
/// The application is asked as long as ``fields`` points to a list. An empty list has only a message or a disclaimer.
public struct PromptPage: Sendable, Hashable {
    /// The pointer to the list of fields.
    public let fields: String
    /// In a field: the name of the answer.
    public let name: String
    /// In a field: the label for the user.
    public let prompt: String?
    /// In a field: the preset value.
    public let preset: String?
    /// In a field: the input type.
    public let type: String?
    /// The input type of hidden fields.
    public let hidden: String?
    /// In a field: the name of another field that must have the same value.
    public let confirms: String?
    /// The server's message.
    public let message: String?
    /// The severity of the message.
    public let messageType: String?
    /// The disclaimer that the user has to accept.
    public let disclaimer: String?

    /// Creates a description.
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
