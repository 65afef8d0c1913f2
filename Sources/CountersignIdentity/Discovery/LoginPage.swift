internal import Countersign

/// How an answer of a server says what it wants to know: JSON Pointers (RFC 6901) into the answer, and into each field of its list.
///
/// There is a round as long as ``fields`` leads to a list, be it empty: then there is a message to read, or a disclaimer to agree to.
public struct LoginPage: Sendable, Hashable {
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

    /// More fields than this no user fills in.
    static let fieldLimit = 50

    /// What an answer wants to know.
    ///
    /// - Returns: `nil` if it wants to know nothing.
    /// - Throws: ``DiscoveryFailure/missing(_:)`` for fields without a name, or too many of them.
    func input(in answer: JSONTree) throws(DiscoveryFailure) -> LoginInput? {
        guard case .list(let items)? = answer[fields] else { return nil }
        guard items.count <= Self.fieldLimit else { throw .missing("the server asks for more than \(Self.fieldLimit) fields") }
        var inputs: [LoginInputField] = []
        for item in items {
            guard let name = item[name]?.text, !name.isEmpty, !inputs.contains(where: { $0.fieldName == name }) else {
                throw .missing("a field that the server asks for has no name of its own")
            }
            func text(_ pointer: String?) -> String { pointer.flatMap { item[$0]?.text } ?? "" }
            inputs.append(
                LoginInputField(
                    fieldName: name, preset: text(preset), prompt: text(prompt),
                    type: hidden != nil && text(type) == hidden ? .hidden : .plain, confirmField: text(confirms)))
        }
        let names = Set(inputs.map(\.fieldName))
        guard inputs.allSatisfy({ $0.confirmField.isEmpty || names.contains($0.confirmField) }) else {
            throw .missing("a field that the server asks for confirms one that it does not ask for")
        }
        func text(_ pointer: String?) -> String { pointer.flatMap { answer[$0]?.text } ?? "" }
        let messageType: LoginInput.ClientMessageType =
            switch text(messageType) {
            case "information": .information
            case "warning": .warning
            case "error": .error
            default: .none
            }
        return LoginInput(
            clientMessage: text(message), disclaimer: text(disclaimer), messageType: messageType, inputFields: inputs)
    }
}
