internal import Countersign
internal import CountersignIdentity
internal import NIOCore
internal import NIOSSL

/// The TLS configuration of the mock's port.
struct MockTLS: Sendable {
    let configuration: TLSConfiguration
    /// The pin of the server's key.
    let pin: PublicKeyPin

    init(_ options: MockCertificateOptions) throws {
        let credential = try options.authority.serverCredential()
        let certificate = try NIOSSLCertificate(bytes: credential.certificate, format: .pem)
        pin = try PublicKeyPin(certificate: certificate.toDERBytes())
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate)],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: credential.key.bytes, format: .pem)))
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(options.authority.pem))
        // Limits the wait for a client that does not close its side of the connection.
        configuration.shutdownTimeout = .seconds(1)
        if options.isLimitedToTLS12 { configuration.maximumTLSVersion = .tlsv12 }
        switch options.demand {
        case .handshake: configuration.certificateVerification = .noHostnameVerification
        // Without a certificate the handshake continues. A certificate of another authority still ends it.
        case .page: configuration.certificateVerification = .optionalVerification
        }
        self.configuration = configuration
    }

    /// Returns the client certificate of a connection, as DER.
    static func peerCertificate(of channel: any Channel) async -> [UInt8]? {
        let certificate = try? await channel.nioSSL_peerCertificate().get()
        return try? certificate?.toDERBytes()
    }
}
