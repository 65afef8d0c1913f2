/// Texts of others for a terminal or a log: servers, configurations and tokens must not move the cursor or reorder a line.
package enum VisibleText {
    /// Returns the text with control characters and invisible characters escaped, for example as `\u{1B}`.
    package static func escaped(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            if isVisible(scalar) { shown.unicodeScalars.append(scalar) } else { shown += escape(of: scalar) }
        }
        return shown
    }

    /// Returns each line of the text escaped.
    package static func escapedLines(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map { escaped(String($0)) }
            .joined(separator: "\n")
    }

    /// Returns a name of a technical kind, such as a key of a configuration, with everything escaped that such names do not have,
    /// including spaces, with which a long name could begin a line of its own.
    package static func escapedName(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            let isUsual = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            return isUsual || "._-:/@$".unicodeScalars.contains(scalar) ? String(scalar) : escape(of: scalar)
        }.joined()
    }

    private static func escape(of scalar: Unicode.Scalar) -> String {
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
