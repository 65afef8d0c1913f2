import Crypto
import Foundation

/// The codes of a second factor (RFC 6238 with RFC 4226): what an authenticator app shows.
struct TimeBasedCode {
    let secret: [UInt8]
    var digits = 6

    /// How long a code is good for, in seconds.
    static let step = 30

    /// The number of the step that a time is in.
    static func counter(at date: Date) -> UInt64 { UInt64(date.timeIntervalSince1970) / UInt64(step) }

    /// The code of a step.
    func code(_ counter: UInt64) -> String {
        let message = withUnsafeBytes(of: counter.bigEndian) { Array($0) }
        let hash = Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: secret)))
        let offset = Int(hash[hash.count - 1] & 0xF)
        let number = hash[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let text = String(number)
        return String((String(repeating: "0", count: digits) + text).suffix(digits))
    }
}
