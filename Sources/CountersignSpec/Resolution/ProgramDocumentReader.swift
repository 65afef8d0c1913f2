/// Reads a document that a server publishes: a request whose answer has values for steps. The names of the values begin with that
/// of the document.
struct ProgramDocumentReader {
    private let entry: DocumentNode.Entry

    init(_ entry: DocumentNode.Entry) { self.entry = entry }

    /// Returns the documents with values that the items name, and the documents that these need, in the order of the file.
    static func entries(of documents: DocumentNode?, namedBy items: [DocumentNode]) -> [DocumentNode.Entry] {
        let entries = documents?.entries ?? []
        var names = Set(items.flatMap(\.names))
        var needed: Set<String> = []
        while let next = entries.first(where: { entry in
            !needed.contains(entry.key.value) && names.contains { $0.hasPrefix(entry.key.value + ".") }
        }) {
            needed.insert(next.key.value)
            names.formUnion(next.value.names)
        }
        return entries.filter { needed.contains($0.key.value) }
    }

    /// Reports documents with reserved names, and captured values that no step names.
    static func checkUse(
        of documents: DocumentNode?, by steps: [DocumentNode], _ provenance: Provenance, into diagnostics: inout DiagnosticCollector
    ) {
        let names = Set((steps + (documents?.entries.map(\.value) ?? [])).flatMap(\.names))
        for document in documents?.entries ?? [] {
            if ["before", "challenge", "credential", "request", "results", "settings"].contains(document.key.value) {
                diagnostics.report(
                    .reservedName, "'{\(document.key.value).…}' already has another meaning; rename the document",
                    at: document.keySpan)
            }
            // Inherited values are exempt, since an override may not need them but cannot remove them.
            for capture in document.value["capture"]?.entries ?? [] where !provenance.isInherited(capture.key.location) {
                let name = "\(document.key.value).\(capture.key.value)"
                guard !names.contains(name) else { continue }
                diagnostics.report(.unusedCapture, "no step uses '{\(name)}'; remove it", at: capture.keySpan)
            }
        }
    }

    /// The values by the names with which steps refer to them.
    var values: [(name: Located<String>, type: ProgramType?)] {
        captures.map { (Located(name(of: $0), at: $0.key.location), ProgramCaptureReader.type(of: $0.value)) }
    }

    /// The document in the form of a step's request, with the expected answer.
    var request: DocumentNode {
        let span = entry.keySpan
        let captures = captures.map { capture in
            DocumentNode.Entry(
                key: Located(name(of: capture), at: capture.key.location), keySpan: capture.keySpan,
                keyTextStart: capture.keyTextStart, value: capture.value)
        }
        let answer = [
            DocumentNode.Entry("status", .text("200"), at: span), DocumentNode.Entry("capture", .mapping(captures), at: span),
        ]
        let json = entry.value.entry("json").map { [$0] } ?? []
        return .mapping([.init("answers", .list([.mapping(answer + json, at: span)]), at: span)], at: span)
    }

    private var captures: [DocumentNode.Entry] { entry.value["capture"]?.entries ?? [] }

    private func name(of capture: DocumentNode.Entry) -> String { "\(entry.key.value).\(capture.key.value)" }

    /// Reads the document.
    ///
    /// - Returns: `nil` if something in it cannot be read; that is reported.
    func document(
        in scope: ProgramScope, with answers: [ResolvedProgram.Answer]?, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Document? {
        let items = entry.value["at"]?.items ?? []
        let reader = ProgramCallReader(scope: scope)
        let places = items.compactMap { item -> ResolvedProgram.Document.Place? in
            guard item["well-known"] != nil else { return reader.place(item, into: &diagnostics).map { .init(url: $0) } }
            guard let other = item["of"], let name = item.text("well-known", as: .label) else { return nil }
            return reader.place(other, isAlone: true, into: &diagnostics).map {
                .init(url: $0, wellKnown: name.value, isRoot: item.flag("root"))
            }
        }
        guard let content = answers?.first?.pattern, !places.isEmpty, places.count == items.count else { return nil }
        return ResolvedProgram.Document(
            name: entry.key.value, places: places, content: content,
            lifetime: entry.value.text("expires", as: .duration)?.value.milliseconds ?? 86_400_000)
    }
}

extension DocumentNode {
    /// Returns a mapping that represents keys written elsewhere.
    static func mapping(_ entries: [Entry], at span: SourceSpan) -> DocumentNode {
        DocumentNode(content: .mapping(entries), span: span, textStart: nil)
    }
}

extension DocumentNode.Entry {
    /// Makes an entry that represents a key written elsewhere.
    init(_ key: String, _ content: DocumentNode.Content, at span: SourceSpan) {
        self.init(
            key: Located(key, at: span.location), keySpan: span, keyTextStart: nil,
            value: DocumentNode(content: content, span: span, textStart: nil))
    }
}
