/// A type that obfuscates texts and reverses the obfuscation.
public protocol Obfuscating: Sendable {
    /// Returns the obfuscated bytes of a text.
    func obfuscate(_ string: String) -> [UInt8]
    /// Returns the text of bytes that were obfuscated with the same salt.
    func deobfuscate(_ bytes: [UInt8]) -> String
}

/// Obfuscates a text, such as an API key, so that a search for texts in the program does not find it.
///
/// This is **obfuscation, not encryption**: an attacker with the program has the salt, and with it the text. Never put a secret
/// into the program that its user must not know. Every text is restored exactly. Bytes that were obfuscated with another salt, or
/// by the SAP SDK, whose algorithm is not documented, yield meaningless text.
///
/// ```swift
/// let obfuscator = Obfuscator()
/// let key = obfuscator.deobfuscate(obfuscator.obfuscate("countersign-api-key"))
/// ```
public struct Obfuscator: Obfuscating {
    private let seed: UInt64

    /// Creates an obfuscator.
    ///
    /// - Parameter salt: Any text. The same salt is needed to reverse the obfuscation.
    public init(with salt: String = "defaultSalt") {
        // FNV-1a, 64 bits.
        seed = salt.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    public func obfuscate(_ string: String) -> [UInt8] { mixed(Array(string.utf8)) }

    public func deobfuscate(_ bytes: [UInt8]) -> String { String(decoding: mixed(bytes), as: UTF8.self) }

    /// Returns the bytes XORed with those of a generator (SplitMix64). A second call restores the original bytes.
    private func mixed(_ bytes: [UInt8]) -> [UInt8] {
        var state = seed
        return bytes.map { byte in
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return byte ^ UInt8(truncatingIfNeeded: value ^ (value >> 31))
        }
    }
}
