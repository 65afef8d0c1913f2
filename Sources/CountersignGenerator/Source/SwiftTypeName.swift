/// The name of a type, with its modules or outer types before it where the spec has them.
package struct SwiftTypeName: SwiftText, Hashable {
    private let parts: [SwiftIdentifier]

    /// Makes a name; `nil` if a part of it is not an identifier.
    package init?(_ name: String) {
        var parts: [SwiftIdentifier] = []
        for part in name.split(separator: ".", omittingEmptySubsequences: false) {
            guard let identifier = SwiftIdentifier(String(part)) else { return nil }
            parts.append(identifier)
        }
        self.parts = parts
    }

    package var source: String { parts.map(\.source).joined(separator: ".") }
}
