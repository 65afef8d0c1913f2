/// Parses a line of challenges in one pass from left to right (RFC 9110, sections 11.2 and 11.6.1).
///
/// Commas separate both the challenges and the parameters of each challenge. A token after a comma is a parameter if `=` follows,
/// and otherwise another scheme.
struct AuthenticationChallengeParser {
    /// The limits for one response. A server offers only a few schemes with a few parameters.
    static let maximumChallenges = 32
    static let maximumParameters = 64

    private let bytes: [UInt8]
    private var index = 0
    /// Whether a syntax error was found. The rest of the line is then ignored.
    private var isBroken = false

    private init(_ line: String) { bytes = Array(line.utf8) }

    /// Returns the challenges of all lines of a field.
    static func challenges(in lines: [String]) -> [AuthenticationChallenge] {
        var challenges: [AuthenticationChallenge] = []
        for line in lines {
            var parser = AuthenticationChallengeParser(line)
            while challenges.count < maximumChallenges, let challenge = parser.next() { challenges.append(challenge) }
        }
        return challenges
    }
}

// MARK: - The grammar

extension AuthenticationChallengeParser {
    /// Parses the next challenge; `nil` at the end or at a syntax error.
    private mutating func next() -> AuthenticationChallenge? {
        skipSeparators()
        guard !isBroken, let scheme = token(), isAtBoundary else { return nil }
        let hasRest = skipSpace()
        // This is a parameter without a challenge: none precedes it, or that one has a `token68` instead.
        guard byte != UInt8(ascii: "=") else { return nil }
        guard hasRest else { return AuthenticationChallenge(scheme: scheme) }
        guard let token68 = token68() else { return AuthenticationChallenge(scheme: scheme, lowercaseParameters: parameters()) }
        expectComma()
        return AuthenticationChallenge(scheme: scheme, token68: token68)
    }

    /// Parses the text in place of parameters. If an equals sign and a value follow it, it is the name of a parameter.
    private mutating func token68() -> String? {
        let start = index
        skip(while: Self.isToken68Part)
        guard index > start else { return nil }
        let padding = index
        skip { $0 == UInt8(ascii: "=") }
        let end = index
        if isAtBoundary {
            skipSpace()
            let isElement = byte == nil || byte == UInt8(ascii: ",")
            if isElement || padding == end && byte != UInt8(ascii: "=") { return text(start..<end) }
        }
        index = start
        return nil
    }

    /// Parses the parameters up to the next scheme, the end, or a syntax error, by their lowercase names.
    private mutating func parameters() -> [String: String] {
        var parameters: [String: String] = [:]
        for _ in 0..<Self.maximumParameters {
            let hasComma = skipSeparators()
            let start = index
            guard let name = token(), nextIsEquals() else {
                // After a comma, this is the next scheme or invalid. The comma between parameters may be missing, as some servers
                // write them, but not that before a scheme.
                isBroken = !hasComma
                index = start
                return parameters
            }
            guard let value = value(), isAtBoundary else {
                isBroken = true
                return parameters
            }
            let key = name.lowercased()
            if parameters[key] == nil { parameters[key] = value }
        }
        isBroken = true
        return parameters
    }

    /// Skips an equals sign and the white space around it, if there is one.
    private mutating func nextIsEquals() -> Bool {
        skipSpace()
        guard byte == UInt8(ascii: "=") else { return false }
        index += 1
        skipSpace()
        return true
    }

    /// Parses the value of a parameter: a token or a quoted string (RFC 9110, section 5.6.4), or a URL that should be quoted.
    private mutating func value() -> String? {
        guard byte == UInt8(ascii: "\"") else { return tokenOrURL() }
        index += 1
        var value: [UInt8] = []
        while let byte {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: value, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = self.byte, Self.isText(escaped) else { return nil }
                value.append(escaped)
                index += 1
            default:
                guard Self.isText(byte) else { return nil }
                value.append(byte)
            }
        }
        return nil
    }

    /// Parses a token, or an absolute URL without quotes, which some servers send, for example as `realm` or `resource_metadata`.
    private mutating func tokenOrURL() -> String? {
        let start = index
        guard token() != nil else { return nil }
        if bytes[index...].starts(with: "://".utf8) { skip(while: Self.isURLPart) }
        return text(start..<index)
    }

    private mutating func token() -> String? {
        let start = index
        skip(while: Self.isTokenPart)
        return index > start ? text(start..<index) : nil
    }

    /// Skips white space and commas, since list elements can be empty (RFC 9110, section 5.6.1). Returns whether there was a
    /// comma.
    @discardableResult
    private mutating func skipSeparators() -> Bool {
        var hasComma = false
        skip { byte in
            if byte == UInt8(ascii: ",") { hasComma = true }
            return Self.isSpace(byte) || byte == UInt8(ascii: ",")
        }
        return hasComma
    }

    /// Checks that a list element ends with a comma or with the line.
    private mutating func expectComma() {
        skipSpace()
        if let byte, byte != UInt8(ascii: ",") { isBroken = true }
    }
}

// MARK: - Bytes

extension AuthenticationChallengeParser {
    private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Whether a token ends here.
    private var isAtBoundary: Bool { byte.map { Self.isSpace($0) || $0 == UInt8(ascii: ",") } ?? true }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = index
        skip(while: Self.isSpace)
        return index > start
    }

    private mutating func skip(while isSkipped: (UInt8) -> Bool) {
        while index < bytes.count, isSkipped(bytes[index]) { index += 1 }
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Whether a quoted string may contain the byte, either directly or escaped.
    private static func isText(_ byte: UInt8) -> Bool { byte == 0x09 || byte >= 0x20 && byte != 0x7F }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func isToken68Part(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"): true
        default: isLetterOrDigit(byte)
        }
    }

    /// Whether a URL without quotes continues with the byte: a character of a URI (RFC 3986, section 2) except the comma, which
    /// ends the parameter.
    private static func isURLPart(_ byte: UInt8) -> Bool { isTokenPart(byte) || ":/?@[]()=;".utf8.contains(byte) }

    /// Whether the byte is a `tchar` (RFC 9110, section 5.6.2).
    private static func isTokenPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: isLetterOrDigit(byte)
        }
    }
}
