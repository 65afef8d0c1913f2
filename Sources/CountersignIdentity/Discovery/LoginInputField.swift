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
