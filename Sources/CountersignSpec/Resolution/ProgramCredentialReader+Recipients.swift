// The servers under `for`, which may receive the credential.

extension ProgramCredentialReader {
    /// The word in `for` for the first server of the application's requests.
    static let requested = "requested"
    /// The word in `for` for the application itself.
    static let application = "application"
    /// The word in `for` for the servers of the steps.
    static let steps = "steps"

    /// - Returns: The slot of the servers; `nil` if the item is not valid, which is reported.
    func destination(_ item: DocumentNode, into diagnostics: inout DiagnosticCollector) -> Int? {
        let reader = ProgramTemplateReader(scope: scope, kinds: [.parameter])
        guard let template = reader.read(item, into: &diagnostics) else { return nil }
        return template.slot(
            orReport:
                "each item of 'for' must be a whole reference to a parameter of type 'origins' or 'url', such as \"{servers}\", or to a field of the credential of type 'url'",
            into: &diagnostics
        ) { $0.namesOrigins }
    }

    /// Reads the fields of the credential under `for`: URLs of servers that a login names as further recipients.
    ///
    /// - Parameters:
    ///   - node: The credential.
    ///   - scope: The values after the steps.
    /// - Returns: The slots; `nil` if one of the fields is wrong, which is reported.
    static func recipients(
        in node: DocumentNode?, _ scope: ProgramScope, into diagnostics: inout DiagnosticCollector
    ) -> [Int]? {
        let items = (node?["for"]?.items ?? []).filter(\.namesCredentialField)
        // Other mistakes have been reported.
        guard let node, let first = items.first, !scope.isEnrolment, !scope.hasSessionCookies else { return [] }
        guard !scope.hasToken else {
            diagnostics.report(
                .wrongType,
                "a token has no field for a server that a login names; write 'fields' in place of 'token', with one of type 'url'",
                at: first.span)
            return nil
        }
        checkSpace(of: node, for: first, into: &diagnostics)
        checkOtherRecipients(in: node, besides: first, into: &diagnostics)
        let reader = ProgramTemplateReader(scope: scope, kinds: [.credential])
        let slots = items.compactMap { item -> Int? in
            guard let template = reader.read(item, into: &diagnostics) else { return nil }
            // The declared type counts: a step can set a 'string' to a URL, but nothing says that every step has to.
            guard let reference = template.loneReference, let value = reference.value, case .slot(let slot) = reference.piece,
                let field = value.declaration.flatMap({ node["fields"]?.entry($0.value)?.value }), field.text("type") == "url"
            else {
                diagnostics.report(
                    .wrongType,
                    "a field of the credential under 'for' must be a whole reference to one of type 'url', whose capture limits the servers by 'within'",
                    at: template.loneReference?.span ?? item.span)
                return nil
            }
            if let from = field.entry("from") {
                diagnostics.report(
                    .wrongType,
                    "'\(value.reference)' is under 'for', so a login must name it; capture it in an answer in place of 'from'",
                    at: from.keySpan)
                return nil
            }
            return slot
        }
        return slots.count == items.count ? slots : nil
    }

    /// Reports a credential for one server, which could not go to another one that it names.
    private static func checkSpace(
        of node: DocumentNode, for item: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) {
        let note = [Diagnostic.Note("this server receives the credential of another one", at: item.span.location)]
        if let per = node.entry("per") {
            diagnostics.report(
                .contradictorySpace,
                "'per' separates the credentials, but a credential that names its servers is one for all; remove 'per'",
                at: per.keySpan, notes: note)
        }
        guard let space = node.entry("space") else {
            diagnostics.report(
                .missingKey, "a credential that names its servers is one for all of them; write 'space: servers'", at: item.span)
            return
        }
        guard let word = space.value.text?.value, word != "servers", ResolvedProgram.Credential.Space(rawValue: word) != nil else {
            return
        }
        diagnostics.report(
            .contradictorySpace,
            "a credential that names its servers is one for all of them; write 'space: servers'", at: space.value.span,
            suggestion: "servers", notes: note)
    }

    /// Reports a field that is the only recipient, so that no login could begin, and one beside the first requested server.
    private static func checkOtherRecipients(
        in node: DocumentNode, besides item: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) {
        let others = (node["for"]?.items ?? []).filter { !$0.namesCredentialField }
        if let requested = others.first(where: { $0.text?.value == Self.requested }) {
            diagnostics.report(
                .misplacedKey,
                "the first request could already be for a server that only a login names; write a parameter in place of 'requested'",
                at: requested.span)
        } else if others.isEmpty {
            diagnostics.report(
                .missingKey,
                "no server can ask for the first credential, which names the others; add a parameter, such as the login server",
                at: item.span)
        }
    }
}

extension DocumentNode {
    /// Whether an item of `for` begins with a field of the credential.
    var namesCredentialField: Bool { text?.value.hasPrefix("{credential.") == true }

    /// Whether the method is an enrolment, whose credential the application receives.
    var isEnrolment: Bool {
        self["credential"]?["for"]?.items.contains { $0.text?.value == ProgramCredentialReader.application } == true
    }
}
