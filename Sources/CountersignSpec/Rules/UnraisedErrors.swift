/// The rule that every error case is raised by a step, a rejection or `failures`.
///
/// Inherited cases are exempt, since an override may not need them but cannot remove them.
enum UnraisedErrors {
    /// - Parameters:
    ///   - programs: The shared program of a method, and those of its ways to a credential.
    ///   - initialisers: The initialisers of its parameters.
    static func check(
        _ programs: [ResolvedProgram], initialisers: [ResolvedInitialiser] = [], _ provenance: Provenance,
        into diagnostics: inout DiagnosticCollector
    ) {
        let raised = programs.flatMap(\.raised) + initialisers.compactMap(\.emptyText)
        report(programs.first?.errors ?? [], but: Set(raised.map(\.value)), provenance, into: &diagnostics)
    }

    private static func report(
        _ types: [ResolvedErrorType], but raised: Set<String>, _ provenance: Provenance,
        into diagnostics: inout DiagnosticCollector
    ) {
        for errorCase in types.flatMap(\.cases)
        where !raised.contains(errorCase.name.value) && !provenance.isInherited(errorCase.name.location) {
            diagnostics.report(
                .errorNeverRaised, "the case '\(errorCase.name.value)' is never used", at: errorCase.name.span)
        }
    }
}

extension ResolvedProgram {
    /// The error cases that steps, pages, rejections and `failures` name.
    package var raised: [Located<String>] {
        failures.map(\.errorCase) + rejections.compactMap(\.error) + pages.flatMap(\.failures).map(\.errorCase)
            + tokenCalls.flatMap(\.failures).map(\.errorCase) + steps.flatMap(\.failures).map(\.errorCase)
    }
}
