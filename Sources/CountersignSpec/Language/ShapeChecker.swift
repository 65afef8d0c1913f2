/// Checks that a document has only keys of ``SpecLanguage``, with values of the right shapes and forms.
///
/// The following stages use the valid parts of a document. They skip the rest without a diagnostic, since it has been reported
/// here.
struct ShapeChecker {
    /// Whether required keys can be missing: an override contains only differences, and a landscape that extends an unreadable
    /// one is incomplete.
    private let isPartial: Bool
    /// Whether an override of a method is checked, which can remove inherited keys.
    private let removes: Bool

    private init(isPartial: Bool = false, removes: Bool = false) {
        self.isPartial = isPartial
        self.removes = removes
    }

    /// Checks a whole file.
    static func check(
        _ root: DocumentNode, as construct: Construct, isPartial: Bool = false, into diagnostics: inout DiagnosticCollector
    ) {
        ShapeChecker(isPartial: isPartial).check(
            root, as: .construct(construct), of: "the file", missingAt: root.span, &diagnostics)
    }

    /// - Parameters:
    ///   - name: The owner of the value for messages, such as a quoted key.
    ///   - parent: The place at which a missing key is reported: the key whose mapping lacks it.
    private func check(
        _ node: DocumentNode, as shape: ValueShape, of name: String, missingAt parent: SourceSpan,
        _ diagnostics: inout DiagnosticCollector
    ) {
        if let reference = node.unquotedReference(as: shape) {
            diagnostics.report(unquoted: reference, at: node.span)
            return
        }
        switch (shape, node.content) {
        case (.oneOrList(let shape), .list): check(node, as: .list(of: shape), of: name, missingAt: parent, &diagnostics)
        case (.oneOrList(let shape), _): check(node, as: shape, of: name, missingAt: parent, &diagnostics)
        case (.shorthand(_, let shape), .mapping) where !shape.isList, (.shorthand(_, let shape), .list) where shape.isList:
            check(node, as: shape, of: name, missingAt: parent, &diagnostics)
        case (.shorthand(let shape, _), .text): check(node, as: shape, of: name, missingAt: parent, &diagnostics)
        case (.json, .text): break
        case (.json, .list(let items)):
            for item in items { check(item, as: .json, of: "an item of \(name)", missingAt: item.span, &diagnostics) }
        case (.json, .mapping(let entries)):
            for entry in entries {
                check(entry.value, as: .json, of: "'\(entry.key.value)'", missingAt: entry.keySpan, &diagnostics)
            }
        case (.version, .text): break  // Another version has been reported before its keys are looked at.
        case (.text(let form), .text(let text)): check(text, at: node, as: form, of: name, &diagnostics)
        case (.word(let words), .text(let text)): check(text, at: node, among: words.map(\.name), of: name, &diagnostics)
        case (.list(let shape), .list(let items)):
            if items.isEmpty { reportEmpty(name, at: node, &diagnostics) }
            // An override replaces a list as a whole, so the items of its list must be complete.
            let checker = ShapeChecker()
            for item in items { checker.check(item, as: shape, of: "an item of \(name)", missingAt: item.span, &diagnostics) }
        case (.shorthand(_, let list), .mapping) where isPartial && list.isList:
            check(node, as: list, of: name, missingAt: parent, &diagnostics)
        case (.list(let item), .mapping(let entries)) where isPartial && shape.canAdd(entries):
            for entry in entries {
                // Added items must be complete.
                let isAdded = SpecLanguage.addedItems.contains(entry.key.value)
                let changed = ValueShape.shorthand(.word([SpecLanguage.omitted]), or: item)
                ShapeChecker(isPartial: !isAdded, removes: removes && !isAdded).check(
                    entry.value, as: isAdded ? shape : changed, of: "'\(entry.key.value)'", missingAt: entry.keySpan, &diagnostics)
            }
        case (.construct(let construct), .mapping):
            ShapeChecker(isPartial: isPartial || construct.isOverride, removes: removes || construct.isOverride)
                .check(node, as: construct, missingAt: parent, &diagnostics)
        case (.named(let form, _, let shape), .mapping(let entries)):
            if entries.isEmpty, !isPartial { reportEmpty(name, at: node, &diagnostics) }
            for entry in entries {
                check(entry.key.value, at: entry.keyNode, as: form, of: "a key of \(name)", &diagnostics)
                // An override can remove inherited entries.
                if isPartial, entry.value.isOmitted { continue }
                check(entry.value, as: shape, of: "'\(entry.key.value)'", missingAt: entry.keySpan, &diagnostics)
            }
        default:
            diagnostics.report(.wrongShape, "\(name) takes \(shape.expectation), not \(node.kind)", at: node.span)
        }
    }

