/// Reads a time that the spec or a server specifies.
struct ProgramTimeReader {
    let scope: ProgramScope

    /// Reads a time of at most one hour.
    ///
    /// - Parameter least: The minimum of a time in the spec, in milliseconds.
    /// - Returns: `nil` if the time cannot be read, which is reported, or there is none.
    func read(_ entry: DocumentNode.Entry?, from least: Int = 1, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram
        .Time?
    {
        guard let entry else { return nil }
        let key = entry.key.value
        let reader = ProgramTemplateReader(
            scope: scope, kinds: scope.kindsInSteps, refusal: "'\(key)' needs a value; give it a default")
        guard let template = reader.read(entry.value, into: &diagnostics) else { return nil }
        if template.isLiteral, let text = entry.value.text?.value, TextForm.duration.accepts(text), let time = text.milliseconds {
            guard (least...3_600_000).contains(time) else {
                diagnostics.report(
                    .invalidValue, least == 1 ? "'\(key)' must be at most 1 hour" : "'\(key)' must be from 1 second to 1 hour",
                    at: entry.value.span)
                return nil
            }
            return .milliseconds(time)
        }
        let slot = template.slot(
            orReport: "'\(key)' must be a time, such as '5s', or a whole reference to a 'duration'", into: &diagnostics
        ) { $0.type == .duration }
        return slot.map { .slot($0) }
    }
}
