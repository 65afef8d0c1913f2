/// Collects the diagnostics of a run. Each stage appends to it and continues.
struct DiagnosticCollector {
    private var diagnostics: [Diagnostic] = []

    /// The inherited files. A needless mark or condition there is not reported: it is needless only because an override has given
    /// the value, and the override cannot change it.
    var inheritedFiles: Set<String> = []

    /// Whether any diagnostic is an error.
    var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// An empty collector for a part that is read separately.
    var forPart: DiagnosticCollector {
        var part = DiagnosticCollector()
        part.inheritedFiles = inheritedFiles
        return part
    }

    /// Whether a place is in an inherited file.
    func isInherited(_ location: SourceLocation) -> Bool { inheritedFiles.contains(location.file) }

    mutating func report(_ diagnostic: Diagnostic) {
        guard diagnostic.code != .needlessMark || !isInherited(diagnostic.location) else { return }
        diagnostics.append(diagnostic)
    }

    /// Adds the diagnostics of a part that was read separately.
    mutating func add(_ others: DiagnosticCollector) {
        for diagnostic in others.diagnostics { report(diagnostic) }
    }

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

    /// Reports that an inherited method uses a part of the inherited challenges, which an override has replaced.
    ///
    /// - Parameters:
    ///   - part: The part, in quotes.
    ///   - span: The use.
    ///   - replacement: The place of the challenges.
    /// - Returns: `false` if the use is not inherited or the challenges are. Then nothing is reported.
    mutating func reportReplacement(of part: String, at span: SourceSpan, by replacement: SourceLocation) -> Bool {
        guard isInherited(span.location), !isInherited(replacement) else { return false }
        report(
            .unknownReference,
            "the inherited method uses \(part), which the challenges in place of the inherited ones lack; "
                + "to keep those, write the new ones under 'append' or 'prepend'",
            at: span, notes: [Diagnostic.Note("the inherited challenges are replaced here", at: replacement)])
        return true
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
