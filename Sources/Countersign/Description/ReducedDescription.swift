/// What stands in every description, reflection and dump of a value that can hold secrets: what may be seen of it.
///
/// Without this, printing a request would print its fields and body, and so would every logger that reflects what it is given.
public protocol ReducedDescription: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What may be seen, by name.
    var visibleParts: KeyValuePairs<String, String> { get }
}

extension ReducedDescription {
    /// What may be seen, in one line.
    public var description: String {
        "\(Self.self)(\(visibleParts.map { "\($0.key): \($0.value)" }.joined(separator: ", ")))"
    }

    /// The same as the description.
    public var debugDescription: String { description }

    /// What debuggers and `dump` show: what may be seen.
    public var customMirror: Mirror {
        Mirror(self, children: visibleParts.map { (label: $0.key, value: $0.value as Any) }, displayStyle: .struct)
    }
}

/// What stands for a secret in a description.
let redacted = "<redacted>"

/// A ``ReducedDescription`` of a value that always holds secrets, and says so.
package protocol RedactedDescription: ReducedDescription {}

extension RedactedDescription {
    /// Nothing, unless the type says otherwise.
    package var visibleParts: KeyValuePairs<String, String> { [:] }

    /// What may be seen, and that there is more.
    package var description: String {
        "\(Self.self)(\((visibleParts.map { "\($0.key): \($0.value)" } + [redacted]).joined(separator: ", ")))"
    }
}
