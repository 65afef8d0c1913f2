import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// HTTP/1.1 as Hummingbird serves it, for a server that may be stopped at any time.
///
/// A server's task that is cancelled drops the connections that were accepted and not yet taken up. NIO stops the program when one of them
/// goes away unclosed (swift-nio issues 2637 and 2813), and a mock must never stop its user's tests. So a connection that is dropped
/// closes itself.
struct AcceptedHTTP1Channel: ServerChildChannel {
    private let base: HTTP1Channel

    init(responder: @escaping HTTPChannelHandler.Responder) { base = HTTP1Channel(responder: responder) }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
        base.setup(channel: channel, logger: logger).map(AcceptedConnection.init)
    }

    func handle(value: AcceptedConnection, logger: Logger) async {
        await base.handle(value: value.take(), logger: logger)
    }
}

/// A connection that is served after ``take()``, and closed if that never happens.
final class AcceptedConnection: ServerChildChannelValue {
    private let connection: HTTP1Channel.Value
    private let isTaken = Mutex(false)

    init(_ connection: HTTP1Channel.Value) { self.connection = connection }

    var channel: any Channel { connection.channel }

    /// The connection; whoever takes it closes it.
    func take() -> HTTP1Channel.Value {
        isTaken.withLock { $0 = true }
        return connection
    }

    deinit {
        guard !isTaken.withLock({ $0 }) else { return }
        // An error says that the connection was closed already.
        Task { [connection] in try? await connection.executeThenClose { _, _ in } }
    }
}
