#if os(macOS) || os(Linux)
internal import NIOCore
internal import NIOPosix
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The DevTools protocol over one socket: commands with their responses, and events.
///
/// Events are handled in order on the event loop that reads them, so they do not accumulate in memory: a page that causes many
/// events slows down its own browser.
final class DevToolsConnection: Sendable {
    /// Called for each known event, in order, on the event loop.
    typealias Handler = @Sendable (PageEvent, DevToolsConnection) -> Void

    /// The error of a connection that the browser has closed.
    struct Closed: Error {}

    private struct State {
        var lastCommand = 0
        var waiting: [Int: CheckedContinuation<[UInt8], any Error>] = [:]
        /// The error that ended the connection.
        var end: (any Error)?
    }

    private let channel: any Channel
    private let state = Mutex(State())

    private init(channel: any Channel) { self.channel = channel }

    /// Connects to the browser at the other end of a socket, and takes ownership of the socket.
    static func open(
        _ socket: Int32, limits: ChromiumLimits, on loop: any EventLoop, handler: @escaping Handler
    ) async throws -> DevToolsConnection {
        // The handlers are added before the channel is connected, because a browser that exits immediately closes it.
        let made = SingleResult<DevToolsConnection>()
        _ = try await ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = DevToolsConnection(channel: channel)
                    try channel.pipeline.syncOperations.addHandlers([
                        ByteToMessageHandler(MessageDecoder(limit: limits.messageBytes)),
                        Receiver(connection: connection, handler: handler),
                    ])
                    made.settle(.success(connection))
                }
            }
            .withConnectedSocket(socket).get()
        return try await made.value()
    }

    /// The error that ended the connection: ``Closed`` if the browser closed it, `nil` while it is open.
    var failure: (any Error)? { state.withLock { $0.end } }

    /// Sends a command and waits for the response.
    ///
    /// - Throws: ``ChromiumError/commandRefused(_:)``; the error that ended the connection, such as ``Closed``;
    ///   `CancellationError`.
    func call<Parameters: Encodable, Result: Decodable>(
        _ method: String, _ parameters: Parameters, in session: String? = nil, returning: Result.Type
    ) async throws -> Result {
        let id = nextCommand()
        let bytes = try JSONEncoder().encode(
            DevToolsCommand(id: id, method: method, params: parameters, sessionId: session))
        let answer = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let end: (any Error)? = state.withLock { state in
                    if state.end == nil { state.waiting[id] = continuation }
                    return state.end
                }
                if let end { return continuation.resume(throwing: end) }
                write(bytes)
                if Task.isCancelled { settle(id, .failure(CancellationError())) }
            }
        } onCancel: {
            settle(id, .failure(CancellationError()))
        }
        let data = Data(answer)
        guard try JSONDecoder().decode(DevToolsMessage.self, from: data).error == nil else {
            throw ChromiumError.commandRefused(method)
        }
        return try JSONDecoder().decode(DevToolsAnswer<Result>.self, from: data).result
    }

    /// Sends a command and waits for its completion.
    func call<Parameters: Encodable>(_ method: String, _ parameters: Parameters, in session: String? = nil) async throws {
        _ = try await call(method, parameters, in: session, returning: DevToolsNothing.self)
    }

    /// Sends a command and ignores its response. For example, an event reports a closed page anyway.
    func send(_ method: String, _ parameters: some Encodable, in session: String? = nil) {
        let command = DevToolsCommand(id: nextCommand(), method: method, params: parameters, sessionId: session)
        guard let bytes = try? JSONEncoder().encode(command) else { return }
        write(bytes)
    }

    /// Ends the connection with an error, which all pending and later commands throw.
    func giveUp(_ error: any Error) {
        let waiting = state.withLock { state in
            if state.end == nil { state.end = error }
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume(throwing: error) }
    }

    /// Closes the connection, upon which the browser exits.
    func close() { channel.close(promise: nil) }

    private func nextCommand() -> Int {
        state.withLock { state in
            state.lastCommand += 1
            return state.lastCommand
        }
    }

    private func write(_ bytes: Data) {
        var buffer = channel.allocator.buffer(capacity: bytes.count + 1)
        buffer.writeBytes(bytes)
        buffer.writeInteger(UInt8(0))
        channel.writeAndFlush(buffer, promise: nil)
    }

    private func settle(_ id: Int, _ result: Result<[UInt8], any Error>) {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(with: result)
    }

    /// Passes responses and events on.
    private final class Receiver: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let connection: DevToolsConnection
        private let handler: Handler

        init(connection: DevToolsConnection, handler: @escaping Handler) {
            self.connection = connection
            self.handler = handler
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = Array(unwrapInboundIn(data).readableBytesView)
            guard let message = try? JSONDecoder().decode(DevToolsMessage.self, from: Data(bytes)) else { return }
            if let id = message.id {
                connection.settle(id, .success(bytes))
            } else if let event = PageEvent(message, bytes) {
                handler(event, connection)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            connection.giveUp(error is ChromiumError ? error : Closed())
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            connection.giveUp(Closed())
            context.fireChannelInactive()
        }
    }
}
#endif
