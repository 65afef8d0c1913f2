import CountersignSpec

// Values of specs on one line, for the report, and in a canonical form, to find equal ones.

enum FlowText {
    /// The maximum number of characters of a shown value.
    static let limit = 60

    /// The shown forms of an old and a new value; `nil` for an absent one.
    struct Pair {
        let old: String?
        let new: String?
    }

    /// Returns the values on one line each. Long ones are shortened; if there are two, around their first difference.
    static func pair(_ old: DocumentNode?, _ new: DocumentNode?, as shape: ValueShape?) -> Pair {
        let old = old.map { text($0, as: shape) }
        let new = new.map { text($0, as: shape) }
        guard let old, let new else { return Pair(old: old.map { shortened($0) }, new: new.map { shortened($0) }) }
        let isLong = max(old.count, new.count) > limit
        let common = isLong ? zip(old, new).prefix { $0 == $1 }.count : 0
        let start = max(0, common - 12)
        return Pair(old: shortened(old, from: start), new: shortened(new, from: start))
    }

    private static func shortened(_ text: String, from start: Int = 0) -> String {
        let rest = text.dropFirst(start)
        let part = rest.count > limit ? rest.prefix(limit - 1) + "…" : rest
        return (start > 0 ? "…" : "") + part
    }

    /// Returns a value on one line, without documentation.
    static func text(_ node: DocumentNode, as shape: ValueShape?) -> String {
        switch node.content {
        case .nothing: return "nothing"
        case .text(let text):
            if text.isEmpty { return "\"\"" }
            if case .json? = shape, !node.isPlain, isJSONWord(text) { return "\"\(text)\"" }
            return text.split(whereSeparator: \.isNewline).joined(separator: " ")
        case .list(let items): return "[" + items.map { self.text($0, as: inner(shape)) }.joined(separator: ", ") + "]"
        case .mapping(let entries):
            if shape?.isSetOfValues == true { return "[" + entries.map(\.key.value).joined(separator: ", ") + "]" }
            let shown = entries.filter { !isDocumentation($0.key.value, in: shape) }
            guard !shown.isEmpty else { return "{}" }
            let parts = shown.map { "\($0.key.value): \(self.text($0.value, as: inner(shape, $0.key.value)))" }
            return "{ \(parts.joined(separator: ", ")) }"
        }
    }

    /// Returns a text that is equal for equal values: the order of keys, quotes and a list around a single text do not count.
    static func canonical(_ node: DocumentNode, as shape: ValueShape?) -> String {
        switch node.content {
        case .nothing: return "~"
        case .text(let text):
            if case .json? = shape, node.isPlain, isJSONWord(text) { return "plain " + text }
            return text.debugDescription
        case .list(let items):
            if case .json? = shape {} else if items.count == 1, items[0].text != nil { return canonical(items[0], as: nil) }
            return "[" + items.map { canonical($0, as: inner(shape)) }.joined(separator: ",") + "]"
        case .mapping(let entries):
            let parts = entries.map { "\($0.key.value.debugDescription):\(canonical($0.value, as: inner(shape, $0.key.value)))" }
            return "{" + parts.sorted().joined(separator: ",") + "}"
        }
    }

    /// Whether a key has documentation or the behaviour of the mock landscape, which no client depends on.
    static func isDocumentation(_ key: String, in shape: ValueShape?) -> Bool {
        if shape?.isSetOfValues == true { return false }
        if case .text(.prose)? = shape?.shape(of: key) { return true }
        return shape?.construct != nil && ["example", "mock"].contains(key)
    }

    /// Whether a text without quotes is not a text in JSON.
    private static func isJSONWord(_ text: String) -> Bool {
        ["true", "false", "null"].contains(text) || Double(text) != nil
    }

    private static func inner(_ shape: ValueShape?) -> ValueShape? {
        if case .json? = shape { return .json }
        return shape?.item
    }

    private static func inner(_ shape: ValueShape?, _ key: String) -> ValueShape? {
        if case .json? = shape { return .json }
        return shape?.shape(of: key)
    }
}
