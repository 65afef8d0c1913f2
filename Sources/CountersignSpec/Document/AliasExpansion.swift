import Yams

/// How much the aliases of a file stand for, found out before Yams expands them.
///
/// Needed since Yams hashes the keys of each mapping with all that they contain: a small file with aliases of aliases as a key would keep
/// it busy for years. So it is first shown a text in which each `*` that could begin an alias is another character. That text has the
/// same structure and no alias, and in its tree the aliases are plain scalars, which this counts with what they stand for.
struct AliasExpansion {
    /// In scalars, and one more for each value.
    private static let limit = 8_000_000
    /// Stands for `*`; a character for private use, which begins a plain scalar.
    private static let mask: Unicode.Scalar = "\u{E040}"

    private let source: SourceText
    /// What has been met so far, aliases expanded.
    private var total = 0
    /// What each anchor's value expands to; the latest of a name counts.
    private var anchors: [String: Int] = [:]

    /// The text without aliases, of the same length; `nil` if there are none in it.
    static func masking(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar]? {
        var masked = scalars
        var hasAlias = false
        for index in scalars.indices.dropLast() where scalars[index] == "*" && scalars[index + 1].isAnchorCharacter {
            masked[index] = mask
            hasAlias = true
        }
        return hasAlias ? masked : nil
    }

    /// The index of the alias with which the limit is passed.
    ///
    /// - Parameter root: The tree of the text that ``masking(_:)`` made of the source's.
    static func excess(in root: Node, of source: SourceText) -> Int? {
        var expansion = AliasExpansion(source: source)
        return expansion.add(root)
    }

    private init(source: SourceText) { self.source = source }

    private mutating func add(_ node: Node) -> Int? {
        let start = node.mark.map { source.index(line: $0.line, column: $0.column) } ?? 0
        let before = total
        total += 1
        switch node {
        case .scalar(let scalar):
            if let alias = alias(scalar.string, at: start) {
                total += anchors[alias] ?? 0
            } else {
                total += scalar.string.unicodeScalars.count
            }
            if total > Self.limit { return start }
        case .sequence(let items):
            for item in items { if let excess = add(item) { return excess } }
        case .mapping(let mapping):
            for (key, value) in mapping { if let excess = add(key) ?? add(value) { return excess } }
        case .alias: break
        }
        if let name = anchor(at: start) { anchors[name] = total - before }
        return nil
    }

    /// The name of the alias that a scalar stands for.
    private func alias(_ text: String, at index: Int) -> String? {
        guard index < source.scalars.count, source.scalars[index] == "*", text.unicodeScalars.first == Self.mask else { return nil }
        return name(after: index)
    }

    /// The name of the anchor of a node that begins there: with its anchor, or with a tag before that.
    private func anchor(at start: Int) -> String? {
        var index = start
        while index < source.scalars.count, source.scalars[index] == "!" {
            let end = source.scalars[index...].firstIndex { $0.isBlank || $0.isLineBreak } ?? source.scalars.count
            index = source.scalars[end...].firstIndex { !$0.isBlank && !$0.isLineBreak } ?? source.scalars.count
        }
        guard index < source.scalars.count, source.scalars[index] == "&" else { return nil }
        return name(after: index)
    }

    private func name(after index: Int) -> String? {
        let name = String(scalars: source.scalars[(index + 1)...].prefix(while: \.isAnchorCharacter))
        return name.isEmpty ? nil : name
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
