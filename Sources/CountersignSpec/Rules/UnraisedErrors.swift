/// Every error case is raised by a step, `busy` or `invalid-argument`.
///
/// Not an inherited one: an override may well do without it, and cannot take it away.
enum UnraisedErrors {
    static func check(_ method: ResolvedMethod, _ provenance: Provenance, into diagnostics: inout DiagnosticCollector) {
        var raised: Set<String> = []
        for name in [method.busy, method.invalidArgument] {
            if let name { raised.insert(name.value) }
        }
        for step in method.steps {
            switch step {
            case .generate: break
            case .present(let present): raised.formUnion(present.failures.map(\.errorCase.value))
            case .request(let request): raised.formUnion(request.failures.map(\.errorCase.value))
            case .fail(let name): raised.insert(name.value)
            case .ask(let ask): raised.formUnion(ask.failures.map(\.errorCase.value))
            case .load, .store, .delete, .again, .againIfStored: break
            }
        }
        for initialiser in method.structs.flatMap(\.initialisers) {
            if let name = initialiser.emptyText { raised.insert(name.value) }
        }
        raised.formUnion(method.challenges.compactMap(\.refused?.value))
        report(method.errorTypes, but: raised, provenance, into: &diagnostics)
    }

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
            + tokenCalls.flatMap(\.failures).map(\.errorCase)
    }
}
