import NIOCore
import Synchronization

/// The connections of a server, so that none outlives it.
final class OpenConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Takes a connection; one that comes after ``closeAll()`` is closed at once.
    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let isClosed = state.withLock { state in
            if !state.isClosed { state.channels[id] = channel }
            return state.isClosed
        }
        if isClosed {
            channel.close(promise: nil)
        } else {
            channel.closeFuture.whenComplete { [weak self] _ in
                _ = self?.state.withLock { $0.channels.removeValue(forKey: id) }
            }
        }
    }

    /// Closes all, now and later.
    func closeAll() async {
        let channels = state.withLock { state in
            state.isClosed = true
            return Array(state.channels.values)
        }
        // One that closes by itself meanwhile is closed all the same.
        for channel in channels { try? await channel.close() }
    }
}

/// Tells ``OpenConnections`` of the connection that it is in the pipeline of.
final class ConnectionRegistrar: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Never

    private let connections: OpenConnections

    init(_ connections: OpenConnections) { self.connections = connections }

    func handlerAdded(context: ChannelHandlerContext) { connections.add(context.channel) }
}
