internal import Countersign
internal import NIOCore
internal import NIOPosix
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An open loopback port that receives the response of one login.
final class LoopbackListener: Sendable {
    /// The redirect URL of this port.
    let redirectURL: URL
    private let server: any Channel
    private let receiver: RedirectReceiver

    private init(redirectURL: URL, server: any Channel, receiver: RedirectReceiver) {
        self.redirectURL = redirectURL
        self.server = server
        self.receiver = receiver
    }

    /// Opens a port at the first available address of a place.
    static func open(at place: LoopbackPlace, state: String?, limits: ConnectionLimits) async throws -> LoopbackListener {
        for address in place.addresses {
            let receiver = RedirectReceiver(limits: limits)
            guard let server = try? await bind(address, port: place.port, receiver: receiver) else { continue }
            let authority = address.authority(port: server.localAddress?.port ?? 0)
            guard let redirectURL = URL(string: "http://\(authority)\(place.rest)") else {
                try? await server.close()
                continue
            }
            receiver.expect(RedirectRule(redirectURL: redirectURL, authority: authority, state: state))
            server.closeFuture.whenComplete { _ in
                receiver.arrival.settle(.failure(LoopbackError.listenerClosed))
                receiver.farewell.settle(.success(()))
            }
            return LoopbackListener(redirectURL: redirectURL, server: server, receiver: receiver)
        }
        throw LoopbackError.cannotListen(
            addresses: place.addresses.map { address in place.port.map { address.authority(port: Int($0)) } ?? address.literal })
    }

    private static func bind(_ address: LoopbackAddress, port: UInt16?, receiver: RedirectReceiver) async throws -> any Channel {
        // A single event loop serializes all events of the port.
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
            .serverChannelOption(.backlog, value: 64)
            // A fixed port may still have closing connections of the last login. A free port has none.
            .serverChannelOption(.socketOption(.so_reuseaddr), value: port == nil ? 0 : 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try CallbackConnection.add(to: channel.pipeline.syncOperations, for: receiver)
                    receiver.connections.admit(channel)
                }
            }
            .bind(to: SocketAddress(ipAddress: address.literal, port: Int(port ?? 0)))
            .get()
    }

    /// Returns the URL of a page of this port that posts a form. It is sent once.
    ///
    /// - Returns: `nil` if the port has no URL.
    func page(posting form: PageForm) -> URL? {
        guard let origin = Origin(redirectURL) else { return nil }
        let authority = String(origin.description.dropFirst("http://".count))
        let page = FormPage(form, authority: authority)
        guard let url = URL(string: "http://\(authority)\(page.path)") else { return nil }
        receiver.offer(page)
        return url
    }

    /// Ends the wait for the response at the time limit.
    func giveUp(after timeout: Duration) {
        let timer = server.eventLoop.scheduleTask(in: TimeAmount(timeout)) { self.giveUp(LoopbackError.timedOut(timeout)) }
        server.closeFuture.whenComplete { _ in timer.cancel() }
    }

    /// Ends the wait for the response with an error, unless the response has arrived.
    func giveUp(_ error: any Error) { receiver.arrival.settle(.failure(error)) }

    /// Waits for the response, and then for the delivery of the page that confirms it to the user.
    func answer() async throws -> URL {
        let url = try await receiver.arrival.value()
        // The browser was redirected to the page. If it does not request it in time, the wait ends.
        let timer = server.eventLoop.scheduleTask(in: receiver.limits.pageTime) { [receiver] in
            _ = receiver.farewell.settle(.success(()))
        }
        defer { timer.cancel() }
        try await receiver.farewell.value()
        try Task.checkCancellation()
        return url
    }

    /// Closes the port and all connections, and returns when no client can connect any more.
    func close() async {
        server.close(promise: nil)
        receiver.connections.close()
        // An error here means that the port was already closed.
        try? await server.closeFuture.get()
    }
}
