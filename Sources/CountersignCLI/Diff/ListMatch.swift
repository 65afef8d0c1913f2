import CountersignSpec

// Finds the items of two lists that are the same, by their names or else by their content.

/// The items of two lists that belong together.
struct ListMatch {
    /// The positions of items in both lists, in the order of the new one.
    private(set) var pairs: [(old: Int, new: Int)]
    /// The new positions of pairs that have another order than in the old list.
    private(set) var moved: Set<Int> = []
    private(set) var removed: [Int] = []
    private(set) var added: [Int] = []

    init(_ old: [DocumentNode], _ new: [DocumentNode], as shape: ValueShape?) {
        let before = old.map { Self.identity(of: $0, as: shape) }
        let after = new.map { Self.identity(of: $0, as: shape) }
        var (removals, insertions) = (Set<Int>(), Set<Int>())
        var moves: [(old: Int, new: Int)] = []
        for change in after.difference(from: before).inferringMoves() {
            switch change {
            case .remove(let offset, _, let other):
                removals.insert(offset)
                if let other { moves.append((offset, other)) }
            case .insert(let offset, _, _): insertions.insert(offset)
            }
        }
        let kept = (old: before.indices.filter { !removals.contains($0) }, new: after.indices.filter { !insertions.contains($0) })
        pairs = zip(kept.old, kept.new).map { ($0, $1) } + moves
        moved = Set(moves.map(\.new))
        removed = removals.subtracting(moves.map(\.old)).sorted()
        added = insertions.subtracting(moved).sorted()
        pairChanged(old, new, as: shape, between: kept)
        pairs.sort { $0.new < $1.new }
    }

    private static func identity(of item: DocumentNode, as shape: ValueShape?) -> String {
        item["name"]?.text.map { "name \($0.value)" } ?? FlowText.canonical(item, as: shape)
    }

    /// Pairs removed and added items between the same neighbours, which are one item that was changed.
    private mutating func pairChanged(
        _ old: [DocumentNode], _ new: [DocumentNode], as shape: ValueShape?, between kept: (old: [Int], new: [Int])
    ) {
        for index in removed {
            let gap = kept.old.count { $0 < index }
            let partner = added.first { other in
                kept.new.count { $0 < other } == gap && Self.isSameItem(old[index], new[other], as: shape)
            }
            guard let partner else { continue }
            pairs.append((index, partner))
            removed.removeAll { $0 == index }
            added.removeAll { $0 == partner }
        }
    }

    /// Whether two items with different content are versions of one item: steps of one kind, or one that was renamed.
    private static func isSameItem(_ old: DocumentNode, _ new: DocumentNode, as shape: ValueShape?) -> Bool {
        guard case .mapping = old.content, case .mapping = new.content else { return old.text != nil && new.text != nil }
        if old["name"] != nil, new["name"] != nil {
            return FlowText.canonical(unnamed(old), as: shape) == FlowText.canonical(unnamed(new), as: shape)
        }
        let alternatives = shape?.construct?.alternatives ?? []
        return alternatives.isEmpty || alternatives.contains { old[$0] != nil && new[$0] != nil }
    }

    private static func unnamed(_ item: DocumentNode) -> DocumentNode {
        var item = item
        item.content = .mapping(item.entries.filter { $0.key.value != "name" })
        return item
    }
}
