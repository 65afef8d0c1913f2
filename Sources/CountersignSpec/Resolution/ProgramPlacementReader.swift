/// Reads where a credential is in a request.
struct ProgramPlacementReader {
    let scope: ProgramScope
    /// What is answered; `nil` if it cannot be read.
    let challenges: [ResolvedProgram.Challenge]?

    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func read(
        _ node: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Placement]? {
        guard let items = node?.items, !items.isEmpty else { return nil }
        let reader = ProgramFieldReader(scope: scope, kinds: [.credential, .parameter])
        var names = UniqueNames()
        var signature: DocumentNode.Entry?
        var placements: [ResolvedProgram.Placement?] = []
        for item in items {
            if let sign = item.entry("sign") {
                if let signature {
                    diagnostics.report(
                        .notExactlyOne, "a request has one signature; take this one away, or write another method",
                        at: sign.keySpan,
                        notes: [Diagnostic.Note("the other one", at: signature.key.location)])
                }
                signature = sign
                let digest = sign.value.entry("digest")
                if let digest { checkChallenges(of: digest, into: &diagnostics) }
                if let signature = sign.value["aws-sigv4"] {
                    placements.append(reader.signatureVersion4(signature, into: &diagnostics).map { .signature($0) })
                } else {
                    placements.append(
                        reader.login(sign.value, into: &diagnostics).map { login in
                            digest != nil
                                ? .digest(user: login.user, password: login.password)
                                : .basic(user: login.user, password: login.password)
                        })
                }
            }
            if let identity = item["identity"] { placements.append(self.identity(identity, into: &diagnostics)) }
            for entry in item["headers"]?.entries ?? [] {
                names.check(
                    entry, "the header field '\(entry.key.value)' is attached already; names have no case", into: &diagnostics)
                placements.append(reader.field(entry, into: &diagnostics).map { .header($0.name, $0.value) })
            }
        }
        ProgramFieldReader.check(
            items.flatMap { $0["headers"]?.entries ?? [] }, without: "authorization", by: signature, into: &diagnostics)
        let whole = placements.compactMap(\.self)
        return whole.isEmpty || whole.count < placements.count ? nil : whole
    }

    /// What connections are made with.
    private func identity(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Placement? {
        guard let template = ProgramTemplateReader(scope: scope, kinds: [.credential]).read(node, into: &diagnostics) else {
            return nil
        }
        guard let reference = template.loneReference, reference.value?.type == .identity, case .slot(let slot) = reference.piece
        else {
            diagnostics.report(
                .wrongType, "'identity' names a field of the credential of that type, alone, such as \"{credential.identity}\"",
                at: template.loneReference?.span ?? node.span)
            return nil
        }
        return .connection(slot)
    }

    /// A signature by Digest is worked out with the nonce of the challenge that it answers.
    private func checkChallenges(of digest: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector) {
        for challenge in challenges ?? [] where !challenge.schemes.contains(where: { $0.name.lowercased() == "digest" }) {
            diagnostics.report(
                .signatureWithoutChallenge,
                "'digest' answers challenges of its scheme, and '\(challenge.name.value)' is none; write 'www-authenticate: Digest' there",
                at: digest.keySpan)
        }
    }
}
