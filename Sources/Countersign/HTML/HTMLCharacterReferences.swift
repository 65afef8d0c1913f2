/// The character references of HTML, `&…;`.
///
/// Only those of the standard's two thousand names are supported that pages use: the names of HTML 2, Latin-1, and common
/// punctuation. Other references are not replaced.
enum HTMLCharacterReferences {
    /// Decodes bytes in UTF-8 and replaces the references.
    ///
    /// - Parameter inAttribute: Whether the bytes are an attribute's value. There, a name without its semicolon is not a
    ///   reference before a letter, a digit or an equals sign, so that `?a=1&copy=2` stays unchanged.
    static func resolve(_ bytes: ArraySlice<UInt8>, inAttribute: Bool) -> String {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var resolved: [UInt8] = []
        resolved.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.first {
            if byte == UInt8(ascii: "&"), let (text, length) = reference(rest, inAttribute: inAttribute) {
                resolved.append(contentsOf: text.utf8)
                rest = rest.dropFirst(length)
            } else {
                resolved.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: resolved, as: UTF8.self)
    }

    /// Returns the text for the reference at the start of the bytes, and the length of the reference in bytes.
    private static func reference(_ bytes: ArraySlice<UInt8>, inAttribute: Bool) -> (text: String, length: Int)? {
        let content = bytes.dropFirst()
        return content.first == UInt8(ascii: "#") ? number(content.dropFirst()) : name(content, inAttribute: inAttribute)
    }

    /// Parses references such as `&#228;` and `&#xE4;`. `bytes` begin after the number sign.
    private static func number(_ bytes: ArraySlice<UInt8>) -> (text: String, length: Int)? {
        let isHexadecimal = bytes.first.map { $0 | 0x20 } == UInt8(ascii: "x")
        let digits = (isHexadecimal ? bytes.dropFirst() : bytes).prefix(while: {
            value(of: $0, radix: isHexadecimal ? 16 : 10) != nil
        })
        guard !digits.isEmpty else { return nil }
        var code: UInt32 = 0
        for digit in digits where code <= 0x10FFFF {
            code = code * (isHexadecimal ? 16 : 10) + (value(of: digit, radix: isHexadecimal ? 16 : 10) ?? 0)
        }
        let isClosed = bytes.dropFirst(isHexadecimal ? 1 : 0).dropFirst(digits.count).first == UInt8(ascii: ";")
        let scalar = code == 0 ? nil : Unicode.Scalar(windows1252[code] ?? code)
        return (String(Character(scalar ?? "\u{FFFD}")), 2 + (isHexadecimal ? 1 : 0) + digits.count + (isClosed ? 1 : 0))
    }

    private static func name(_ bytes: ArraySlice<UInt8>, inAttribute: Bool) -> (text: String, length: Int)? {
        let letters = bytes.prefix(maximumNameLength).prefix(while: isAlphanumeric)
        let next = bytes.dropFirst(letters.count).first
        if next == UInt8(ascii: ";"), let character = named[String(decoding: letters, as: UTF8.self)] {
            return (character, letters.count + 2)
        }
        // The old names are references even without a semicolon, regardless of the next character: `&ampx`.
        for length in stride(from: min(letters.count, 6), to: 1, by: -1) {
            guard let character = oldNames[String(decoding: letters.prefix(length), as: UTF8.self)] else { continue }
            let following = bytes.dropFirst(length).first
            if inAttribute, let following, isAlphanumeric(following) || following == UInt8(ascii: "=") { return nil }
            return (character, length + 1)
        }
        return nil
    }

    private static func value(of digit: UInt8, radix: UInt32) -> UInt32? {
        let value: UInt32
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): value = UInt32(digit - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): value = UInt32(digit - UInt8(ascii: "A")) + 10
        default: return nil
        }
        return value < radix ? value : nil
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }

    // MARK: Tables

    /// U+00A0 to U+00FF, in order.
    private static let latin1 = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot \
        cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml \
        Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig \
        agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute \
        ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
        """

    /// The names that browsers also accept without a semicolon.
    private static let oldNames: [String: String] = {
        var names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "AMP": "&", "LT": "<", "GT": ">", "QUOT": "\""]
        for (offset, name) in latin1.split(separator: " ").enumerated() {
            names[String(name)] = Unicode.Scalar(UInt32(0xA0 + offset)).map { String(Character($0)) }
        }
        return names
    }()

    private static let named: [String: String] = oldNames.merging([
        "apos": "'", "num": "#", "percnt": "%", "lpar": "(", "rpar": ")", "ast": "*", "plus": "+", "comma": ",", "period": ".",
        "sol": "/",
        "colon": ":", "semi": ";", "equals": "=", "quest": "?", "commat": "@", "lsqb": "[", "rsqb": "]", "bsol": "\\",
        "lowbar": "_",
        "lbrace": "{", "rbrace": "}", "verbar": "|", "excl": "!", "dollar": "$", "grave": "`", "Tab": "\t", "NewLine": "\n",
        "euro": "€", "trade": "™", "bull": "•", "hellip": "…", "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "sbquo": "‚",
        "ldquo": "“", "rdquo": "”", "bdquo": "„", "lsaquo": "‹", "rsaquo": "›", "dagger": "†", "permil": "‰", "OElig": "Œ",
        "oelig": "œ",
        "Scaron": "Š", "scaron": "š", "Yuml": "Ÿ", "circ": "ˆ", "tilde": "˜", "ensp": "\u{2002}", "emsp": "\u{2003}",
        "thinsp": "\u{2009}", "zwnj": "\u{200C}", "zwj": "\u{200D}", "larr": "←", "rarr": "→",
    ]) { old, _ in old }

    private static let maximumNameLength = 8

    /// The code numbers that old pages took from the Windows code page 1252.
    private static let windows1252: [UInt32: UInt32] = [
        0x80: 0x20AC, 0x82: 0x201A, 0x83: 0x0192, 0x84: 0x201E, 0x85: 0x2026, 0x86: 0x2020, 0x87: 0x2021, 0x88: 0x02C6,
        0x89: 0x2030,
        0x8A: 0x0160, 0x8B: 0x2039, 0x8C: 0x0152, 0x8E: 0x017D, 0x91: 0x2018, 0x92: 0x2019, 0x93: 0x201C, 0x94: 0x201D,
        0x95: 0x2022,
        0x96: 0x2013, 0x97: 0x2014, 0x98: 0x02DC, 0x99: 0x2122, 0x9A: 0x0161, 0x9B: 0x203A, 0x9C: 0x0153, 0x9E: 0x017E,
        0x9F: 0x0178,
    ]
}
