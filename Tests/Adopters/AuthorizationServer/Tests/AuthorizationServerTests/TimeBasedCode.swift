import Crypto
import Foundation

/// The codes of a second factor (RFC 6238 with RFC 4226), as an authenticator app shows them.
struct TimeBasedCode {
    let secret: [UInt8]
    var digits = 6

    /// The validity period of a code, in seconds.
    static let step = 30

    /// Returns the number of the step that contains a time.
    static func counter(at date: Date) -> UInt64 { UInt64(date.timeIntervalSince1970) / UInt64(step) }

    /// Returns the code of a step.
    func code(_ counter: UInt64) -> String {
        let message = withUnsafeBytes(of: counter.bigEndian) { Array($0) }
        let hash = Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: secret)))
        let offset = Int(hash[hash.count - 1] & 0xF)
        let number = hash[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let text = String(number)
        return String((String(repeating: "0", count: digits) + text).suffix(digits))
    }
}
