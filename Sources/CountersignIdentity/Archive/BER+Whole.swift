internal import SwiftASN1

extension BER {
    /// Parses bytes that contain one element, and distinguishes truncated from damaged ones.
    ///
    /// - Parameter truncated: The error that is thrown if the bytes end before the element does. No bytes at all are truncated as
    ///   well.
    static func parse(whole bytes: [UInt8], truncated: IdentityError) throws -> ASN1Node {
        if isShorterThanItSays(bytes) { throw truncated }
        do {
            return try parse(bytes)
        } catch let error as ASN1Error where error.code == .truncatedASN1Field && bytes.count > 1 && bytes[1] == 0x80 {
            // In the indefinite form, truncation is detected only at the end.
            throw truncated
        }
    }

    /// Whether the length of the outermost element, if it is definite, exceeds the number of bytes.
    private static func isShorterThanItSays(_ bytes: [UInt8]) -> Bool {
        guard bytes.first == 0x30 || bytes.isEmpty else { return false }
        guard bytes.count > 1 else { return true }
        guard bytes[1] > 0x80 else { return bytes[1] < 0x80 && bytes.count < 2 + Int(bytes[1]) }
        let lengthByteCount = Int(bytes[1] & 0x7F)
        guard bytes.count >= 2 + lengthByteCount else { return true }
        // A longer length field is invalid.
        guard lengthByteCount <= 4 else { return false }
        return bytes.count < 2 + lengthByteCount + bytes[2..<(2 + lengthByteCount)].reduce(0) { $0 << 8 | Int($1) }
    }
}

/// The internal error for bytes with an unexpected structure. Like SwiftASN1's errors, it is converted to an ``IdentityError``
/// for callers.
struct UnexpectedStructure: Error {}
