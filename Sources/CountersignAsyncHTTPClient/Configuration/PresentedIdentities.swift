internal import Countersign
internal import NIOSSL

/// The TLS settings of the identities that were presented last.
///
/// The client's pools and its cache of TLS contexts go by these values: a value made once for each identity means one context, and one
/// handshake for each connection. Connections of an identity that was replaced finish what they have begun and are closed when they idle.
struct PresentedIdentities {
    /// A program has one identity or two, and during a renewal one more.
    private static let most = 16
    private var entries: [(identity: ConnectionIdentity, configuration: TLSConfiguration)] = []

    /// The settings for an identity, made from those without one if it is new.
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
