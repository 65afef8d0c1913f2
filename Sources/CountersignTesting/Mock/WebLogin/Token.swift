/// Texts that cannot be guessed.
package enum Token {
    /// 128 random bits as lower case hexadecimal digits.
    package static func make() -> String {
        (0..<2).map { _ in
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
