internal import Countersign
internal import NIOCore
internal import NIOPosix
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An open port on this machine that waits for one answer.
final class LoopbackListener: Sendable {
    /// The redirect URL that leads here.
    let redirectURL: URL
    private let server: any Channel
    private let desk: CallbackDesk

    private init(redirectURL: URL, server: any Channel, desk: CallbackDesk) {
        self.redirectURL = redirectURL
        self.server = server
        self.desk = desk
    }

    /// Opens a port at the first address of a place that has one.
    static func open(at place: LoopbackPlace, state: String?, limits: ConnectionLimits) async throws -> LoopbackListener {
        for address in place.addresses {
            let desk = CallbackDesk(limits: limits)
            guard let server = try? await bind(address, port: place.port, desk: desk) else { continue }
            let authority = address.authority(port: server.localAddress?.port ?? 0)
            guard let redirectURL = URL(string: "http://\(authority)\(place.rest)") else {
                try? await server.close()
                continue
            }
            desk.expect(CallbackRule(redirectURL: redirectURL, authority: authority, state: state))
            server.closeFuture.whenComplete { _ in
                desk.arrival.settle(.failure(LoopbackError.listenerClosed))
                desk.farewell.settle(.success(()))
            }
            return LoopbackListener(redirectURL: redirectURL, server: server, desk: desk)
        }
        throw LoopbackError.cannotListen(
            addresses: place.addresses.map { address in place.port.map { address.authority(port: Int($0)) } ?? address.literal })
    }

    private static func bind(_ address: LoopbackAddress, port: UInt16?, desk: CallbackDesk) async throws -> any Channel {
        // One loop for all, so that what happens at the port happens in one order.
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
            .serverChannelOption(.backlog, value: 64)
            // A given port may still have connections of the last login that fade out; a free one has none.
            .serverChannelOption(.socketOption(.so_reuseaddr), value: port == nil ? 0 : 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try CallbackConnection.add(to: channel.pipeline.syncOperations, for: desk)
                    desk.connections.admit(channel)
                }
            }
            .bind(to: SocketAddress(ipAddress: address.literal, port: Int(port ?? 0)))
            .get()
    }

    /// Ends the wait for the answer when the time is over.
    func giveUp(after timeout: Duration) {
        let timer = server.eventLoop.scheduleTask(in: TimeAmount(timeout)) { self.giveUp(LoopbackError.timedOut(timeout)) }
        server.closeFuture.whenComplete { _ in timer.cancel() }
    }

    /// Ends the wait for the answer, unless it is there.
    func giveUp(_ error: any Error) { desk.arrival.settle(.failure(error)) }

    /// Waits for the answer, and until the user can read that it has arrived.
    func answer() async throws -> URL {
        let url = try await desk.arrival.value()
        // The browser was sent on to the page. One that does not come for it is not waited for long.
        let timer = server.eventLoop.scheduleTask(in: desk.limits.pageTime) { [desk] in _ = desk.farewell.settle(.success(())) }
        defer { timer.cancel() }
        try await desk.farewell.value()
        try Task.checkCancellation()
        return url
    }

    /// Closes the port and all connections, and returns when no client can connect any more.
    func close() async {
        server.close(promise: nil)
        desk.connections.close()
        // An error here says that it was closed already.
        try? await server.closeFuture.get()
    }
}
