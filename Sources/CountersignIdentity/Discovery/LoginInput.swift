/// What a server wants to know in one round of a login, for the user to answer.
public struct LoginInput: Sendable, Hashable {
    /// What the server says; empty for nothing.
    public var clientMessage: String
    /// What the user has to agree to; empty for nothing.
    public var disclaimer: String
    /// How ``clientMessage`` is meant.
    public var messageType: ClientMessageType
    /// The fields to fill in; there may be none, and a message to read.
    public var inputFields: [LoginInputField]

    /// How a message is meant.
    public enum ClientMessageType: Int, Sendable, Hashable, CaseIterable {
        /// The server does not say.
        case none
        /// For the user to know.
        case information
        /// Something may go wrong.
        case warning
        /// Something went wrong.
        case error
    }

    /// Makes an input.
    public init(
        clientMessage: String = "", disclaimer: String = "", messageType: ClientMessageType = .none,
        inputFields: [LoginInputField] = []
    ) {
        self.clientMessage = clientMessage
        self.disclaimer = disclaimer
        self.messageType = messageType
        self.inputFields = inputFields
    }
}
