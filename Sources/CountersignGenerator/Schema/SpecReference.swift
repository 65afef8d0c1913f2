import CountersignSpec

/// The reference of the spec language as an article of DocC, made from the tables that the reader checks with.
///
/// Each construct becomes a section with a table of its keys and the words that they can have as values, in the order in which
/// the page mentions the constructs. The codes of messages follow at the end.
package struct SpecReference {
    private var lines: [String] = []
    private var sections: [Construct] = []

    /// Returns the article's text.
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
            A landscape is a folder of YAML files: `landscape.yaml`, and a file for each method. This page is generated from the tables \
            that the spec reader uses. `countersign reference` prints it, and `countersign schema` prints them as JSON Schema, for \
            completion in editors. <doc:AFirstLandscape> introduces the language.
            """, "",
            "All scalars are text and are read by the type of their key. Tags, merge keys and unknown keys are errors.",
            "",
            """
            In the texts of a method, `{name}` refers to a parameter, `{challenge.name}` to a value of the challenge, and \
            `{credential.name}` to a field of the credential. `{name?}` refers to a value that may be absent; then the whole text \
            is omitted. `{{` and `}}` are literal braces, and `$$` before a reference is a literal `$`.
            """,
        ]
        writeAll([SpecLanguage.landscape, SpecLanguage.method])
        writeCodes()
    }

    /// Writes the sections of constructs and of the constructs nested in them.
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
            func list(_ keys: [String], _ separator: String) -> String { keys.map { "`\($0)`" }.joined(separator: separator) }
            let combined = construct.combinations { "`\($0)`" }.joined(separator: " and ")
            let exception = combined.isEmpty ? "" : "; \(combined) are allowed together"
            lines += ["", "It has exactly one of \(list(construct.alternatives, ", "))\(exception)."]
        }
        guard !construct.isOverride else {
            let own = Set(construct.keys.map(\.name))
            let others = SpecLanguage.method.keys.map(\.name).filter { !own.contains($0) }.map { "`\($0)`" }
            let method = link(to: SpecLanguage.method)
            lines += [
                "", "It has the keys of \(method), without \(others.joined(separator: ", ")). A key that is absent is inherited.",
            ]
            return
        }
        lines += ["", "| Key | Value | Without it | Meaning |", "|---|---|---|---|"]
        for key in construct.keys {
            lines.append(
                "| `\(key.name)` | \(value(of: key.shape)) | \(absence(of: key)) | \(meaning(of: key).cell) |")
        }
        for key in construct.keys {
            let words = key.shape.words
            guard words.count > 1 else { continue }
            lines += ["", "Words of `\(key.name)`:", ""] + words.map { "- `\($0.name)`: \($0.summary)" }
        }
    }

    private func absence(of key: Construct.Key) -> String {
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
        return "\(key.summary) Only with \(companions)."
    }

    /// Returns the description of a value, and queues the constructs in it.
    private mutating func value(of shape: ValueShape) -> String {
        switch shape {
        case .version: SpecLanguage.Version.allCases.map { "`\($0.rawValue)`" }.joined(separator: " or ")
        case .text(let form): form.expectation.escaped
        case .word(let words):
            words.count == 1 ? words.map { "`\($0.name)`" }.joined() : "one of the words below"
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
        return Self.link(construct.title, to: construct.heading)
    }

    /// Returns a link of DocC to the section of the article with a heading.
    package static func link(_ text: String, to heading: String) -> String {
        "[\(text)](<doc:TheSpecLanguage#\(heading.anchor)>)"
    }

    /// Writes the rules, and the groups that the pages of their messages belong to.
    private mutating func writeCodes() {
        lines += [
            "", "## Messages", "",
            """
            Each message ends with the code of its rule. A code is never reused for another rule. Its page has an incorrect and a \
            corrected example; `countersign explain CS0201` shows the same in a terminal.
            """,
        ]
        lines += ["", "| Code | Rule | Severity |", "|---|---|---|"]
        for code in DiagnosticCode.allCases {
            lines.append("| <doc:\(code.rawValue)> | \(code.explanation.cell) | \(code.severity.rawValue) |")
        }
        lines += ["", "## Topics"]
        for (prefix, title) in Self.groups {
            lines += ["", "### \(title)", ""]
            lines += DiagnosticCode.allCases.filter { $0.rawValue.hasPrefix(prefix) }.map { "- <doc:\($0.rawValue)>" }
        }
    }

    /// The topics of messages, by the prefixes of their codes.
    private static let groups: KeyValuePairs = [
        "CS01": "Messages about files and YAML", "CS02": "Messages about keys and values", "CS03": "Messages about names",
        "CS04": "Messages about references", "CS05": "Messages about parameters",
        "CS06": "Messages about challenges, steps and credentials",
        "CS07": "Messages about inheritance and dependencies",
    ]
}

extension Construct {
    fileprivate var heading: String { title.prefix(1).uppercased() + title.dropFirst() }
}

extension ValueShape {
    /// The words that the value can have.
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

    /// The plain text, escaped for a cell of a Markdown table.
    fileprivate var escaped: String { cell.replacing("`", with: "\\`") }

    /// The anchor that DocC creates for a heading.
    fileprivate var anchor: String { replacing(" ", with: "-") }
}
