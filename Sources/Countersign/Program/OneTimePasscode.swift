internal import Crypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Time-based one-time passcodes (RFC 6238) in the form that most servers accept: HMAC-SHA-1, 6 digits, a period of 30 seconds.
enum OneTimePasscode {
    private static var period: Double { 30 }

    /// Returns the passcode at a point in time.
    ///
    /// - Parameter key: The shared key in Base32 (RFC 4648, section 6), in any case, with or without padding, spaces and hyphens.
    /// - Returns: `nil` if the key is invalid.
    static func passcode(for key: String, at date: Date) -> String? {
        guard let key = bytes(inBase32: key), !key.isEmpty, date.timeIntervalSince1970 >= 0 else { return nil }
        let counter = UInt64(date.timeIntervalSince1970 / period)
        let message = (0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * UInt64($0))) }
        let code = Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: key)))
        // The last four bits are the offset of the four bytes that are used (RFC 4226, section 5.3).
        let offset = Int(code[code.count - 1] & 0xF)
        let number = code[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    private static func bytes(inBase32 text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for character in text.utf8.filter({ $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "=") }) {
            let value: UInt8
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a")
            case UInt8(ascii: "2")...UInt8(ascii: "7"): value = character - UInt8(ascii: "2") + 26
            default: return nil
            }
            bits = bits << 5 | UInt32(value)
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
                bits &= (1 << UInt32(count)) - 1
            }
        }
        return bytes
    }
}
