/// How much work an archive may ask for.
///
/// An archive says how often its password is hashed, up to a hundred million times in the programs that limit it at all, and it may say
/// so for each of a thousand bags: minutes or hours before the first byte is known to be worth anything. All derivations of one archive
/// share four million rounds here, some seconds. Three derivations of 600 000 rounds (the most that Windows reads, and what OWASP
/// advises for PBKDF2 with SHA-256) fit, twice over where an empty password is tried in its two forms.
struct RoundBudget {
    static let limit = 4_000_000
    private var left = limit

    /// Takes the rounds for a key before they are run.
    ///
    /// - Parameters:
    ///   - iterations: As the archive says.
    ///   - byteCount: The key's length; each further output of the hash function is paid for again.
    mutating func spend(_ iterations: Int, for byteCount: Int, with hash: ArchiveHash) throws(IdentityError) {
        guard iterations > 0 else {
            throw IdentityError(.malformed, detail: "The archive derives a key with less than one iteration.")
        }
        let outputs = (byteCount + hash.byteCount - 1) / hash.byteCount
        guard iterations <= left / max(outputs, 1) else {
            throw IdentityError(
                .tooLarge, detail: "The archive asks for more than \(Self.limit) rounds of hashing altogether.")
        }
        left -= iterations * outputs
    }
}
