import Crypto
public import Foundation

/// Generates one-time passcodes from a secret and the time (RFC 6238), like an authenticator app.
public struct TimeBasedPasscode: Sendable {
    /// The hash algorithm.
    public enum Algorithm: Sendable, Hashable, CaseIterable {
        case sha1, sha256, sha512
    }

    /// The shared secret.
    public let secret: [UInt8]
    /// The hash algorithm.
    public let algorithm: Algorithm
    /// The number of digits of a code, from 6 to 8 (RFC 4226, section 5.3).
    public let digits: Int
    /// The period of a code in seconds.
    public let period: Int

    /// Creates a generator.
    ///
    /// - Parameters:
    ///   - secret: The shared secret.
    ///   - algorithm: The hash algorithm.
    ///   - digits: The number of digits of a code, clamped to 6 … 8.
    ///   - period: The period of a code in seconds, at least one.
    public init(secret: [UInt8], algorithm: Algorithm = .sha1, digits: Int = 6, period: Int = 30) {
        self.secret = secret
        self.algorithm = algorithm
        self.digits = min(max(digits, 6), 8)
        self.period = max(period, 1)
    }

    /// Returns the number of periods between 1970 and a time; zero before.
    public func step(at date: Date) -> UInt64 {
        UInt64(max(date.timeIntervalSince1970, 0)) / UInt64(period)
    }

    /// Returns the code at a time.
    public func code(at date: Date) -> String { code(step: step(at: date)) }

    /// Returns the code of a step (RFC 4226, section 5.3).
    func code(step: UInt64) -> String {
        let message = withUnsafeBytes(of: step.bigEndian) { Data($0) }
        let key = SymmetricKey(data: secret)
        let hash: [UInt8] =
            switch algorithm {
            case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
            case .sha256: Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
            case .sha512: Array(HMAC<SHA512>.authenticationCode(for: message, using: key))
            }
        let offset = Int((hash.last ?? 0) & 0xF)
        let number = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let limit: UInt32 = digits == 6 ? 1_000_000 : digits == 7 ? 10_000_000 : 100_000_000
        let text = String(number % limit)
        return String(repeating: "0", count: digits - text.count) + text
    }
}

extension TimeBasedPasscode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A placeholder, without codes or secrets.
    public var description: String { "TimeBasedPasscode(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
