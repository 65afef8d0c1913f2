/// A type that can contain secrets, and whose description, reflection and dump show only ``visibleParts``.
///
/// Without this, printing a request would print its fields and body, as would any logger that reflects its arguments.
public protocol ReducedDescription: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The parts that may be shown, by name.
    var visibleParts: KeyValuePairs<String, String> { get }
}

extension ReducedDescription {
    /// The visible parts in one line.
    public var description: String {
        "\(Self.self)(\(visibleParts.map { "\($0.key): \($0.value)" }.joined(separator: ", ")))"
    }

    /// The same as the description.
    public var debugDescription: String { description }

    /// The visible parts, for debuggers and `dump`.
    public var customMirror: Mirror {
        Mirror(self, children: visibleParts.map { (label: $0.key, value: $0.value as Any) }, displayStyle: .struct)
    }
}

/// The placeholder for a secret in a description.
let redacted = "<redacted>"

/// A ``ReducedDescription`` of a type that always contains secrets.
package protocol RedactedDescription: ReducedDescription {}

extension RedactedDescription {
    /// Empty by default.
    package var visibleParts: KeyValuePairs<String, String> { [:] }

    /// The visible parts, and a placeholder for the rest.
    package var description: String {
        "\(Self.self)(\((visibleParts.map { "\($0.key): \($0.value)" } + [redacted]).joined(separator: ", ")))"
    }
}
