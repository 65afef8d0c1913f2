/// What a server wants to know in one round of a login, for the user to answer.
///
/// The server chose its texts. A user should be shown ``origin``, which will receive the answer.
public struct LoginInput: Sendable, Hashable {
    /// What the server says; empty for nothing.
    public var clientMessage: String
    /// What the user has to agree to; empty for nothing.
    public var disclaimer: String
    /// How ``clientMessage`` is meant.
    public var messageType: ClientMessageType
    /// The fields to fill in; there may be none, and a message to read.
    public var inputFields: [LoginInputField]
    /// The server that will receive the answer; `nil` if it is not known yet.
    public var origin: Origin?

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
        inputFields: [LoginInputField] = [], origin: Origin? = nil
    ) {
        self.clientMessage = clientMessage
        self.disclaimer = disclaimer
        self.messageType = messageType
        self.inputFields = inputFields
        self.origin = origin
    }
}

/// A field of a login, as the server describes it.
public struct LoginInputField: Sendable, Hashable {
    /// The name that its value is sent under.
    public var fieldName: String
    /// The value that is there already; a secret may be among them.
    public var preset: String
    /// What the user reads.
    public var prompt: String
    /// How it is typed.
    public var type: InputType
    /// The name of another field that has to have the same value; empty for none.
    public var confirmField: String

    /// How a field is typed.
    public enum InputType: Sendable, Hashable, CaseIterable {
        /// It may be shown.
        case plain
        /// It shows no letters.
        case hidden
    }

    /// Makes a field.
    public init(
        fieldName: String = "", preset: String = "", prompt: String = "", type: InputType = .plain, confirmField: String = ""
    ) {
        self.fieldName = fieldName
        self.preset = preset
        self.prompt = prompt
        self.type = type
        self.confirmField = confirmField
    }
}

extension LoginInputField: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name and the prompt, without the preset.
    public var description: String { "LoginInputField(\(fieldName), \(type), '\(prompt)')" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["fieldName": fieldName, "prompt": prompt, "type": type], displayStyle: .struct)
    }
}

/// What the user answered in a field. Its description does not show it.
public struct LoginInputFieldValue: Sendable, Hashable {
    /// The field's name.
    public let fieldName: String
    /// What the user typed.
    public let value: String

    /// Makes a value.
    public init(fieldName: String, value: String) {
        self.fieldName = fieldName
        self.value = value
    }
}

extension LoginInputFieldValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "LoginInputFieldValue(\(fieldName), redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["fieldName": fieldName], displayStyle: .struct) }
}

/// Answers the rounds of a login: an application's screen, or a script.
public protocol LoginInputSource: Sendable {
    /// Answers one round.
    ///
    /// - Parameter input: What the server wants to know.
    /// - Returns: A value for each field that has one; `nil` if the user gave up.
    func values(for input: LoginInput) async throws -> [LoginInputFieldValue]?

    /// Called when no more rounds follow, however the login ended: a screen can close.
    func finished() async
}
