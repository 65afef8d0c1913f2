extension Unicode.Scalar {
    /// An ASCII letter or digit, or `_`.
    var isNamePart: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }

    /// A `tchar` of RFC 9110, section 5.6.2.
    var isTokenPart: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "!", "#", "$", "%", "&", "'", "*", "+", "-", ".", "^", "_", "`", "|", "~": true
        default: false
        }
    }

    /// A control character other than a tab.
    var isControl: Bool { value < 0x20 && self != "\t" || value == 0x7F }
}

extension String {
    /// Whether it is an identifier of ASCII characters, keyword or not.
    var isIdentifier: Bool {
        guard let first = unicodeScalars.first, !("0"..."9").contains(first) else { return false }
        return unicodeScalars.allSatisfy(\.isNamePart)
    }

    /// Whether it is a token of RFC 9110.
    var isToken: Bool { !isEmpty && unicodeScalars.allSatisfy(\.isTokenPart) }

    /// The number, if it is written with digits and at most a minus sign before them, without zeros before it.
    var strictInteger: Int? {
        guard let number = Int(self), String(number) == self else { return nil }
        return number
    }
}
