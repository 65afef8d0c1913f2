internal import AsyncHTTPClient
internal import Countersign
internal import NIOCore
internal import NIOSSL

/// Limits a client to one connection, and reports the server's certificate to an ``ExclusiveConnection``.
struct CertificateNote: Sendable {
    private let noted: @Sendable ([UInt8]?) -> Void
    private let pins: ServerPins?

    /// - Parameter pins: The keys, one of which the server must have; `nil` for any key.
    init(_ connection: ExclusiveConnection, _ pins: ServerPins?) {
        // The connection retains the client, so the client must not retain the connection.
        noted = { [weak connection] in connection?.noteConnection(serverCertificate: $0) }
        self.pins = pins
    }

    /// Changes a client's settings.
    func install(in configuration: inout HTTPClient.Configuration) {
        configuration.httpVersion = .http1Only
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
        pins.map { PinCheck(pins: $0) }?.install(in: &configuration)
        let check = configuration.http1_1ConnectionDebugInitializer
        configuration.http1_1ConnectionDebugInitializer = { [noted] channel in
            (check?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()).flatMap {
                guard (try? channel.pipeline.syncOperations.handler(type: NIOSSLHandler.self)) != nil else {
                    noted(nil)
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
                return channel.nioSSL_peerCertificate().flatMapThrowing { certificate in noted(try certificate?.toDERBytes()) }
            }
        }
    }
}
