/// A bound on what the aliases of a file expand to, computed from the text before Yams sees it.
///
/// Needed since Yams hashes the keys of each mapping with all that they contain: a small file with aliases of aliases as a key would keep
/// it busy for years, and it gives no way to look at aliases before that. The bound is generous: every `&name` and `*name` counts, also in
/// prose, and a value is taken to reach from its anchor to its first alias.
enum AliasExpansion {
    /// In scalars.
    static let limit = 8_000_000

    private struct Anchor {
        let index: Int
        /// What all aliases before the anchor expand to.
        let expandedBefore: Int
        /// What one alias of it expands to, once its value has ended.
        var weight: Int?
        /// Anchors of one name can contain each other, so for them the value is taken to reach from the first anchor to the alias.
        var isRepeated = false
    }

    /// The index of the alias with which the limit is passed.
    static func excess(in source: SourceText) -> Int? {
        var anchors: [String: Anchor] = [:]
        var expanded = 0
        var index = 0
        while index < source.scalars.count {
            let scalar = source.scalars[index]
            guard scalar == "&" || scalar == "*" else {
                index += 1
                continue
            }
            let name = String(scalars: source.scalars[(index + 1)...].prefix(while: \.isAnchorCharacter))
            if scalar == "&" {
                if anchors[name] == nil {
                    anchors[name] = Anchor(index: index, expandedBefore: expanded)
                } else {
                    anchors[name]?.isRepeated = true
                }
            } else if let anchor = anchors[name] {
                let whole = index - anchor.index + expanded - anchor.expandedBefore
                let weight = anchor.isRepeated ? whole : anchor.weight ?? whole
                anchors[name]?.weight = weight
                expanded += weight
                if expanded > limit { return index }
            }
            index += 1 + name.unicodeScalars.count
        }
        return nil
    }
}

extension Unicode.Scalar {
    /// As libyaml has it.
    fileprivate var isAnchorCharacter: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
    }
}
