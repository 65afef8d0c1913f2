internal import Countersign
internal import NIOSSL

/// The TLS settings of the most recently added client identities.
///
/// The client's pools and its cache of TLS contexts use these values as keys, so one value for each identity means one TLS
/// context, and one handshake for each connection. Connections of a replaced identity complete their exchanges and are closed
/// when idle.
struct PresentedIdentities {
    /// The maximum number of identities. Programs usually have one or two, and one more during a renewal.
    private static let most = 16
    private var entries: [(identity: ConnectionIdentity, configuration: TLSConfiguration)] = []

    /// Returns the settings for an identity. New ones are derived from `base`.
    ///
    /// - Throws: `TransportError` if certificates or key cannot be read.
    mutating func configuration(
        for identity: ConnectionIdentity, from base: TLSConfiguration
    ) throws -> TLSConfiguration {
        if let entry = entries.first(where: { $0.identity == identity }) { return entry.configuration }
        var configuration = base
        do {
            configuration.certificateChain = try identity.certificateChain.map {
                .certificate(try NIOSSLCertificate(bytes: $0, format: .der))
            }
            configuration.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: identity.privateKey.bytes, format: .der))
        } catch {
            throw TransportError(
                .tls, detail: "the client's certificate or key cannot be read", requestMayHaveBeenProcessed: false)
        }
        if entries.count == Self.most { entries.removeFirst() }
        entries.append((identity, configuration))
        return configuration
    }
}
