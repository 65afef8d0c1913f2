import CountersignSpec

/// The reference of the spec language as an article of DocC, made from the tables that the reader checks with.
///
/// Each construct becomes a section with a table of its keys, in the order in which a reader of the page meets them, and with the words of
/// keys that take one of a few. Last come the codes of messages.
package struct SpecReference {
    private var lines: [String] = []
    private var sections: [Construct] = []

    /// The article's text.
    package static func text() -> String {
        var reference = SpecReference()
        reference.write()
        return reference.lines.joined(separator: "\n") + "\n"
    }

    private mutating func write() {
        lines = [
            "# The spec language", "",
            "Every key of a spec, and the rule behind every message.", "",
            "## Overview", "",
            """
            A landscape is a folder of YAML files: `landscape.yaml`, and a file for each method. This page is made from the tables that the reader checks them with: `countersign reference` prints it, and \
            `countersign schema` prints the same as JSON Schema, for completion in editors. <doc:ALandscapeFromNothing> introduces the \
            language.
            """, "",
            "All scalars are text, and are read by the type of their key; tags and merge keys are refused, unknown keys never ignored.",
            "",
            """
            In the texts of a method `{name}` is a parameter, `{challenge.name}` what a challenge says, and `{credential.name}` a field of \
            the credential. `{name?}` is for what may be absent: without it, the text that it stands in is left out as a whole.
            """,
        ]
        writeAll([SpecLanguage.landscape, SpecLanguage.method])
        writeCodes()
    }

    /// Writes the sections of constructs, and of those that stand in them.
    private mutating func writeAll(_ constructs: [Construct]) {
        var next = sections.count
        for construct in constructs { add(construct) }
        while next < sections.count {
            write(sections[next])
            next += 1
        }
    }

    /// Queues a construct for a section of its own.
    private mutating func add(_ construct: Construct) {
        if !sections.contains(where: { $0.heading == construct.heading }) { sections.append(construct) }
    }

    private mutating func write(_ construct: Construct) {
        lines += ["", "## \(construct.heading)", "", construct.summary]
        if !construct.alternatives.isEmpty {
            lines += ["", "Exactly one of \(construct.alternatives.map { "`\($0)`" }.joined(separator: ", ")) stands in it."]
        }
        lines += ["", "| Key | Value | Without it | Meaning |", "|---|---|---|---|"]
        for key in construct.keys {
            lines.append(
                "| `\(key.name)` | \(value(of: key.shape)) | \(absence(of: key, in: construct)) | \(meaning(of: key).cell) |")
        }
        for key in construct.keys {
            let words = key.shape.words
            guard words.count > 1 else { continue }
            lines += ["", "Words of `\(key.name)`:", ""] + words.map { "- `\($0.name)`: \($0.summary)" }
        }
    }

    private func absence(of key: Construct.Key, in construct: Construct) -> String {
        if construct.isOverride { return "inherited" }
        if key.isRequired {
            guard !key.exemptions.isEmpty else { return "required" }
            let values = key.exemptions.map { exemption in
                let path = exemption.path.joined(separator: ".")
                return exemption.value == "true" ? "`\(path)`" : "`\(path): \(exemption.value)`"
            }
            return "required without \(values.joined(separator: " and "))"
        }
        return key.defaultText?.cell ?? ""
    }

    private func meaning(of key: Construct.Key) -> String {
        guard !key.companions.isEmpty else { return key.summary }
        let companions = key.companions.map { "`\($0)`" }.joined(separator: " or ")
        return "\(key.summary) Only beside \(companions)."
    }

    /// What stands as a value; constructs in it get a section.
    private mutating func value(of shape: ValueShape) -> String {
        switch shape {
        case .version: SpecLanguage.Version.allCases.map { "`\($0.rawValue)`" }.joined(separator: " or ")
        case .text(let form): form.expectation.escaped
        case .word(let words):
            words.count == 1 ? words.map { "`\($0.name)`" }.joined() : "a word of those below"
        case .list(let item): "a list: \(value(of: item))"
        case .oneOrList(let item): "\(value(of: item)), or a list"
        case .construct(let construct): link(to: construct)
        case .json: "JSON, with references in its texts"
        case .named(_, let name, let item): "a mapping, by \(name): \(value(of: item))"
        case .shorthand(let short, let long): "\(value(of: short)), or \(value(of: long))"
        }
    }

    private mutating func link(to construct: Construct) -> String {
        add(construct)
        return "[\(construct.title)](<doc:TheSpecLanguage#\(construct.heading.anchor)>)"
    }

    private mutating func writeCodes() {
        lines += ["", "## Messages", "", "Each message ends in the code of its rule. A code never stands for another rule."]
        lines += ["", "| Code | Rule | Severity |", "|---|---|---|"]
        for code in DiagnosticCode.allCases {
            lines.append("| \(code.rawValue) | \(code.explanation.cell) | \(code.severity.rawValue) |")
        }
    }
}

extension Construct {
    fileprivate var heading: String { title.prefix(1).uppercased() + title.dropFirst() }
}

extension ValueShape {
    /// The words that can stand there.
    fileprivate var words: [Word] {
        switch self {
        case .word(let words): words
        case .list(let shape), .oneOrList(let shape), .named(_, _, let shape): shape.words
        case .shorthand(let short, let long): short.words + long.words
        case .version, .text, .construct, .json: []
        }
    }
}

extension String {
    /// The text in a cell of a Markdown table.
    fileprivate var cell: String { replacing("|", with: "\\|") }

    /// The same of a text that is no Markdown.
    fileprivate var escaped: String { cell.replacing("`", with: "\\`") }

    /// The anchor that DocC makes of a heading.
    fileprivate var anchor: String { replacing(" ", with: "-") }
}
