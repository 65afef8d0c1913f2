// The steps that renew a credential.

extension ProgramReader {
    /// Reads the steps that renew a credential.
    ///
    /// - Parameters:
    ///   - start: The paths before the steps of `acquire`.
    ///   - scope: The values after the steps of `acquire`, to which those of the renewal are added.
    /// - Returns: `nil` if the renewal cannot be read, or there is none.
    func renewal(
        of fields: [ProgramCredentialReader.Field], after start: ProgramPaths, _ scope: inout ProgramScope,
        into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Renewal? {
        guard let entry = root.entry("renew") else { return nil }
        var renewing = scope.withCredential(from: start, scope.paths)
        let needs = renewing.require(Set(entry.value.references.filter { !$0.hasSuffix("?") }))
        var reader = ProgramStepReader(
            .renew, scope: renewing, fields: fields, errors: errors, client: root.entry("client"), documents: root["documents"])
        let steps = reader.read(entry.value, into: &diagnostics)
        scope = reader.scope
        guard let steps else { return nil }
        let all = steps.flatMap(\.all)
        let slots = Set(fields.compactMap { scope.slot(of: $0.entry.key.value, .credential) })
        if scope.hasToken {
            let refresh = [scope.slot(of: "refresh_token", .credential)].compactMap(\.self)
            let sent = all.flatMap(\.tokenTemplates).flatMap(\.slots)
            if slots.union(refresh).isDisjoint(with: sent) {
                diagnostics.report(
                    .neverRenews,
                    "no request here sends a part of the token, so this is a new login; refer to \"{credential.refresh_token}\"",
                    at: entry.keySpan)
            }
            return ResolvedProgram.Renewal(needs: needs, steps: steps)
        }
        let hasCookies = scope.cookies != nil
        // A value that is computed from the credential is a part of it, such as its certificate as PEM.
        let computed = all.compactMap(\.computed)
        let own = computed.reduce(slots) { own, step in
            own.isDisjoint(with: step.function.templates.flatMap(\.slots)) ? own : own.union([step.slot])
        }
        if !hasCookies, own.isDisjoint(with: all.compactMap(\.call).flatMap(\.templates).flatMap(\.slots)) {
            diagnostics.report(
                .neverRenews,
                "no request here sends a part of the credential, so this is a new login; refer to a field of it, such as \"{credential.refreshToken}\"",
                at: entry.keySpan)
        }
        let found = all.compactMap(\.call).flatMap(\.answers).flatMap(\.pattern.captures).map(\.slot) + computed.map(\.slot)
        if !hasCookies, slots.isDisjoint(with: found) {
            diagnostics.report(
                .neverRenews, "no answer here sets a field of the credential, so it is not renewed; capture one",
                at: entry.keySpan)
        }
        if !all.compactMap(\.call).flatMap(\.answers).contains(where: \.isRefusal) {
            diagnostics.report(
                .neverRenews,
                "a credential that can no longer be renewed would be sent again and again; add the answer that reports it, with 'error: server'",
                at: entry.keySpan)
        }
        return ResolvedProgram.Renewal(needs: needs, steps: steps)
    }

    /// Reports a renewal that is never used.
    func checkRenewal(expires: Bool, into diagnostics: inout DiagnosticCollector) {
        guard let entry = root.entry("renew"), !expires else { return }
        let words = (root["rejected"]?.items ?? []).flatMap { $0["then"]?.items ?? [] }.compactMap { $0.text?.value }
        guard !words.contains("renew") else { return }
        diagnostics.report(
            .unreachableStep,
            "these steps never run: the credential has no 'expires', and no rule under 'rejected' has 'renew'", at: entry.keySpan)
    }
}
