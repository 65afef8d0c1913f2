/// Merges a document with another one that overrides it: mappings are merged, lists and texts replaced. A mapping that overrides
/// a list is merged with the items whose names are its keys.
///
/// If keys exclude each other, the overriding one is kept. The word `omitted` removes an inherited entry of a mapping by names, such
/// as a parameter or an item of a query, an optional key whose value is a mapping or a list, and a named item of a list.
struct DocumentMerge {
    private(set) var provenance: Provenance

    mutating func merged(_ base: DocumentNode, _ override: DocumentNode, as shape: ValueShape?) -> DocumentNode {
        if let item = shape?.item, case .list(let items) = base.content, case .mapping(let overriding) = override.content {
            var merged = base
            let first = override[SpecLanguage.prepended]?.items ?? []
            let last = override[SpecLanguage.appended]?.items ?? []
            merged.content = .list(first + items.compactMap { self.merged(item: $0, overriding, as: item) } + last)
            return merged
        }
        guard case .mapping(var entries) = base.content, case .mapping(let overriding) = override.content else { return override }
        let construct = shape?.construct
        for entry in overriding {
            if let construct, construct.alternatives.contains(entry.key.value) {
                entries.removeAll {
                    construct.alternatives.contains($0.key.value) && construct.excludes($0.key.value, beside: entry.key.value)
                }
            }
            guard let index = entries.firstIndex(where: { $0.key.value == entry.key.value }) else {
                entries.append(entry)
                continue
            }
            let inner = shape?.shape(of: entry.key.value)
            if entry.value.isOmitted, shape?.canRemove(entry.key.value) == true {
                entries.remove(at: index)
            } else if case .mapping = entry.value.content, entries[index].value.isCollection {
                let whole = merged(entries[index].value, entry.value, as: inner)
                if inner?.isSetOfValues == true, entry.value.entries.contains(where: \.value.isOmitted) {
                    // The key is that of the override, where diagnostics about the rest are then located.
                    entries[index] = entry
                    if whole.entries.isEmpty {
                        entries[index].value.content = whole.content
                    } else {
                        entries[index].value = whole
                    }
                    continue
                }
                // If all entries of a mapping are omitted, the mapping is removed.
                if case .mapping(let left) = whole.content, left.isEmpty, !entries[index].value.entries.isEmpty {
                    entries.remove(at: index)
                } else {
                    entries[index].value = whole
                }
            } else {
                provenance.record(entry, over: entries[index].key.location)
                entries[index] = entry
            }
        }
        var merged = base
        merged.content = .mapping(entries)
        return merged
    }

    /// Returns an item of a list, merged with the entry under its name; `nil` if the item is omitted.
    private mutating func merged(
        item: DocumentNode, _ overriding: [DocumentNode.Entry], as shape: ValueShape?
    ) -> DocumentNode? {
        guard let name = item["name"]?.text?.value, let entry = overriding.first(where: { $0.key.value == name }) else {
            return item
        }
        if entry.value.isOmitted { return nil }
        return merged(item, entry.value, as: shape)
    }
}

extension DocumentNode {
    /// Whether the value is the word that removes an inherited item.
    var isOmitted: Bool { text?.value == SpecLanguage.omitted.name }

    /// Whether a mapping can be merged with the node.
    fileprivate var isCollection: Bool {
        switch content {
        case .mapping, .list: true
        case .text, .nothing: false
        }
    }
}

extension ValueShape {
    /// The construct of a mapping with this shape; `nil` if it has none.
    package var construct: Construct? {
        switch self {
        case .construct(let construct): construct
        case .shorthand(_, let shape), .oneOrList(let shape): shape.construct
        case .version, .text, .word, .list, .named, .json: nil
        }
    }

    /// The shape of the items of a list; `nil` for other shapes.
    package var item: ValueShape? {
        switch self {
        case .list(let item), .oneOrList(let item): item
        case .shorthand(_, let list): list.item
        default: nil
        }
    }

    /// Whether the items of a list have names, by which an override can change some of them.
    package var hasNamedItems: Bool { item?.construct?.key("name") != nil }

    /// Returns the shape of the value under a key of a mapping.
    package func shape(of key: String) -> ValueShape? {
        switch self {
        case .named(_, _, let shape): shape
        case .shorthand(_, let shape): shape.shape(of: key)
        default: construct?.key(key)?.shape
        }
    }

    /// Whether a mapping has the values of a choice as its keys, each with a sentence of documentation.
    package var isSetOfValues: Bool { if case .named(.choice, _, _) = self { true } else { false } }

    /// Whether an override can remove the inherited entry under a key of a mapping.
    func canRemove(_ key: String) -> Bool { isByNames || construct?.canRemove(key) == true }

    /// Whether the keys of a mapping are names that the spec chooses. An override can remove inherited entries of it.
    package var isByNames: Bool {
        switch self {
        case .named: true
        case .shorthand(_, let shape), .oneOrList(let shape): shape.isByNames
        case .version, .text, .word, .list, .construct, .json: false
        }
    }
}
