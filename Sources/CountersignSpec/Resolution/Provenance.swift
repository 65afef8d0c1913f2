/// Where inherited values come from, so that a message can point at both places.
struct Provenance: Sendable {
    /// The `extends` line, and the paths of the files that it brings.
    var inheritance: (extends: Located<String>, files: Set<String>)?
    /// What overrides an inherited value, and the place of that value.
    private var overrides: [(span: SourceSpan, inherited: SourceLocation)] = []

    init() {}

    /// Whether a place is in a file that `extends` brings.
    func isInherited(_ location: SourceLocation) -> Bool { inheritance?.files.contains(location.file) == true }

    /// The other place that has to do with a diagnostic.
    func notes(for diagnostic: Diagnostic) -> [Diagnostic.Note] {
        if let override = overrides.first(where: { $0.span.contains(diagnostic.location) }) {
            return [Diagnostic.Note("overrides the inherited value here", at: override.inherited)]
        }
        if let inheritance, isInherited(diagnostic.location) {
            return [Diagnostic.Note("inherited here", at: inheritance.extends.location)]
        }
        return []
    }

    /// Remembers that an entry, with all that it contains, stands over an inherited place.
    mutating func record(_ entry: DocumentNode.Entry, over inherited: SourceLocation) {
        overrides.append((entry.keySpan, inherited))
        record(entry.value, over: inherited)
    }

    /// Remembers that a value, with all that it contains, stands over an inherited place.
    private mutating func record(_ value: DocumentNode, over inherited: SourceLocation) {
        overrides.append((value.span, inherited))
        for item in value.items { record(item, over: inherited) }
        for entry in value.entries { record(entry, over: inherited) }
    }
}
