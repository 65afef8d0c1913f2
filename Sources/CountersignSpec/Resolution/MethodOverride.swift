/// Applies an override under a landscape's `methods` to an inherited document: mappings are merged, lists and texts replaced.
struct MethodOverride {
    private let base: DocumentNode
    private(set) var provenance: Provenance

    init(base: DocumentNode, provenance: Provenance) {
        self.base = base
        self.provenance = provenance
    }

    /// Returns the document with the override applied. Keys that cannot be overridden are ignored, and the shape check reports
    /// them.
    mutating func applying(_ override: DocumentNode, into diagnostics: inout DiagnosticCollector) -> DocumentNode {
        guard case .mapping = override.content else { return base }
        let shape = ValueShape.construct(SpecLanguage.methodOverride)
        let kept = pruned(override, to: shape).keepingParameters(of: base, into: &diagnostics)
            .keepingItems(of: base, as: shape, into: &diagnostics)
        checkRecipients(of: kept, into: &diagnostics)
        var merge = DocumentMerge(provenance: provenance)
        defer { provenance = merge.provenance }
        return merge.merged(base, kept, as: shape)
    }

    /// Reports servers that an override adds to the recipients of the inherited credential by a list in place of theirs.
    private func checkRecipients(of override: DocumentNode, into diagnostics: inout DiagnosticCollector) {
        guard let inherited = base["credential"]?["for"], let list = override["credential"]?["for"] else { return }
        let known = inherited.items.compactMap { $0.text?.value.replacing("?}", with: "}") }
        for item in list.items {
            guard let text = item.text?.value, !known.contains(text.replacing("?}", with: "}")) else { continue }
            diagnostics.report(
                .widenedRecipients,
                "the inherited method does not send its credential to '\(text.firstLine)'; to add servers, write them under "
                    + "'append', such as for: { append: [\"\(text.firstLine)\"] }",
                at: item.span)
        }
    }

    /// Returns the value without keys that are not in the tables of the language.
    private func pruned(_ node: DocumentNode, to shape: ValueShape) -> DocumentNode {
        guard case .mapping(let entries) = node.content else { return node }
        var node = node
        switch shape {
        case .construct(let construct):
            node.content = .mapping(
                entries.compactMap { entry in
                    guard let key = construct.key(entry.key.value) else { return nil }
                    return entry.replacingValue(pruned(entry.value, to: key.shape))
                })
        case .named(_, _, let shape), .list(let shape):
            node.content = .mapping(entries.map { $0.replacingValue(pruned($0.value, to: shape)) })
        case .shorthand(_, let shape): return pruned(node, to: shape)
        default: break
        }
        return node
    }
}

extension DocumentNode {
    /// Returns an override without the names of items that inherited lists do not have, and without omitted entries that inherited
    /// mappings do not have. Those are reported.
    fileprivate func keepingItems(
        of base: DocumentNode, as shape: ValueShape?, into diagnostics: inout DiagnosticCollector
    ) -> DocumentNode {
        guard case .mapping(let entries) = content else { return self }
        var node = self
        if case .list(let items) = base.content {
            guard let shape = shape?.item else { return self }
            let names = items.compactMap { $0["name"]?.text?.value }
            node.content = .mapping(
                entries.compactMap { entry in
                    if SpecLanguage.addedItems.contains(entry.key.value) { return entry }
                    // A misspelling of the word has been reported.
                    if let text = entry.value.text, text.value != SpecLanguage.omitted.name { return nil }
                    guard let item = items.first(where: { $0["name"]?.text?.value == entry.key.value }) else {
                        diagnostics.report(
                            .unknownInheritedItem, "the inherited list has no item with the name '\(entry.key.value)'",
                            at: entry.keySpan, meaning: entry.key.value, among: names)
                        return nil
                    }
                    return entry.replacingValue(entry.value.keepingItems(of: item, as: shape, into: &diagnostics))
                })
        } else {
            node.content = .mapping(
                entries.compactMap { entry in
                    let inherited = base[entry.key.value]
                    // `ChoiceReader` reports those of a choice.
                    if inherited == nil, entry.value.isOmitted, let shape, !shape.isSetOfValues, shape.canRemove(entry.key.value) {
                        diagnostics.report(
                            .unknownInheritedItem, "the inherited mapping has no '\(entry.key.value)'", at: entry.keySpan,
                            meaning: entry.key.value, among: base.entries.map(\.key.value))
                        return nil
                    }
                    // A new entry has no inherited items, but can have an omitted one by mistake.
                    let other = inherited ?? DocumentNode(content: .nothing, span: entry.value.span, textStart: nil)
                    return entry.replacingValue(
                        entry.value.keepingItems(of: other, as: shape?.shape(of: entry.key.value), into: &diagnostics))
                })
        }
        return node
    }

    /// Returns an override without parameters that the inherited method does not have. New parameters, which have a type, are
    /// kept. The others are reported.
    fileprivate func keepingParameters(of base: DocumentNode, into diagnostics: inout DiagnosticCollector) -> DocumentNode {
        var kept = self
        if let parameters = self["parameters"] {
            kept = kept.replacing("parameters", with: parameters.keepingKnown(besides: base["parameters"], into: &diagnostics))
        }
        guard let variants = self["variants"], case .mapping(let entries) = variants.content else { return kept }
        var keptVariants = variants
        keptVariants.content = .mapping(
            entries.map { entry in
                guard let inherited = base["variants"]?[entry.key.value] else { return entry }
                return entry.replacingValue(entry.value.keepingParameters(of: inherited, into: &diagnostics))
            })
        return kept.replacing("variants", with: keptVariants)
    }

    private func keepingKnown(besides base: DocumentNode?, into diagnostics: inout DiagnosticCollector) -> DocumentNode {
        guard case .mapping(let entries) = content else { return self }
        let names = base?.entries.map(\.key.value) ?? []
        var kept = self
        kept.content = .mapping(
            entries.filter { entry in
                guard !names.contains(entry.key.value), entry.value["type"] == nil else { return true }
                diagnostics.report(
                    .unknownField, "the inherited method has no parameter '\(entry.key.value)'; a new one needs a 'type'",
                    at: entry.keySpan,
                    meaning: entry.key.value, among: names)
                return false
            })
        return kept
    }

    private func replacing(_ key: String, with value: DocumentNode) -> DocumentNode {
        var node = self
        node.content = .mapping(entries.map { $0.key.value == key ? $0.replacingValue(value) : $0 })
        return node
    }
}

extension DocumentNode.Entry {
    /// Returns the same key with another value.
    fileprivate func replacingValue(_ value: DocumentNode) -> DocumentNode.Entry {
        var entry = self
        entry.value = value
        return entry
    }
}
