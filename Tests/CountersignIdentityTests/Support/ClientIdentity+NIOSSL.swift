import Countersign
import CountersignIdentity
import NIOSSL

extension ClientIdentity {
    /// Returns the certificates in the form of the TLS library.
    func certificateSources() throws -> [NIOSSLCertificateSource] {
        try certificateChain.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) }
    }

    /// Returns the key in the form of the TLS library.
    func privateKeySource() throws -> NIOSSLPrivateKeySource {
        .privateKey(try NIOSSLPrivateKey(bytes: privateKey.pkcs8.bytes, format: .der))
    }
}
