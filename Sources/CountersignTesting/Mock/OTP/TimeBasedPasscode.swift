import Crypto
public import Foundation

/// Makes one-time passcodes from a secret and the time (RFC 6238), as an authenticator app does.
public struct TimeBasedPasscode: Sendable {
    /// What the secret is hashed with.
    public enum Algorithm: Sendable, Hashable, CaseIterable {
        case sha1, sha256, sha512
    }

    /// What the app and the server share.
    public let secret: [UInt8]
    /// What the secret is hashed with.
    public let algorithm: Algorithm
    /// How many digits a code has, from 6 to 8 (RFC 4226, section 5.3).
    public let digits: Int
    /// How many seconds a code is shown.
    public let period: Int

    /// Makes a generator.
    ///
    /// - Parameters:
    ///   - secret: What the app and the server share.
    ///   - algorithm: What the secret is hashed with.
    ///   - digits: How many digits a code has; beyond 6 and 8 the nearer of them counts.
    ///   - period: How many seconds a code is shown, at least one.
    public init(secret: [UInt8], algorithm: Algorithm = .sha1, digits: Int = 6, period: Int = 30) {
        self.secret = secret
        self.algorithm = algorithm
        self.digits = min(max(digits, 6), 8)
        self.period = max(period, 1)
    }

    /// How many periods have passed at a time since 1970; none before.
    public func step(at date: Date) -> UInt64 {
        UInt64(max(date.timeIntervalSince1970, 0)) / UInt64(period)
    }

    /// The code that is shown at a time.
    public func code(at date: Date) -> String { code(step: step(at: date)) }

    /// The code of a step (RFC 4226, section 5.3).
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
    /// No code, and nothing that makes one.
    public var description: String { "TimeBasedPasscode(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
