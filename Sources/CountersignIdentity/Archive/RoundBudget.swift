/// The limit of the hash iterations of an archive.
///
/// An archive determines the number of iterations of each key derivation. Programs with a limit at all allow up to a hundred
/// million, and a thousand bags can each have that number, which would take minutes or hours before any content is verified.
/// Here, all derivations of an archive share four million iterations, which take some seconds. Three derivations of 600 000
/// iterations (the maximum that Windows reads, and OWASP's recommendation for PBKDF2 with SHA-256) are within the limit, even
/// twice, when an empty password is tried in its two forms.
struct RoundBudget {
    static let limit = 4_000_000
    private var left = limit

    /// Deducts the iterations of a key derivation, before it is performed.
    ///
    /// - Parameters:
    ///   - iterations: The number of iterations in the archive.
    ///   - byteCount: The length of the key. Each further output of the hash function counts again.
    mutating func spend(_ iterations: Int, for byteCount: Int, with hash: ArchiveHash) throws(IdentityError) {
        guard iterations > 0 else {
            throw IdentityError(.malformed, detail: "The archive derives a key with fewer than one iteration.")
        }
        let outputs = (byteCount + hash.byteCount - 1) / hash.byteCount
        guard iterations <= left / max(outputs, 1) else {
            throw IdentityError(
                .tooLarge, detail: "The archive requires more than \(Self.limit) rounds of hashing in total.")
        }
        left -= iterations * outputs
    }
}
