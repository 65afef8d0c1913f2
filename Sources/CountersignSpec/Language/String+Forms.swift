extension Unicode.Scalar {
    /// Whether the character is an ASCII letter or digit, or `_`.
    var isNamePart: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }

    /// Whether the character is a `tchar` (RFC 9110, section 5.6.2).
    var isTokenPart: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "!", "#", "$", "%", "&", "'", "*", "+", "-", ".", "^", "_", "`", "|", "~": true
        default: false
        }
    }

    /// Whether the character is a control character other than a tab.
    var isControl: Bool { value < 0x20 && self != "\t" || value == 0x7F }
}

extension String {
    /// Whether the text is an identifier of ASCII characters. Keywords are identifiers, too.
    var isIdentifier: Bool {
        guard let first = unicodeScalars.first, !("0"..."9").contains(first) else { return false }
        return unicodeScalars.allSatisfy(\.isNamePart)
    }

    /// Whether the text is a token (RFC 9110, section 5.6.2).
    var isToken: Bool { !isEmpty && unicodeScalars.allSatisfy(\.isTokenPart) }

    /// The number, if it is written in decimal digits without leading zeros, with an optional minus sign.
    var strictInteger: Int? {
        guard let number = Int(self), String(number) == self else { return nil }
        return number
    }
}
