/// One mistake in a spec, with the place that it was made at.
///
/// The reader never throws for a bad spec: it collects these and goes on, so that one run shows all mistakes.
public struct Diagnostic: Sendable, Hashable {
    /// How bad it is. Only an error keeps a landscape from being generated.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        case error, warning, note
    }

    /// A second place that has to do with the mistake.
    public struct Note: Sendable, Hashable {
        public let message: String
        public let location: SourceLocation

        public init(_ message: String, at location: SourceLocation) {
            self.message = message
            self.location = location
        }
    }

    public let severity: Severity
    /// The rule that was broken; its raw value is the stable code, such as `CS0201`.
    public let code: DiagnosticCode
    /// Without the suggestion, which a rendering adds.
    public let message: String
    public let location: SourceLocation
    /// How many Unicode scalars from `location` on are wrong; at least 1.
    public let length: Int
    /// What to write instead of the underlined text, if that can be guessed.
    public let suggestion: String?
    public let notes: [Note]

    /// Makes a diagnostic. The severity is the code's own.
    public init(
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
    /// By place, then by code and text, so that two runs agree.
    public static func < (left: Diagnostic, right: Diagnostic) -> Bool {
        if left.location != right.location { return left.location < right.location }
        return (left.code.rawValue, left.message) < (right.code.rawValue, right.message)
    }
}
