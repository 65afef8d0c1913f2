/// Reads JSON with references in its texts.
struct ProgramJSONReader {
    let scope: ProgramScope
    /// The reason why the whole JSON must not be absent; `nil` for a part, which is omitted if it is absent.
    let refusal: String?

    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func read(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.JSON? {
        switch node.content {
        case .nothing: return nil
        case .text(let text): return Self.scalar(text, node) ?? self.text(node, into: &diagnostics)
        case .list(let nodes):
            let items = nodes.compactMap { part.read($0, into: &diagnostics) }
            return items.count == nodes.count ? .list(items) : nil
        case .mapping(let entries):
            var members: [ResolvedProgram.JSON.Member] = []
            for entry in entries {
                let name = name(of: entry, into: &diagnostics)
                let value = part.read(entry.value, into: &diagnostics)
                if let name, let value { members.append(ResolvedProgram.JSON.Member(name: name, value: value)) }
            }
            return members.count == entries.count ? .object(members) : nil
        }
    }

    /// Reads the name of a member, which can refer to parameters.
    ///
    /// - Returns: `nil` if it cannot be read; that is reported.
    func name(of entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Template? {
        var ignored = DiagnosticCollector()
        let name = entry.key.value
        let tokens = TemplateTokenizer.tokens(of: name, naming: [], allowingMarks: true, at: entry.keyNode, into: &ignored)
        let hasReference = (tokens ?? []).contains { if case .reference = $0 { true } else { false } }
        // Braces without a reference are a part of the name.
        guard hasReference else { return ResolvedProgram.Template(pieces: [.text(name)]) }
        return ProgramCallReader(scope: scope).name(of: entry, into: &diagnostics)
    }

    private var part: ProgramJSONReader { ProgramJSONReader(scope: scope, refusal: nil) }

    /// Returns the JSON of a plain scalar by the core schema of YAML 1.2; `nil` for a text.
    private static func scalar(_ text: String, _ node: DocumentNode) -> ResolvedProgram.JSON? {
        guard node.isPlain else { return nil }
        switch text {
        case "null": return .null
        case "true": return .flag(true)
        case "false": return .flag(false)
        default: return text.isJSONNumber ? .number(text) : nil
        }
    }

    private func text(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.JSON? {
        // JSON can contain any text, including an empty one or one with line breaks.
        if let text = node.text?.value, !text.contains(where: { "{}".contains($0) }) {
            return .text(ResolvedProgram.Template(pieces: text.isEmpty ? [] : [.text(text)]))
        }
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps, refusal: refusal)
        guard let template = reader.read(node, into: &diagnostics) else { return nil }
        if let value = template.loneReference?.value, value.type == .json || value.type == .answers, let slot = value.slot {
            return .value(slot)
        }
        template.checkText(isHidden: true, into: &diagnostics)
        return .text(template.resolved)
    }
}

extension String {
    /// Whether the text is a JSON number (RFC 8259, section 6) that all parsers read as the same number.
    fileprivate var isJSONNumber: Bool {
        var rest = self[...]
        func digits() -> Int {
            let count = rest.prefix { $0.isASCII && $0.isNumber }.count
            rest = rest.dropFirst(count)
            return count
        }
        if rest.first == "-" { rest.removeFirst() }
        let hasLeadingZero = rest.first == "0"
        let whole = digits()
        guard whole > 0, !hasLeadingZero || whole == 1, whole <= 15 else { return false }
        guard rest.first == "." else { return rest.isEmpty }
        rest.removeFirst()
        return digits() > 0 && rest.isEmpty
    }
}
