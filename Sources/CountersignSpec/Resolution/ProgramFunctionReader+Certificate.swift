// Keys and certificates.

extension ProgramFunctionReader {
    /// Reads a function that creates or reads keys and certificates.
    ///
    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func certificateFunction(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.CertificateFunction? {
        if let kind = node["private-key"] { return key(kind, into: &diagnostics) }
        if let request = node["certificate-request"] { return self.request(request, into: &diagnostics) }
        if let identity = node["identity"] {
            let key = identity["key"].flatMap { self.key(named: $0, into: &diagnostics) }
            let certificates = identity["certificates"].flatMap {
                slot(
                    $0, of: [.string, .texts], "'certificates' must be a whole reference to a text or texts with certificates",
                    into: &diagnostics)
            }
            guard let key, let certificates else { return nil }
            return .identity(key: key, certificates: certificates)
        }
        if let whole = node["pem"] {
            return slot(
                whole, of: [.certificateRequest, .identity],
                "'pem' must be a whole reference to a certificate request or an identity",
                into: &diagnostics
            ).map { .pem($0) }
        }
        if let whole = node["serial-number"] {
            return slot(whole, of: [.identity], "'serial-number' must be a whole reference to an identity", into: &diagnostics)
                .map { .serialNumber($0) }
        }
        return node["lifetime"].flatMap {
            slot($0, of: [.identity], "'lifetime' must be a whole reference to an identity", into: &diagnostics)
                .map { .lifetime($0) }
        }
    }

    private func key(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.CertificateFunction? {
        let words = ["p256", "rsa2048"]
        let reader = ProgramTemplateReader(
            scope: scope, kinds: scope.kindsInSteps, refusal: "a key needs a type; give its capture a default")
        guard let template = reader.read(node, into: &diagnostics) else { return nil }
        if template.isLiteral {
            guard let text = node.text?.value, !words.contains(text) else { return .key(template.resolved) }
            diagnostics.report(
                .unknownWord, "'\(text.firstLine)' is not a supported type of key", at: node.span, meaning: text, among: words)
            return nil
        }
        guard template.loneReference?.value?.type == .string else {
            diagnostics.report(
                .wrongType,
                "'private-key' must be \(words.map { "'\($0)'" }.joined(separator: " or ")), or a whole reference to a 'string'",
                at: template.loneReference?.span ?? node.span)
            return nil
        }
        return .key(template.resolved)
    }

    private func request(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.CertificateFunction? {
        let key = node["key"].flatMap { self.key(named: $0, into: &diagnostics) }
        let names = ["subject", "dns", "email"].map { name in
            node[name].map { (template: self.names($0, into: &diagnostics), node: $0) }
        }
        guard let key, names.allSatisfy({ $0 == nil || $0?.template != nil }) else { return nil }
        return .request(key: key, subject: names[0]?.template, dns: names[1]?.template, email: names[2]?.template)
    }

    private func key(named node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> Int? {
        slot(node, of: [.privateKey], "'key' must be a whole reference to a 'private-key'", into: &diagnostics)
    }

    /// Reads a public value of a certificate: a literal text, or a whole reference, since values within another text would not be
    /// escaped.
    private func names(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Template? {
        guard let template = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps).read(node, into: &diagnostics) else {
            return nil
        }
        template.checkText(isHidden: false, into: &diagnostics)
        guard template.isLiteral || template.loneReference != nil else {
            diagnostics.report(.wrongType, "this must be a text without references, or a whole reference", at: node.span)
            return nil
        }
        return template.resolved
    }
}