    private func check(
        _ node: DocumentNode, as construct: Construct, missingAt parent: SourceSpan, _ diagnostics: inout DiagnosticCollector
    ) {
        var meantKeys: Set<String> = []
        let presentKeys = Set(node.entries.map(\.key.value))
        for entry in node.entries {
            let name = entry.key.value
            guard let key = construct.key(name) else {
                let candidates = construct.keys.map(\.name).filter { !presentKeys.contains($0) }
                let suggestion = Suggestion.nearest(to: name, among: candidates)
                if let suggestion { meantKeys.insert(suggestion) }
                diagnostics.report(
                    .unknownKey, "\(construct.title) has no key '\(name)'", at: entry.keySpan, meaning: name, among: candidates)
                continue
            }
            // An unknown key may be a misspelling of the missing companion.
            let isAlone =
                !key.companions.contains { node[$0] != nil } && !node.entries.contains { construct.key($0.key.value) == nil }
            // The companion of a key in an override can be inherited.
            if !key.companions.isEmpty, isAlone, !isPartial {
                let companions = key.companions.map { "'\($0)'" }.joined(separator: " or ")
                diagnostics.report(.misplacedKey, "'\(name)' is only valid with \(companions)", at: entry.keySpan)
            }
            if removes, entry.value.isOmitted, construct.canRemove(name) { continue }
            check(entry.value, as: key.shape, of: "'\(name)'", missingAt: entry.keySpan, &diagnostics)
        }
        checkAlternatives(node, construct, at: parent, &diagnostics)
        guard !isPartial else { return }
        for key in construct.keys where key.isRequired(in: node) && node[key.name] == nil && !meantKeys.contains(key.name) {
            diagnostics.report(.missingKey, "\(construct.title) needs the key '\(key.name)'", at: parent)
        }
    }

    private func checkAlternatives(
        _ node: DocumentNode, _ construct: Construct, at parent: SourceSpan, _ diagnostics: inout DiagnosticCollector
    ) {
        guard !construct.alternatives.isEmpty else { return }
        let found = node.entries.filter { construct.alternatives.contains($0.key.value) }
        let names = construct.alternatives.map { "'\($0)'" }.joined(separator: ", ")
        if let first = found.first {
            let words = construct.combinations { "'\($0)'" }
            let combined = (words.dropLast(2) + [words.suffix(2).joined(separator: " and ")]).joined(separator: ", ")
            let exception = combined.isEmpty ? "" : "; \(combined) are allowed together"
            var reported: [String] = []
            // Of those that are allowed together, the first is reported.
            for entry in found.dropFirst()
            where ([first.key.value] + reported).allSatisfy({ construct.excludes(entry.key.value, beside: $0) }) {
                reported.append(entry.key.value)
                diagnostics.report(
                    .notExactlyOne, "\(construct.title) has only one of \(names)\(exception)", at: entry.keySpan,
                    notes: [Diagnostic.Note("the other one", at: first.key.location)])
            }
        } else if !isPartial, !node.entries.contains(where: { construct.key($0.key.value) == nil }) {
            // An unknown key would be a misspelling of one of these keys.
            diagnostics.report(.notExactlyOne, "\(construct.title) needs one of \(names)", at: parent)
        }
    }

    private func check(
        _ text: String, at node: DocumentNode, as form: TextForm, of name: String, _ diagnostics: inout DiagnosticCollector
    ) {
        guard !form.accepts(text) else { return }
        diagnostics.report(form.code, "\(name) is \(form.expectation), not '\(text.firstLine)'", at: node.span)
    }

    private func check(
        _ text: String, at node: DocumentNode, among words: [String], of name: String, _ diagnostics: inout DiagnosticCollector
    ) {
        guard !words.contains(text) else { return }
        let list = words.map { "'\($0)'" }.joined(separator: ", ")
        diagnostics.report(
            .unknownWord,
            words.count == 1
                ? "\(name) can only be \(list), not '\(text.firstLine)'" : "\(name) is one of \(list), not '\(text.firstLine)'",
            at: node.span, suggestion: Suggestion.nearest(to: text, among: words))
    }

    private func reportEmpty(_ name: String, at node: DocumentNode, _ diagnostics: inout DiagnosticCollector) {
        diagnostics.report(.emptyCollection, "\(name) is empty", at: node.span)
    }
}

extension DocumentNode {
    /// Returns the reference that was probably meant by a mapping like `{name}`, if a text is valid there and the mapping has no
    /// other meaning.
    fileprivate func unquotedReference(as shape: ValueShape) -> String? {
        guard case .mapping(let entries) = content, entries.count == 1, let entry = entries.first,
            case .nothing = entry.value.content, entry.key.value.isMarkedReference, shape.takesText, !shape.hasKey(entry.key.value)
        else { return nil }
        return "{\(entry.key.value)}"
    }
}

extension ValueShape {
    /// Whether a mapping can be merged with an inherited list: it adds items, or changes items that have names.
    fileprivate func canAdd(_ entries: [DocumentNode.Entry]) -> Bool {
        hasNamedItems || entries.allSatisfy { SpecLanguage.addedItems.contains($0.key.value) }
    }

    /// Whether a text is valid for this shape.
    var takesText: Bool {
        switch self {
        case .version, .text, .word, .shorthand, .json: true
        case .oneOrList(let shape): shape.takesText
        case .list, .construct, .named: false
        }
    }

    fileprivate var isList: Bool { if case .list = self { true } else { false } }

    fileprivate func hasKey(_ name: String) -> Bool {
        switch self {
        case .construct(let construct): construct.key(name) != nil
        case .shorthand(_, let shape), .oneOrList(let shape): shape.hasKey(name)
        case .version, .text, .word, .list, .named, .json: false
        }
    }

    /// The expected value, for messages.
    fileprivate var expectation: String {
        switch self {
        case .version: "a version"
        case .text(let form): form.expectation
        case .word: "a word"
        case .list: "a list"
        case .oneOrList(let shape): "\(shape.expectation), or a list"
        case .construct, .named: "a mapping"
        case .shorthand(let shape, let other): "\(shape.expectation), or \(other.expectation)"
        case .json: "a text, a number, 'true', 'false', 'null', a list or a mapping"
        }
    }
}

extension String {
    /// The part of the text that fits into a message.
    var firstLine: String {
        let line = prefix { !$0.isNewline }
        return line.count <= 60 && line.count == count ? self : line.prefix(60) + "…"
    }
}
