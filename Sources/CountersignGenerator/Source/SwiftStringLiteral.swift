/// A string literal, quotes included.
package struct SwiftStringLiteral: SwiftText, Hashable {
    package let source: String

    /// Creates the literal for a text, which may contain any characters.
    package init(_ text: String) {
        source = "\"\(Self.escaped(text))\""
    }

    /// Returns the escaped text between the quotes, which can also adjoin an interpolation.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        // A combining mark is kept only after a plain character. Elsewhere it would combine with the quote or the escape.
        var mayTakeMark = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": escaped += "\\\""
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\r": escaped += "\\r"
            case "\t": escaped += "\\t"
            default:
                if isPlain(scalar, mayBeMark: mayTakeMark) {
                    escaped.unicodeScalars.append(scalar)
                    mayTakeMark = true
                    continue
                }
                escaped += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
            mayTakeMark = false
        }
        return escaped
    }

    /// Whether the scalar is displayed as itself: not a control, an invisible character, an unusual space or a change of
    /// direction.
    private static func isPlain(_ scalar: Unicode.Scalar, mayBeMark: Bool) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        case .spaceSeparator: scalar == " "
        case .nonspacingMark, .spacingMark, .enclosingMark: mayBeMark
        default: true
        }
    }
}
