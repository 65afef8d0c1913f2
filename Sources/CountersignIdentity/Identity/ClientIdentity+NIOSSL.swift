internal import Countersign
public import NIOSSL

extension ClientIdentity {
    /// The certificates as NIOSSL takes them, for `TLSConfiguration.certificateChain`: the client's own first.
    ///
    /// Make a configuration once for an identity and keep it: connections are shared among those of equal configurations.
    ///
    /// - Throws: ``IdentityError/Code/unsupported`` for a certificate that NIOSSL does not read.
    public func certificateSources() throws(IdentityError) -> [NIOSSLCertificateSource] {
        do {
            return try certificateChain.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) }
        } catch {
            throw IdentityError(.unsupported, detail: "The TLS library does not read the certificate.")
        }
    }

    /// The key as NIOSSL takes it, for `TLSConfiguration.privateKey`.
    ///
    /// - Throws: ``IdentityError/Code/unsupported`` for a key that NIOSSL does not read.
    public func privateKeySource() throws(IdentityError) -> NIOSSLPrivateKeySource {
        do {
            return .privateKey(try NIOSSLPrivateKey(bytes: privateKey.pkcs8.bytes, format: .der))
        } catch {
            throw IdentityError(.unsupported, detail: "The TLS library does not read the private key.")
        }
    }
}
