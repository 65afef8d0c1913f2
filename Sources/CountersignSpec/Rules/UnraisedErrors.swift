/// Every error case is raised by a step, `busy` or `invalid-argument`.
enum UnraisedErrors {
    static func check(_ method: ResolvedMethod, into diagnostics: inout DiagnosticCollector) {
        var raised: Set<String> = []
        for name in [method.busy, method.invalidArgument] {
            if let name { raised.insert(name.value) }
        }
        for step in method.authenticate + method.afterResend {
            switch step {
            case .present(let present): raised.formUnion(present.failures.map(\.errorCase.value))
            case .fail(let name): raised.insert(name.value)
            }
        }
        for errorCase in method.errors.cases where !raised.contains(errorCase.name.value) {
            diagnostics.report(
                .errorNeverRaised, "the case '\(errorCase.name.value)' is raised by nothing", at: errorCase.name.span)
        }
    }
}
