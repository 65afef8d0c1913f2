/// A value that holds a login's state or answer, and shows nothing of it to whoever prints it.
protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    var description: String { "\(Self.self)(redacted)" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }
}
