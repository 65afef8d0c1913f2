import Yams

/// The size to which the aliases of a file expand, computed before Yams expands them.
///
/// Yams hashes the keys of each mapping with all their content, so a small file with aliases of aliases as a key would keep it
/// busy for years. Therefore Yams first parses a text in which each `*` that could begin an alias is replaced by another
/// character. That text has the same structure but no aliases. In its tree the aliases are plain scalars, which are counted with
/// the sizes of their anchored values.
struct AliasExpansion {
    /// The maximum size, in Unicode scalars plus one for each value.
    private static let limit = 8_000_000
    /// The replacement for `*`: a private-use character, which can begin a plain scalar.
    private static let mask: Unicode.Scalar = "\u{E040}"

    private let source: SourceText
    /// The size of the nodes visited so far, with expanded aliases.
    private var total = 0
    /// The expanded sizes of the anchors' values. A later anchor replaces an earlier one with the same name.
    private var anchors: [String: Int] = [:]

    /// Returns the text with masked aliases, of the same length; `nil` if there are no aliases.
    static func masking(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar]? {
        var masked = scalars
        var hasAlias = false
        for index in scalars.indices.dropLast() where scalars[index] == "*" && scalars[index + 1].isAnchorCharacter {
            masked[index] = mask
            hasAlias = true
        }
        return hasAlias ? masked : nil
    }

    /// Returns the index of the scalar that exceeds the limit; `nil` if there is none.
    ///
    /// - Parameter root: The tree of the text that ``masking(_:)`` returned for the source.
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

    /// Returns the name of the alias that a scalar stands for; `nil` if it is not an alias.
    private func alias(_ text: String, at index: Int) -> String? {
        guard index < source.scalars.count, source.scalars[index] == "*", text.unicodeScalars.first == Self.mask else { return nil }
        return name(after: index)
    }

    /// Returns the name of the anchor of a node that begins at an index, with its anchor or with a tag before the anchor.
    private func anchor(at start: Int) -> String? {
        var index = start
        while index < source.scalars.count, source.scalars[index] == "!" {
            let end = source.scalars[index...].firstIndex { $0.isBlank || $0.isLineBreak } ?? source.scalars.count
            index = tokenStart(from: end)
        }
        guard index < source.scalars.count, source.scalars[index] == "&" else { return nil }
        return name(after: index)
    }

    /// Returns the index of the next character after white space, line breaks and comments; the end if there is none.
    private func tokenStart(from end: Int) -> Int {
        var index = end
        while index < source.scalars.count {
            let scalar = source.scalars[index]
            if scalar == "#" {
                index = source.lineEnd(after: index)
            } else if scalar.isBlank || scalar.isLineBreak {
                index += 1
            } else {
                break
            }
        }
        return index
    }

    private func name(after index: Int) -> String? {
        let name = String(scalars: source.scalars[(index + 1)...].prefix(while: \.isAnchorCharacter))
        return name.isEmpty ? nil : name
    }
}

extension Unicode.Scalar {
    /// Whether libyaml allows the character in the name of an anchor.
    fileprivate var isAnchorCharacter: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
    }
}
