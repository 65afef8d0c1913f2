/// Every error case is raised by a step, a rejection, or what `failures` names.
///
/// Not an inherited one: an override may well do without it, and cannot take it away.
enum UnraisedErrors {
    /// - Parameters:
    ///   - programs: A method, and its ways to a credential.
    ///   - initialisers: Those of its parameters.
    static func check(
        _ programs: [ResolvedProgram], initialisers: [ResolvedInitialiser] = [], _ provenance: Provenance,
        into diagnostics: inout DiagnosticCollector
    ) {
        let raised = programs.flatMap(\.raised) + initialisers.compactMap(\.emptyText)
        report(programs.first?.errors ?? [], but: Set(raised.map(\.value)), provenance, into: &diagnostics)
    }

    static func check(_ discovery: ResolvedDiscovery, _ provenance: Provenance, into diagnostics: inout DiagnosticCollector) {
        let failures = (discovery.obtain + discovery.retire).flatMap(\.failures).map(\.errorCase)
        let initialisers = discovery.parameters.initialisers.compactMap(\.emptyText)
        let raised = failures + initialisers + [discovery.cancelled].compactMap(\.self)
        report([discovery.errors], but: Set(raised.map(\.value)), provenance, into: &diagnostics)
    }

    private static func report(
        _ types: [ResolvedErrorType], but raised: Set<String>, _ provenance: Provenance,
        into diagnostics: inout DiagnosticCollector
    ) {
        for errorCase in types.flatMap(\.cases)
        where !raised.contains(errorCase.name.value) && !provenance.isInherited(errorCase.name.location) {
            diagnostics.report(
                .errorNeverRaised, "the case '\(errorCase.name.value)' is raised by nothing", at: errorCase.name.span)
        }
    }
}

extension ResolvedProgram {
    /// The error cases that something can end in, where it is said.
    public var raised: [Located<String>] {
        failures.map(\.errorCase) + rejections.compactMap(\.error) + pages.flatMap(\.failures).map(\.errorCase)
            + tokenCalls.flatMap(\.failures).map(\.errorCase) + (acquire + end).flatMap(\.raised)
    }
}

extension ResolvedProgram.Step {
    fileprivate var raised: [Located<String>] {
        let inner: [Self] =
            switch action {
            case .steps(let steps), .repeat(_, _, _, let steps): steps
            case .prompt, .present, .http, .token, .compute, .ask: []
            }
        return failures.map(\.errorCase) + inner.flatMap(\.raised)
    }
}
