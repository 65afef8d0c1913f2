// Parts of a method that exclude each other.

extension ProgramReader {
    /// Reports refused connections as challenges if the credential has no client certificate.
    func checkConnections(into diagnostics: inout DiagnosticCollector) {
        guard !(root["attach"]?.items ?? []).contains(where: { $0["identity"] != nil }) else { return }
        for tls in (root["challenge"]?.items ?? []).compactMap({ $0.entry("tls") }) {
            diagnostics.report(
                .misplacedKey,
                "a refused connection requires a client certificate; give the credential a field of type 'identity', and refer to it with 'identity' under 'attach'",
                at: tls.keySpan)
        }
    }

    /// Reports keys that need a credential with later uses.
    func checkSpaceOfOneRequest(into diagnostics: inout DiagnosticCollector) {
        guard root["credential"]?.text("space") == "request" else { return }
        for key in ["renew", "update", "end"] {
            guard let entry = root.entry(key) else { continue }
            diagnostics.report(
                .misplacedKey, "'\(key)' cannot be used with 'space: request', because the credential ends with the request",
                at: entry.keySpan)
        }
    }

    /// Reports keys that cannot be used with tickets, since the system obtains them.
    func checkTickets(into diagnostics: inout DiagnosticCollector) {
        guard let tickets = root["credential"]?.entry("tickets") else { return }
        for key in ["documents", "client", "acquire", "renew", "update", "end", "variants"] {
            guard let entry = root.entry(key) else { continue }
            diagnostics.report(
                .misplacedKey, "'\(key)' cannot be used with 'tickets', which the system obtains; remove it", at: entry.keySpan,
                notes: [Diagnostic.Note("the tickets", at: tickets.key.location)])
        }
    }

    /// Reports keys that cannot be used in an enrolment, since no request carries its credential.
    func checkEnrolment(into diagnostics: inout DiagnosticCollector) {
        for key in ["factor", "announce", "challenge", "client", "renew", "attach", "update", "rejected", "variants", "mock"] {
            guard let entry = root.entry(key) else { continue }
            diagnostics.report(
                .misplacedKey, "'\(key)' cannot be used with 'for: [application]', because no request carries the credential",
                at: entry.keySpan)
        }
    }

    /// Reports keys that need a challenge, although the first request carries the credential already.
    func check(_ eager: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector) {
        let note = [Diagnostic.Note("the first request already carries the credential", at: eager.key.location)]
        for challenge in root["challenge"]?.items ?? [] {
            guard let capture = challenge.entry("capture"), !isForMore(challenge.text("name")) else { continue }
            diagnostics.report(
                .misplacedKey,
                "a credential with 'eager' cannot use values of a challenge; remove 'capture', or add a rule for this 'challenge' with 'then: [resend]' or 'keep: true' under 'rejected'",
                at: capture.keySpan, notes: note)
        }
        for digest in (root["attach"]?.items ?? []).compactMap({ $0["sign"]?.entry("digest") }) {
            diagnostics.report(
                .signatureWithoutChallenge, "'digest' requires a challenge, but a credential with 'eager' is sent without one",
                at: digest.keySpan, notes: note)
        }
        guard root["challenge"] == nil, let rejected = root.entry("rejected") else { return }
        diagnostics.report(
            .unreachableStep, "these rules are never used without a 'challenge' for a rejected credential",
            at: rejected.keySpan)
    }

    /// Whether a challenge is only for a credential that exists: its values change the credential by `resend`, or are required in
    /// addition by `keep`. With `keep`, another challenge without captures must exist, so that the steps treat the values as
    /// optional.
    private func isForMore(_ challenge: String?) -> Bool {
        guard let challenge, let rule = root["rejected"]?.items.first(where: { $0.text("challenge") == challenge }) else {
            return false
        }
        let isAlone = root["challenge"]?.items.contains { $0["capture"] == nil } != true
        return rule["then"]?.items.map(\.text?.value) == ["resend"] || rule.flag("keep") && !isAlone
    }
}
