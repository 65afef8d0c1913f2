// Keys of a credential that exclude each other.

extension ProgramCredentialReader {
    /// Reports keys that cannot be used in an enrolment, since the application stores the credential.
    ///
    /// - Parameter word: The word `application` under `for`.
    func checkEnrolment(
        _ node: DocumentNode, declaredBy word: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) {
        if let items = node["for"]?.items, items.count > 1 {
            diagnostics.report(
                .misplacedKey,
                "a credential for the application is not sent to servers; write 'for: [application]', or only the servers",
                at: word.span)
        }
        for key in ["cookies", "token", "tickets", "expires", "per", "space", "eager"] {
            guard let entry = node.entry(key) else { continue }
            diagnostics.report(
                .misplacedKey, "'\(key)' cannot be used with 'for: [application]', because no request carries the credential",
                at: entry.keySpan,
                notes: [Diagnostic.Note("the application receives the credential", at: word.span.location)])
        }
    }

    /// Reports keys that cannot be used with tickets, since the system obtains and stores them.
    func checkTickets(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) {
        guard let tickets = node.entry("tickets") else { return }
        for key in ["fields", "cookies", "token", "expires", "eager"] {
            guard let entry = node.entry(key) else { continue }
            diagnostics.report(
                .misplacedKey, "'\(key)' cannot be combined with 'tickets', which the system provides; remove one of them",
                at: entry.keySpan,
                notes: [Diagnostic.Note("the tickets", at: tickets.key.location)])
        }
    }

    /// Reports keys that only a credential for several requests can have.
    func checkSpaceOfOneRequest(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) {
        for key in ["cookies", "expires", "per", "eager"] {
            guard let entry = node.entry(key) else { continue }
            diagnostics.report(
                .misplacedKey, "'\(key)' cannot be used with 'space: request', because only one request carries the credential",
                at: entry.keySpan)
        }
    }
}
