/// The alphabets of RFC 6749 (appendix A), 6750 (section 2.1) and 7636 (section 4).
///
/// All are subsets of ASCII, so valid texts can be compared as `String`: two that differ in a byte are never equal.
enum OAuth2Syntax {
    /// Whether a text is printable ASCII, as identifiers, codes, refresh tokens and `state` must be.
    static func isVisible(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// Whether a text is one scope: printable ASCII without space, quotation mark and backslash.
    static func isScope(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }

    /// Whether a text is a bearer token as in the `Authorization` field.
    static func isBearerToken(_ text: String) -> Bool {
        let end = text.utf8.lastIndex { $0 != UInt8(ascii: "=") }
        guard let end else { return false }
        return text.utf8[...end].allSatisfy { isUnreserved($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
    }

    /// Whether a text is a code verifier: 43 to 128 unreserved characters.
    static func isCodeVerifier(_ text: String) -> Bool {
        (43...128).contains(text.utf8.count) && text.utf8.allSatisfy(isUnreserved)
    }

    /// Whether a text is a code challenge of S256: 32 bytes in base64url without padding.
    static func isCodeChallenge(_ text: String) -> Bool {
        text.utf8.count == 43
            && text.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || "-._~".utf8.contains(byte)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
