/// Writes diagnostics as text.
///
/// The first line of each is `file:line:column: error: message [CS0201]`, which SwiftPM, Xcode and editors read; so are its notes.
/// For people at a terminal, the source line follows, with a caret under the mistake.
package struct DiagnosticRenderer: Sendable {
    private let lines: @Sendable (SourceLocation) -> String?
    private let usesColor: Bool

    /// Makes a renderer that writes one line for each message.
    package init() {
        lines = { _ in nil }
        usesColor = false
    }

    /// Makes a renderer for a terminal, which shows the source as well.
    ///
    /// - Parameters:
    ///   - sources: The files that were read.
    ///   - usesColor: Whether escape sequences may be written. The caller knows whether the output is a terminal and checks
    ///     `NO_COLOR`.
    package init(showing sources: SpecSources, usesColor: Bool) {
        var texts: [String: SourceText] = [:]
        for file in sources.own + sources.inherited {
            texts[file.path] = SourceText(lenient: file)
        }
        lines = { [texts] in texts[$0.file]?.line($0.line) }
        self.usesColor = usesColor
    }

    /// All diagnostics, each with its notes, ending in a line break if there are any.
    package func text(_ diagnostics: [Diagnostic]) -> String {
        diagnostics.map(text).joined()
    }

    /// The line to write after the diagnostics of a run, with the command that shows an example of a code; empty if there are none.
    package static func pointer(for diagnostics: [Diagnostic]) -> String {
        guard let first = diagnostics.first else { return "" }
        let codes = Set(diagnostics.map(\.code))
        let example = codes.count == 1 ? "an incorrect and a corrected example" : "an example of each code, incorrect and corrected"
        return "For \(example): countersign explain \(first.code.rawValue)\n"
    }

    private func text(_ diagnostic: Diagnostic) -> String {
        // A message that says what to write needs no question after it.
        let isAnswered = diagnostic.message.contains("; write ")
        let suggestion = diagnostic.suggestion.map { isAnswered ? "" : "; did you mean '\($0)'?" } ?? ""
        let message = "\(diagnostic.message)\(suggestion) [\(diagnostic.code.rawValue)]"
        var text = line(diagnostic.severity, message, at: diagnostic.location)
        text += snippet(at: diagnostic.location, length: diagnostic.length)
        for note in diagnostic.notes {
            text += line(.note, note.message, at: note.location)
            text += snippet(at: note.location, length: 1)
        }
        return text
    }

    private func line(_ severity: Diagnostic.Severity, _ message: String, at location: SourceLocation) -> String {
        let place = "\(location.file.printable):\(location.line):\(location.column):"
        return "\(styled(place, .bold)) \(styled("\(severity.rawValue):", Style(severity))) \(styled(message.printable, .bold))\n"
    }

    private func snippet(at location: SourceLocation, length: Int) -> String {
        guard let line = lines(location) else { return "" }
        // A long line is cut around the caret: a file can be one line with a thousand mistakes.
        let all = Array(line.unicodeScalars)
        let start = location.column <= Self.maximumBeforeCaret ? 0 : location.column - Self.maximumBeforeCaret
        let end = min(all.count, start + Self.maximumBeforeCaret + Self.maximumAfterCaret)
        let scalars = start < end ? Array(all[start..<end]) : []
        let shown = (start > 0 ? "…" : "") + String(scalars: scalars).printable + (end < all.count ? "…" : "")
        // The caret's line repeats tabs, so that the caret is below its character.
        let column = location.column - start
        let indentation = (start > 0 ? " " : "") + String(scalars: scalars.prefix(column - 1).map { $0 == "\t" ? "\t" : " " })
        let underlined = max(1, min(length, scalars.count - column + 1))
        let caret = "^" + String(repeating: "~", count: underlined - 1)
        let number = String(location.line)
        let gutter = String(repeating: " ", count: number.count)
        return "\(number) | \(shown)\n\(gutter) | \(indentation)\(styled(caret, .green))\n"
    }

    private static let maximumBeforeCaret = 120
    private static let maximumAfterCaret = 120

    private func styled(_ text: String, _ style: Style) -> String {
        usesColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// A parameter of the escape sequence `SGR`.
    private enum Style: String {
        case bold = "1"
        case red = "1;31"
        case green = "1;32"
        case magenta = "1;35"
        case cyan = "1;36"

        init(_ severity: Diagnostic.Severity) {
            switch severity {
            case .error: self = .red
            case .warning: self = .magenta
            case .note: self = .cyan
            }
        }
    }
}

extension String {
    /// The text in which each character that would end the line or control the terminal is replaced, since names in messages come
    /// from files.
    fileprivate var printable: String {
        String(
            scalars: unicodeScalars.map { scalar in
                // Format characters are replaced, too: they change the direction of the following text, or are invisible.
                let category = scalar.properties.generalCategory
                let isHidden = (category == .control && scalar != "\t") || category == .format
                return isHidden || scalar.isLineBreak ? "\u{FFFD}" : scalar
            })
    }
}

extension SourceText {
    /// Decodes a file that need not be a spec. Invalid UTF-8 is replaced.
    fileprivate init(lenient file: SpecFile) {
        var scalars = Array(String(decoding: file.bytes, as: UTF8.self).unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        self.init(file: file.path, scalars: scalars)
    }
}
