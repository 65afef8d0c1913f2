/// Signs JSON Web Tokens outside of the core module. `CountersignJWT` has a conforming type.
@_spi(Generated) public protocol TokenSigning: Sendable {
    /// Returns a signed JSON Web Token in compact serialisation (RFC 7515, section 7.1).
    ///
    /// - Parameters:
    ///   - claims: The claims as JSON.
    ///   - key: A private key in PEM. If the text also contains certificates, the header has the thumbprint of the first
    ///     (`x5t#S256`).
    ///   - name: The identifier of the key (`kid`); `nil` for none.
    ///   - rsaAlgorithm: The algorithm of an RSA key.
    /// - Throws: ``UnusableSigningKey``.
    func token(
        saying claims: [UInt8], signedBy key: String, named name: String?, rsaAlgorithm: HTTPCall.Client.RSAAlgorithm
    ) async throws(UnusableSigningKey) -> String
}

/// A text is not a private key for signing tokens.
@_spi(Generated) public struct UnusableSigningKey: Error, Sendable, Hashable {
    /// Creates the error, which contains nothing of the text.
    public init() {}
}
