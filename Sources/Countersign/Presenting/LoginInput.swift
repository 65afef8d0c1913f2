/// The input that a server requests from the user in one round of a login.
///
/// The server chose its texts. Show the user ``origin``, the server that will receive the answer.
public struct LoginInput: Sendable, Hashable {
    /// The server's message; empty if there is none.
    public var clientMessage: String
    /// The disclaimer that the user has to accept; empty if there is none.
    public var disclaimer: String
    /// The severity of ``clientMessage``.
    public var messageType: ClientMessageType
    /// The input fields. The list may be empty, for example if there is only a message to read.
    public var inputFields: [LoginInputField]
    /// The server that will receive the answer; `nil` if it is unknown.
    public var origin: Origin?

    /// The severity of a message.
    public enum ClientMessageType: Int, Sendable, Hashable, CaseIterable {
        /// Not specified.
        case none
        /// An information.
        case information
        /// A warning.
        case warning
        /// An error.
        case error
    }

    /// Creates an input.
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

/// An input field of a login, as the server describes it.
public struct LoginInputField: Sendable, Hashable {
    /// The name of the field in the answer.
    public var fieldName: String
    /// The preset value, which may be a secret.
    public var preset: String
    /// The label for the user.
    public var prompt: String
    /// The input type.
    public var type: InputType
    /// The name of another field that must have the same value; empty if there is none.
    public var confirmField: String

    /// The input type of a field.
    public enum InputType: Sendable, Hashable, CaseIterable {
        /// Visible text.
        case plain
        /// Hidden text, such as a password.
        case hidden
    }

    /// Creates a field.
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
    /// The name and the label, without the preset.
    public var description: String { "LoginInputField(\(fieldName), \(type), '\(prompt)')" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["fieldName": fieldName, "prompt": prompt, "type": type], displayStyle: .struct)
    }
}

/// The user's answer in an input field. Its description does not show the value.
public struct LoginInputFieldValue: Sendable, Hashable {
    /// The field's name.
    public let fieldName: String
    /// The value that the user entered.
    public let value: String

    /// Creates a value.
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

/// Answers the input requests of a login, for example by an application's screen or a script.
public protocol LoginInputSource: Sendable {
    /// Returns the user's answers in one round.
    ///
    /// - Parameter input: The requested input.
    /// - Returns: A value for each field that has one; `nil` if the user cancelled.
    /// - Throws: The error with which the login ends.
    func values(for input: LoginInput) async throws -> [LoginInputFieldValue]?

    /// Called after the last round, however the login ended, so that a screen can close.
    func finished() async
}
