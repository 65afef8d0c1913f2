/// What stands for a secret in a description.
let redacted = "<redacted>"

/// A ``ReducedDescription`` of a value that always holds secrets, and says so.
package protocol RedactedDescription: ReducedDescription {}

extension RedactedDescription {
    /// What may be seen, and that there is more.
    package var description: String {
        "\(Self.self)(\((visibleParts.map { "\($0.key): \($0.value)" } + [redacted]).joined(separator: ", ")))"
    }
}
