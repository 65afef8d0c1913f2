/// Texts that cannot be guessed.
enum RandomText {
    /// Returns 256 bits of the system's random source as 43 characters of Base64url without padding.
    static func make() -> String {
        var source = SystemRandomNumberGenerator()
        return make(using: &source)
    }

    /// Returns 256 random bits as 43 characters of Base64url without padding.
    static func make(using source: inout some RandomNumberGenerator) -> String {
        let bytes = (0..<4).flatMap { _ in withUnsafeBytes(of: source.next().bigEndian, Array.init) }
        return Base64URL.text(bytes)
    }
}
