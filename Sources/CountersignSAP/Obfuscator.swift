/// Makes texts unreadable at first sight, and readable again.
public protocol Obfuscating: Sendable {
    /// Hides a text.
    func obfuscate(_ string: String) -> [UInt8]
    /// Shows a text that was hidden with the same salt.
    func deobfuscate(_ bytes: [UInt8]) -> String
}

/// Keeps a text, such as an API key, from being found by searching a program for texts.
///
/// This is **obfuscation, not encryption**: an attacker who has the program has the salt, and with it the text. What has to stay
/// secret from the owner of the device cannot be in the program at all. Any text comes back as it was; bytes that were hidden with
/// another salt, or by the SAP SDK, whose way is not documented, come back as nonsense.
///
/// ```swift
/// let obfuscator = Obfuscator()
/// let key = obfuscator.deobfuscate(obfuscator.obfuscate("countersign-api-key"))
/// ```
public struct Obfuscator: Obfuscating {
    private let seed: UInt64

    /// Makes an obfuscator.
    ///
    /// - Parameter salt: Any text; the same has to be used both ways.
    public init(with salt: String = "defaultSalt") {
        // FNV-1a, 64 bits.
        seed = salt.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    public func obfuscate(_ string: String) -> [UInt8] { mixed(Array(string.utf8)) }

    public func deobfuscate(_ bytes: [UInt8]) -> String { String(decoding: mixed(bytes), as: UTF8.self) }

    /// The bytes with those of a generator (SplitMix64) mixed in; doing it twice does nothing.
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
