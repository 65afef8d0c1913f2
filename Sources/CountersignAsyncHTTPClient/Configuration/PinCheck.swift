internal import AsyncHTTPClient
internal import Countersign
internal import NIOCore
internal import NIOSSL

/// Checks the public key of a server after the TLS handshake, before the connection is used for requests.
struct PinCheck: Sendable {
    let pins: ServerPins

    /// Makes a client check each of its connections, after other checks of HTTP/1.1 connections, and before those of HTTP/2, which may
    /// send frames.
    ///
    /// The client's hooks for new connections run after the TLS handshake, also within a proxy's tunnel, and a connection whose
    /// hook fails is never used. Over HTTP/1.1, nothing has been written by then. Over HTTP/2, only the connection preface and
    /// settings have been written (RFC 9113, section 3.4), which are the same for every request. Requests are sent in streams,
    /// and there are none yet.
    func install(in configuration: inout HTTPClient.Configuration) {
        let prepare = configuration.http1_1ConnectionDebugInitializer
        configuration.http1_1ConnectionDebugInitializer = { channel in
            (prepare?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()).flatMap { check(channel) }
        }
        let finish = configuration.http2ConnectionDebugInitializer
        configuration.http2ConnectionDebugInitializer = { channel in
            check(channel).flatMap { finish?(channel) ?? channel.eventLoop.makeSucceededVoidFuture() }
        }
    }

    private func check(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.nioSSL_peerCertificate().flatMap { certificate in
            if let certificate, isPinned(certificate) { return channel.eventLoop.makeSucceededVoidFuture() }
            // The connection must be closed before the hook fails, or the client treats the closure as that of a connection in use.
            channel.closeAtOnce()
            return channel.closeFuture.flatMapThrowing { throw Self.mismatch }
        }
    }

    /// Whether the certificate has a pinned key. An unreadable key is not pinned.
    private func isPinned(_ certificate: NIOSSLCertificate) -> Bool {
        guard let key = try? certificate.extractPublicKey().toSPKIBytes() else { return false }
        return pins.contains(PublicKeyPin(subjectPublicKeyInfo: key))
    }

    private static let mismatch = TransportError(
        .pinMismatch, detail: "the server's certificate has none of the pinned keys", requestMayHaveBeenProcessed: false)

    /// The error for a request over plain HTTP.
    static let plain = TransportError(
        .pinMismatch, detail: "keys are pinned, and an http server has no key", requestMayHaveBeenProcessed: false)
}

extension Channel {
    /// Closes the socket below TLS, without sending or awaiting a close alert, which a wrong or dead server need not send. Called on
    /// the event loop.
    func closeAtOnce() {
        if let tls = try? pipeline.syncOperations.context(handlerType: NIOSSLHandler.self) {
            tls.close(mode: .all, promise: nil)
        } else {
            close(mode: .all, promise: nil)
        }
    }
}
