/// Reads the challenges of a method.
struct ChallengeReader {
    let templates: TemplateReader
    /// The cases that `refused` can name; `nil` if they could not be read.
    let errors: ErrorScope?
    /// Whether the application gives the credential, which can be refused.
    let isRefusable: Bool
    /// Whether the credential is what connections are made with.
    var isForConnections = false

    /// - Returns: `nil` if one of them cannot be read whole.
    func read(_ node: DocumentNode?, into diagnostics: inout DiagnosticCollector) -> [ResolvedChallenge]? {
        guard let node, case .list(let items) = node.content else { return nil }
        Self.checkNames(of: items, into: &diagnostics)
        let challenges = items.compactMap { read(challenge: $0, into: &diagnostics) }
        return challenges.count == items.count ? challenges : nil
    }

    /// Each challenge has a name of its own.
    static func checkNames(of items: [DocumentNode], into diagnostics: inout DiagnosticCollector) {
        var names: [String: SourceLocation] = [:]
        for name in items.compactMap({ $0["name"]?.text }) {
            if let first = names[name.value] {
                diagnostics.report(
                    .duplicateName, "there is a challenge '\(name.value)' already", at: name.span,
                    notes: [Diagnostic.Note("the other one", at: first)])
            } else {
                names[name.value] = name.location
            }
        }
    }

    /// A challenge is not any response. A scheme without a status has its own message.
    static func checkIsSpecific(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) {
        guard node["status"] == nil, node["headers"] == nil, node.schemeEntries.isEmpty else { return }
        diagnostics.report(
            .matchesEverything, "a challenge without 'status' and 'headers' is every response",
            at: node.entry("name")?.keySpan ?? node.span)
    }

    private func read(challenge node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedChallenge? {
        guard case .mapping = node.content else { return nil }
        if let tls = node.entry("tls") {
            checkConnection(tls, of: node, into: &diagnostics)
        } else {
            Self.checkIsSpecific(node, into: &diagnostics)
        }
        let fields = fields(of: node, into: &diagnostics)
        let schemes = schemes(of: node, into: &diagnostics)
        guard let name = node.text("name", as: .label), let fields, let schemes else { return nil }
        return ResolvedChallenge(
            name: name, statuses: node.statuses(into: &diagnostics), fields: fields, schemes: schemes,
            overlaps: node.texts("overlaps", as: .typeName), refused: refused(of: node, into: &diagnostics),
            body: node["body"]?.text?.value, isRefusedConnection: node["tls"] != nil)
    }

    /// A refused connection has nothing else to compare, and only a client certificate helps.
    private func checkConnection(
        _ tls: DocumentNode.Entry, of node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) {
        guard isForConnections else {
            diagnostics.report(
                .misplacedKey, "'tls' is for a method whose credential is 'client-certificate'", at: tls.keySpan)
            return
        }
        let others = ["status", "headers", "body", "www-authenticate", "proxy-authenticate"]
        for entry in node.entries where others.contains(entry.key.value) {
            diagnostics.report(
                .misplacedKey, "a refused connection has no response: '\(entry.key.value)' cannot stand beside 'tls'",
                at: entry.keySpan)
        }
    }

    private func refused(of node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> Located<String>? {
        guard let entry = node.entry("refused"), let name = entry.value.text else { return nil }
        guard isRefusable else {
            diagnostics.report(
                .misplacedKey,
                "'refused' is for a credential that the application gives: 'basic', 'api-key' or 'client-certificate'",
                at: entry.keySpan)
            return nil
        }
        errors?.check(name, at: entry.value.span, for: .nothing, into: &diagnostics)
        return name
    }

    /// - Returns: `nil` if a template is wrong.
    private func fields(
        of node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [(name: ResolvedTemplate, match: ResolvedChallenge.Match)]? {
        let entries = node["headers"]?.entries ?? []
        var fields: [(name: ResolvedTemplate, match: ResolvedChallenge.Match)] = []
        var names: [String: SourceLocation] = [:]
        for entry in entries {
            let name = templates.read(entry.keyNode, into: &diagnostics)
            name?.checkHeaderName(into: &diagnostics)
            if let literal = name?.literal?.lowercased(), let first = names.updateValue(entry.key.location, forKey: literal) {
                diagnostics.report(
                    .duplicateName, "the header field '\(entry.key.value)' is here already; names have no case", at: entry.keySpan,
                    notes: [Diagnostic.Note("the other one", at: first)])
            }
            let match = match(entry.value, of: "a header field", into: &diagnostics)
            if let name, let match { fields.append((name.resolved, match)) }
        }
        return fields.count == entries.count ? fields : nil
    }

    /// - Parameter owner: What has the value, for messages.
    func match(
        _ node: DocumentNode, of owner: String, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedChallenge.Match? {
        if node.flag("present") { return .present }
        if let equals = node.text == nil ? node["equals"] : node {
            return value(equals, of: owner, into: &diagnostics).map { .equals($0) }
        }
        if let prefix = node["prefix"] { return value(prefix, of: owner, into: &diagnostics).map { .prefix($0) } }
        if let contains = node["contains"] { return value(contains, of: owner, into: &diagnostics).map { .contains($0) } }
        return nil
    }

    private func value(
        _ node: DocumentNode, of owner: String, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedTemplate? {
        guard let template = templates.read(node, into: &diagnostics) else { return nil }
        template.checkText(into: &diagnostics)
        for piece in template.pieces where piece.literal?.unicodeScalars.contains(where: \.isControl) == true {
            diagnostics.report(
                .invalidValue, "the value of \(owner) has no line breaks or control characters", at: piece.span)
        }
        return template.resolved
    }
}

extension Unicode.Scalar {
    /// A control character other than a tab.
    var isControl: Bool { value < 0x20 && self != "\t" || value == 0x7F }
}

extension DocumentNode {
    /// The numbers of the key `status`; those that are none have been reported by the shape check.
    func statuses(into diagnostics: inout DiagnosticCollector) -> [Int] {
        guard let status = self["status"] else { return [] }
        let nodes = status.text == nil ? status.items : [status]
        var statuses: [Int] = []
        for node in nodes {
            guard let number = node.text?.value.strictInteger else { continue }
            if statuses.contains(number) {
                diagnostics.report(.duplicateName, "the status \(number) is in the list already", at: node.span)
            }
            statuses.append(number)
        }
        return statuses
    }
}
