/// One mistake in a spec, with its location.
///
/// The reader never throws for a bad spec: it collects diagnostics and continues, so that one run shows all mistakes.
package struct Diagnostic: Sendable, Hashable {
    /// The severity of a mistake. Only an error prevents a landscape from being generated.
    package enum Severity: String, Sendable, Hashable, CaseIterable {
        case error, warning, note
    }

    /// Another place that is related to the mistake.
    package struct Note: Sendable, Hashable {
        package let message: String
        package let location: SourceLocation

        package init(_ message: String, at location: SourceLocation) {
            self.message = message
            self.location = location
        }
    }

    package let severity: Severity
    /// The rule that was broken; its raw value is the stable code, such as `CS0201`.
    package let code: DiagnosticCode
    /// The message without the suggestion, which a renderer adds.
    package let message: String
    package let location: SourceLocation
    /// The number of Unicode scalars from `location` on that are wrong, at least 1.
    package let length: Int
    /// The suggested replacement for the underlined text, if there is one.
    package let suggestion: String?
    package let notes: [Note]

    /// Makes a diagnostic. The severity is the code's own.
    package init(
        _ code: DiagnosticCode, _ message: String, at location: SourceLocation, length: Int = 1, suggestion: String? = nil,
        notes: [Note] = []
    ) {
        severity = code.severity
        self.code = code
        self.message = message
        self.location = location
        self.length = max(1, length)
        self.suggestion = suggestion
        self.notes = notes
    }

    /// The same diagnostic with one more note.
    func adding(_ note: Note) -> Diagnostic {
        Diagnostic(code, message, at: location, length: length, suggestion: suggestion, notes: notes + [note])
    }
}

extension Diagnostic: Comparable {
    /// Orders diagnostics by location, then by code and message, so that all runs have the same order.
    package static func < (left: Diagnostic, right: Diagnostic) -> Bool {
        if left.location != right.location { return left.location < right.location }
        return (left.code.rawValue, left.message) < (right.code.rawValue, right.message)
    }
}
