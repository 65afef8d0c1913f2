/// Unpredictable texts.
package enum Token {
    /// Returns 128 random bits as lowercase hexadecimal digits.
    package static func make() -> String {
        (0..<2).map { _ in
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
