/// Puts one document over another: mappings are merged, lists and texts replaced.
///
/// Two things follow from what the mappings are: of keys that exclude each other the overriding one stays, and an entry with the word
/// `omitted` takes the inherited one away where the language says so.
struct DocumentMerge {
    private(set) var provenance: Provenance

    mutating func merged(_ base: DocumentNode, _ override: DocumentNode, as shape: ValueShape?) -> DocumentNode {
        guard case .mapping(var entries) = base.content, case .mapping(let overriding) = override.content else { return override }
        let construct = shape?.construct
        for entry in overriding {
            if let alternatives = construct?.alternatives, alternatives.contains(entry.key.value) {
                entries.removeAll { alternatives.contains($0.key.value) && $0.key.value != entry.key.value }
            }
            guard let index = entries.firstIndex(where: { $0.key.value == entry.key.value }) else {
                entries.append(entry)
                continue
            }
            let inner = shape?.shape(of: entry.key.value)
            if entry.value.text?.value == SpecLanguage.omitted.name, inner?.takesOmitted == true {
                entries.remove(at: index)
            } else if case .mapping = entries[index].value.content, case .mapping = entry.value.content {
                entries[index].value = merged(entries[index].value, entry.value, as: inner)
            } else {
                provenance.record(entry, over: entries[index].key.location)
                entries[index] = entry
            }
        }
        var merged = base
        merged.content = .mapping(entries)
        return merged
    }
}

extension ValueShape {
    /// The construct that a mapping is.
    fileprivate var construct: Construct? {
        switch self {
        case .construct(let construct): construct
        case .shorthand(_, let shape), .oneOrList(let shape): shape.construct
        case .version, .text, .word, .list, .named, .json: nil
        }
    }

    /// What stands under a key of a mapping.
    fileprivate func shape(of key: String) -> ValueShape? {
        switch self {
        case .named(_, _, let shape): shape
        case .shorthand(_, let shape): shape.shape(of: key)
        default: construct?.key(key)?.shape
        }
    }

    /// Whether the word `omitted` can stand there.
    fileprivate var takesOmitted: Bool {
        guard case .shorthand(.word(let words), _) = self else { return false }
        return words.contains { $0.name == SpecLanguage.omitted.name }
    }
}
