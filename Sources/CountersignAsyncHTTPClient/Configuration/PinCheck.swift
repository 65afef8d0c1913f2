internal import AsyncHTTPClient
internal import Countersign
internal import NIOCore
internal import NIOSSL

/// Looks at the key of a server when TLS with it is agreed on, before the connection is there for requests.
struct PinCheck: Sendable {
    let pins: ServerPins

    /// Has the client check each of its connections.
    ///
    /// The client's hooks for new connections run after TLS, also that inside a proxy's tunnel, and a connection whose hook fails is
    /// never used. Over HTTP/1.1 nothing was written by then. Over HTTP/2 the connection's preface and settings were (RFC 9113, section
    /// 3.4), which are the same for every request; requests are what streams carry, and there is none yet.
    func install(in configuration: inout HTTPClient.Configuration) {
        configuration.http1_1ConnectionDebugInitializer = check
        configuration.http2ConnectionDebugInitializer = check
    }

    private func check(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.nioSSL_peerCertificate().flatMap { certificate in
            if let certificate, isPinned(certificate) { return channel.eventLoop.makeSucceededVoidFuture() }
            return Self.close(channel).flatMapThrowing { throw Self.mismatch }
        }
    }

    /// A key that cannot be read is none that was pinned.
    private func isPinned(_ certificate: NIOSSLCertificate) -> Bool {
        guard let key = try? certificate.extractPublicKey().toSPKIBytes() else { return false }
        return pins.contains(PublicKeyPin(subjectPublicKeyInfo: key))
    }

    /// Closes the socket below TLS: neither a farewell is written nor one waited for, as a server that is not the right one need
    /// not send one. The client has to see the end before the failure, or it takes the end for that of a connection in use.
    private static func close(_ channel: any Channel) -> EventLoopFuture<Void> {
        if let tls = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLHandler.self) {
            tls.close(mode: .all, promise: nil)
        } else {
            channel.close(mode: .all, promise: nil)
        }
        return channel.closeFuture
    }

    private static let mismatch = TransportError(
        .pinMismatch, detail: "the server's certificate has none of the keys that are pinned", requestMayHaveBeenProcessed: false)

    /// The refusal of a request over plain HTTP.
    static let plain = TransportError(
        .pinMismatch, detail: "keys are pinned, and over http a server has none", requestMayHaveBeenProcessed: false)
}
