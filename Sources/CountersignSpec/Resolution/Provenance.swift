/// The sources of inherited values, so that a diagnostic can point at both places.
struct Provenance: Sendable {
    /// The value of `extends`, and the paths of the inherited files.
    var inheritance: (extends: Located<String>, files: Set<String>)?
    /// The spans of overriding values, with the locations of the inherited values.
    private var overrides: [(span: SourceSpan, inherited: SourceLocation)] = []

    init() {}

    /// Whether a location is in an inherited file.
    func isInherited(_ location: SourceLocation) -> Bool { inheritance?.files.contains(location.file) == true }

    /// Returns notes about the other place that is related to a diagnostic.
    func notes(for diagnostic: Diagnostic) -> [Diagnostic.Note] {
        if let override = overrides.first(where: { $0.span.contains(diagnostic.location) }) {
            return [Diagnostic.Note("overrides the inherited value here", at: override.inherited)]
        }
        if let inheritance, isInherited(diagnostic.location) {
            return [Diagnostic.Note("inherited here", at: inheritance.extends.location)]
        }
        return []
    }

    /// Records that an entry and its content override an inherited place.
    mutating func record(_ entry: DocumentNode.Entry, over inherited: SourceLocation) {
        overrides.append((entry.keySpan, inherited))
        record(entry.value, over: inherited)
    }

    /// Records that a value and its content override an inherited place.
    private mutating func record(_ value: DocumentNode, over inherited: SourceLocation) {
        overrides.append((value.span, inherited))
        for item in value.items { record(item, over: inherited) }
        for entry in value.entries { record(entry, over: inherited) }
    }
}
