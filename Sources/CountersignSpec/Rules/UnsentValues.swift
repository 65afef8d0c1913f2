/// What is captured is sent by a later step, and a renewal sends what it renews.
///
/// Not what is inherited: an override may well do without it, and cannot take it away.
enum UnsentValues {
    static func check(_ method: ResolvedMethod, _ provenance: Provenance, into diagnostics: inout DiagnosticCollector) {
        for steps in [method.authenticate, method.afterResend] + method.grants.flatMap({ [$0.authenticate, $0.refresh] }) {
            let used = Set(steps.flatMap(\.templates).flatMap(\.pieces))
            for capture in steps.flatMap(\.captures) where !used.contains(.slot(.captured(capture.value))) {
                report(capture, provenance, into: &diagnostics)
            }
        }
        for grant in method.grants {
            let used = Set(grant.refresh.flatMap(\.templates).flatMap(\.pieces))
            guard let request = grant.refresh.compactMap(\.request).first, !provenance.isInherited(request.location),
                used.isDisjoint(with: [.slot(.refreshToken), .slot(.accessToken)])
            else { continue }
            diagnostics.report(
                .neverRenews, "'refresh' sends neither '{token.refresh_token}' nor '{token.access_token}'",
                at: SourceSpan(location: request.location, length: 1))
        }
    }

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

extension ResolvedStep {
    fileprivate var captures: [Located<String>] {
        guard case .present(let step) = self else { return [] }
        return step.redirect?.capture.map(\.slot) ?? []
    }

    fileprivate var request: ResolvedRequest? {
        guard case .request(let request) = self else { return nil }
        return request
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
