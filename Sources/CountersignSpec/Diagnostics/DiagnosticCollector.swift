/// Collects the diagnostics of a run. Each stage appends to it and continues.
struct DiagnosticCollector {
    private var diagnostics: [Diagnostic] = []

    /// Whether any diagnostic is an error.
    var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    mutating func report(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

    /// Adds the diagnostics of a part that was read separately.
    mutating func add(_ others: DiagnosticCollector) { diagnostics += others.diagnostics }

    mutating func report(
        _ code: DiagnosticCode, _ message: String, at span: SourceSpan, suggestion: String? = nil, notes: [Diagnostic.Note] = []
    ) {
        report(
            Diagnostic(code, message, at: span.location, length: span.length, suggestion: suggestion, notes: notes))
    }

    /// Reports a name that is not one of the candidates. The diagnostic suggests the nearest one, or lists all if none is near
    /// and they are few.
    mutating func report(
        _ code: DiagnosticCode, _ message: String, at span: SourceSpan, meaning name: String, among candidates: [String],
        notes: [Diagnostic.Note] = []
    ) {
        let suggestion = Suggestion.nearest(to: name, among: candidates)
        let all = suggestion == nil ? Suggestion.list(of: candidates) : ""
        report(code, message + all, at: span, suggestion: suggestion, notes: notes)
    }

    /// Reports a mapping like `{name}` where a reference was meant.
    mutating func report(unquoted reference: String, at span: SourceSpan) {
        report(.malformedTemplate, "a reference must be quoted, otherwise YAML reads a mapping; write \"\(reference)\"", at: span)
    }

    /// Returns all diagnostics once, sorted by location. In a file with an unknown key, nothing is reported as missing, since
    /// that key may be a misspelling of it.
    func sorted(adding notes: (Diagnostic) -> [Diagnostic.Note] = { _ in [] }) -> [Diagnostic] {
        var seen: Set<Diagnostic> = []
        let misspelt = Set(diagnostics.filter { $0.code == .unknownKey }.map(\.location.file))
        return diagnostics.filter { !$0.saysThatSomethingIsAbsent || !misspelt.contains($0.location.file) }
            .map { diagnostic in notes(diagnostic).reduce(diagnostic) { $0.adding($1) } }
            .filter { seen.insert($0).inserted }
            .sorted()
    }
}

extension Diagnostic {
    /// Whether the diagnostic is about a missing key, value or use.
    fileprivate var saysThatSomethingIsAbsent: Bool {
        switch code {
        case .missingKey, .unfilledField, .unusedCapture: true
        case .unknownReference: suggestion == nil
        default: false
        }
    }
}
