internal import AsyncHTTPClient
internal import Countersign
internal import NIOCore
internal import NIOSSL

/// Has a client make one connection at a time, and tells an ``ExclusiveConnection`` which certificate its server has shown.
struct CertificateNote: Sendable {
    private let noted: @Sendable ([UInt8]?) -> Void
    private let pins: ServerPins?

    /// - Parameter pins: The keys that the server must have one of; `nil` for any.
    init(_ connection: ExclusiveConnection, _ pins: ServerPins?) {
        // The connection keeps the client, and not the other way round.
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
