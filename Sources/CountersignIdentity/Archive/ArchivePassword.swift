/// A password in the forms that archives use.
struct ArchivePassword {
    /// UTF-16, big-endian, with two zeros behind it: for PKCS #12's own derivation (RFC 7292, appendix B.1).
    let utf16: [UInt8]
    /// For PKCS #5 (RFC 9579, section 3, and common practice).
    let utf8: [UInt8]

    init(_ text: String) {
        utf16 = (Array(text.utf16) + [0]).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        utf8 = Array(text.utf8)
    }

    private init() {
        utf16 = []
        utf8 = []
    }

    /// What a reader has to try: programs disagree on whether no password is an empty text, with its two zeros, or nothing at all.
    static func candidates(for text: String) -> [ArchivePassword] {
        text.isEmpty ? [ArchivePassword(text), ArchivePassword()] : [ArchivePassword(text)]
    }
}
