import CountersignGenerator
import CountersignSpec

/// The description of a message code, in parts that a page and a terminal both show.
struct MessageDescription {
    /// A part, in the order of the page.
    enum Part {
        case heading(String)
        /// In Markdown.
        case paragraph(String)
        /// The heading of the construct in "The spec language".
        case construct(String)
        case code(language: String, lines: [String])
    }

    /// Such as `CS0201: unknown key`.
    let title: String
    let parts: [Part]

    /// - Parameter width: The maximum number of columns of a line in a block. Messages are broken at spaces.
    /// - Throws: `RenderingError` if a template is invalid.
    init(_ example: MessageExample, width: Int) throws {
        title = "\(example.code.rawValue): \(example.title)"
        let severity =
            switch example.code.severity {
            case .error: "An error: nothing is generated until it is corrected."
            case .warning: "A warning: code is generated all the same."
            case .note: "A note."
            }
        let message = DiagnosticRenderer(showing: example.broken.sources, usesColor: false)
            .text(try example.broken.diagnostics())
        let lines = message.split(separator: "\n").flatMap { line -> [String] in
            // Lines of the source, and carets below them, stay as they are.
            line.contains(/^[0-9 ]+\|[ ]/) ? [String(line)] : LineBreaking.lines(String(line), width: width)
        }
        parts =
            [.paragraph(example.code.explanation), .paragraph(severity)] + (example.section.map { [.construct($0)] } ?? [])
            + [.heading("The message"), .code(language: "", lines: lines)]
            + [.heading("Incorrect")] + Self.parts(of: example.broken)
            + [.heading("Corrected")] + Self.parts(of: example.mended, changed: example.broken)
            + [.heading("Why, and what to do"), .paragraph(example.reason)]
    }

    /// Returns the files that are shown.
    ///
    /// - Parameter others: The files of the other example, for naming the lines that changed.
    private static func parts(of sources: ExampleSources, changed others: ExampleSources? = nil) -> [Part] {
        let files = (sources.own + sources.inherited).filter(\.isShown).flatMap { file -> [Part] in
            if let description = file.description { return [.paragraph("`\(file.name)`: \(description)")] }
            let other = others.flatMap { ($0.own + $0.inherited).first { $0.name == file.name && $0.description == nil } }
            if let other, other.lines == file.lines { return [.paragraph("`\(file.name)` stays as it is.")] }
            let change = other.flatMap { LineChange(from: $0.lines, to: file.lines)?.words }
            return [
                .paragraph("`\(file.name)`\(change.map { ", \($0)" } ?? ""):"), .code(language: "yaml", lines: file.lines),
            ]
        }
        return (sources.note.map { [.paragraph($0)] } ?? []) + files
    }
}

extension ExampleFile {
    /// The lines of the text.
    fileprivate var lines: [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return lines.last == "" ? lines.dropLast() : lines
    }
}

extension MessageDescription {
    /// The article of DocC.
    var page: String {
        var lines = ["# \(title)"]
        for (index, part) in parts.enumerated() {
            // The overview follows the abstract.
            if index == 1 { lines += ["", "## Overview"] }
            switch part {
            case .heading(let text): lines += ["", "## \(text)"]
            case .paragraph(let text): lines += ["", text]
            case .construct(let heading): lines += ["", "The construct: \(SpecReference.link(heading, to: heading))."]
            case .code(let language, let code): lines += ["", "```\(language)"] + code + ["```"]
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the lines for a terminal, in `width` columns.
    func lines(width: Int) -> [String] {
        var lines = [title]
        for part in parts {
            switch part {
            case .heading(let text): lines += ["", text]
            case .paragraph(let text): lines += LabelledText(label: "", text: text).lines(textAt: 2, width: width)
            case .construct(let heading): lines.append("  The construct: '\(heading)' in 'countersign reference'.")
            case .code(_, let code): lines += code.map { "    " + $0 }
            }
        }
        return lines
    }
}

/// The pages of all message codes.
enum MessagePages {
    /// The maximum number of columns of a line in a code block.
    static let width = 76

    /// Returns the articles, as files of a DocC catalog.
    ///
    /// - Throws: `RenderingError` if a template is invalid.
    static func files() throws -> [GeneratedFile] {
        try MessageExample.all.map { example in
            GeneratedFile(name: example.code.rawValue + ".md", text: try MessageDescription(example, width: width).page)
        }
    }
}
