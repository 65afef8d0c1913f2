import Countersign
import CountersignIdentity
import NIOSSL

extension ClientIdentity {
    /// The certificates as the TLS library takes them.
    func certificateSources() throws -> [NIOSSLCertificateSource] {
        try certificateChain.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) }
    }

    /// The key as the TLS library takes it.
    func privateKeySource() throws -> NIOSSLPrivateKeySource {
        .privateKey(try NIOSSLPrivateKey(bytes: privateKey.pkcs8.bytes, format: .der))
    }
}
