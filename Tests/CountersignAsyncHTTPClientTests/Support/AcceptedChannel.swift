import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// A child channel of Hummingbird for a server that can be stopped at any time.
///
/// When a server's task is cancelled, accepted connections that are not yet served are dropped, and NIO stops the program if one of
/// them is released without being closed (swift-nio issues 2637 and 2813). This type closes a dropped connection.
struct AcceptedChannel<Base: ServerChildChannel>: ServerChildChannel {
    private let base: Base

    init(_ base: Base) { self.base = base }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection<Base>> {
        base.setup(channel: channel, logger: logger).map { [base] in AcceptedConnection($0, of: base, logger: logger) }
    }

    func handle(value: AcceptedConnection<Base>, logger: Logger) async {
        await base.handle(value: value.take(), logger: logger)
    }
}

/// A connection that is served after ``take()``, or closed if `take()` is never called.
final class AcceptedConnection<Base: ServerChildChannel>: ServerChildChannelValue {
    private let connection: Base.Value
    private let base: Base
    private let logger: Logger
    private let isTaken = Mutex(false)

    fileprivate init(_ connection: Base.Value, of base: Base, logger: Logger) {
        self.connection = connection
        self.base = base
        self.logger = logger
    }

    var channel: any Channel { connection.channel }

    /// Returns the connection to the caller, which serves and closes it.
    fileprivate func take() -> Base.Value {
        isTaken.withLock { $0 = true }
        return connection
    }

    deinit {
        guard !isTaken.withLock({ $0 }) else { return }
        Task { [connection, base, logger] in
            // An error means that the connection was closed already.
            try? await connection.channel.close()
            await base.handle(value: connection, logger: logger)
        }
    }
}
