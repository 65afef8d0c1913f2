/// A string literal, quotes included.
package struct SwiftStringLiteral: SwiftText, Hashable {
    package let source: String

    /// Makes the literal that stands for a text, whatever it has in it.
    package init(_ text: String) {
        source = "\"\(Self.escaped(text))\""
    }

    /// The text as it stands between quotes, also next to an interpolation.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        // A combining mark stays only behind a character that it belongs to: elsewhere it would combine with the quote or the escape.
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

    /// Whether a reader sees the scalar as what it is: no control, no invisible character, no unusual space, no change of direction.
    private static func isPlain(_ scalar: Unicode.Scalar, mayBeMark: Bool) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        case .spaceSeparator: scalar == " "
        case .nonspacingMark, .spacingMark, .enclosingMark: mayBeMark
        default: true
        }
    }
}
