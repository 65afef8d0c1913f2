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
