internal import SwiftASN1

extension BER {
    /// Parses bytes that are one element, and tells those that end early from those that are damaged.
    ///
    /// - Parameter truncated: Thrown if the bytes end before the element does. Nothing at all is the shortest beginning of one.
    static func parse(whole bytes: [UInt8], truncated: IdentityError) throws -> ASN1Node {
        if isShorterThanItSays(bytes) { throw truncated }
        do {
            return try parse(bytes)
        } catch let error as ASN1Error where error.code == .truncatedASN1Field && bytes.count > 1 && bytes[1] == 0x80 {
            // Of indefinite length: that it ends early shows only at the end.
            throw truncated
        }
    }

    /// Whether the outermost length, if it is definite, is more than there is.
    private static func isShorterThanItSays(_ bytes: [UInt8]) -> Bool {
        guard bytes.first == 0x30 || bytes.isEmpty else { return false }
        guard bytes.count > 1 else { return true }
        guard bytes[1] > 0x80 else { return bytes[1] < 0x80 && bytes.count < 2 + Int(bytes[1]) }
        let lengthByteCount = Int(bytes[1] & 0x7F)
        guard bytes.count >= 2 + lengthByteCount else { return true }
        // A longer number is no length of anything.
        guard lengthByteCount <= 4 else { return false }
        return bytes.count < 2 + lengthByteCount + bytes[2..<(2 + lengthByteCount)].reduce(0) { $0 << 8 | Int($1) }
    }
}

/// What is thrown inside, next to SwiftASN1's errors, where bytes are not the structure that was expected; outside it is an
/// ``IdentityError``.
struct UnexpectedStructure: Error {}
