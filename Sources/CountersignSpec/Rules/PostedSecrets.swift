/// The rule that the form of a page has no value that contains a secret of the application, since the user's browser would show it.
///
/// A direct reference to the secret is reported where the form is read.
enum PostedSecrets {
    static func check(_ program: ResolvedProgram, into diagnostics: inout DiagnosticCollector) {
        let posted = Set(program.pages.flatMap(\.form).flatMap { $0.value.contents() }.map(\.slot))
        guard !posted.isEmpty else { return }
        let flow = SecretFlow(program)
        for (number, secret) in program.slots.enumerated() where secret.source == .parameter && secret.isSecret {
            for copy in flow.copies(of: number).intersection(posted).subtracting([number]).sorted() {
                diagnostics.report(
                    .exposedSecret,
                    "'\(program.reference(copy))' contains '\(secret.name.value)', a secret of the application, and the user's browser would show it in the 'form' of a page; send it with 'http'",
                    at: program.slots[copy].name.span, notes: [Diagnostic.Note("declared here", at: secret.name.location)])
            }
        }
    }
}
