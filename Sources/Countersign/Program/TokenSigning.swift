/// Signs tokens, for which the runtime's core has no code; `CountersignJWT` conforms.
@_spi(Generated) public protocol TokenSigning: Sendable {
    /// A signed JSON Web Token in the compact form (RFC 7515, section 7.1).
    ///
    /// - Parameters:
    ///   - claims: What it says, as JSON.
    ///   - key: A private key in PEM.
    ///   - name: What verifiers call the key; `nil` for nothing.
    /// - Throws: ``UnusableSigningKey``.
    func token(saying claims: [UInt8], signedBy key: String, named name: String?) async throws(UnusableSigningKey) -> String
}

/// A text is no private key that signs tokens.
@_spi(Generated) public struct UnusableSigningKey: Error, Sendable, Hashable {
    /// Makes the error, which says nothing of the text.
    public init() {}
}
