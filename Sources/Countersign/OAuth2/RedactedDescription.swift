/// What stands for a secret in a description.
let redacted = "<redacted>"

/// A value that holds secrets: whatever prints it shows ``visibleParts`` and nothing else.
package protocol RedactedDescription: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What may be seen, by name.
    var visibleParts: KeyValuePairs<String, String> { get }
}

extension RedactedDescription {
    package var description: String {
        "\(Self.self)(\((visibleParts.map { "\($0.key): \($0.value)" } + [redacted]).joined(separator: ", ")))"
    }

    package var debugDescription: String { description }

    // What dump(_:) and reflecting loggers walk through.
    package var customMirror: Mirror {
        Mirror(self, children: visibleParts.map { (label: $0.key, value: $0.value as Any) }, displayStyle: .struct)
    }
}
