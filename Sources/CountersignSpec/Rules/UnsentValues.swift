/// What a discovery captures is sent by a later step.
///
/// Not what is inherited: an override may well do without it, and cannot take it away.
enum UnsentValues {
    static func check(_ discovery: ResolvedDiscovery, _ provenance: Provenance, into diagnostics: inout DiagnosticCollector) {
        for steps in [discovery.obtain, discovery.retire] {
            let used = Set(steps.flatMap(\.templates).flatMap(\.pieces))
            for capture in steps.flatMap(\.captures) where !used.contains(.slot(.texts(capture.value))) {
                report(capture, provenance, into: &diagnostics)
            }
        }
    }

    private static func report(
        _ capture: Located<String>, _ provenance: Provenance, into diagnostics: inout DiagnosticCollector
    ) {
        guard !provenance.isInherited(capture.location) else { return }
        diagnostics.report(.unusedCapture, "'\(capture.value)' is captured and used by no later step", at: capture.span)
    }
}

extension ResolvedDiscoveryStep {
    fileprivate var captures: [Located<String>] {
        switch action {
        case .call(let call): call.captures.map(\.slot)
        case .rounds(let rounds): rounds.call.captures.map(\.slot)
        case .key, .certificateRequest, .identity: []
        }
    }
}
