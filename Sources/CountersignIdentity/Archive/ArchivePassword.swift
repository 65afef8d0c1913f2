/// A password in the forms that archives use.
struct ArchivePassword {
    /// The password in big-endian UTF-16 with two zero bytes at the end, for the key derivation of PKCS #12 (RFC 7292, appendix
    /// B.1).
    let utf16: [UInt8]
    /// The password in UTF-8, for PKCS #5 (RFC 9579, section 3, and common practice).
    let utf8: [UInt8]

    init(_ text: String) {
        utf16 = (Array(text.utf16) + [0]).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        utf8 = Array(text.utf8)
    }

    private init() {
        utf16 = []
        utf8 = []
    }

    /// Returns the passwords to try: programs encode a missing password either as an empty text with its two zero bytes, or as no
    /// bytes.
    static func candidates(for text: String) -> [ArchivePassword] {
        text.isEmpty ? [ArchivePassword(text), ArchivePassword()] : [ArchivePassword(text)]
    }
}
