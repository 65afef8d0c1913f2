internal import NIOCore
internal import NIOPosix
internal import NIOSSL

/// An HTTP/1.1 server on 127.0.0.1, shared by ``MockServer`` and ``FileServer``.
///
/// The port and its connections share one event loop, and each connection has one task, which reads a request, waits for the
/// response, sends it, and reads the next request. So pipelined requests are answered in order, and back pressure applies in both
/// directions. These tasks are children of one task, which ends when the port and all connections are closed.
final class HTTPListener: Sendable {
    /// Answers one request. It is cancelled when the server stops, but not when the client closes the connection.
    typealias Handler = @Sendable (MockRequest) async -> MockResponse

    let port: Int
    private let channel: any Channel
    private let serving: Task<Void, Never>

    private init(port: Int, channel: any Channel, serving: Task<Void, Never>) {
        self.port = port
        self.channel = channel
        self.serving = serving
    }

    deinit { channel.close(promise: nil) }

    /// Opens a port, makes the handler for it, and serves.
    ///
    /// - Parameters:
    ///   - port: From 0 to 65535; with 0 the system chooses one.
    ///   - tls: The settings of TLS; `nil` for plain HTTP.
    ///   - closingTime: The time within which a client must close its side after the last response.
    ///   - make: Creates the handler and a value that depends on the port.
    /// - Returns: The server and the created value.
    /// - Throws: `IOError` if the port cannot be opened, `CancellationError`, an error of `tls`, or an error that `make` throws.
    static func start<Made: Sendable>(
        port: Int = 0, tls: TLSConfiguration? = nil, closingTime: TimeAmount = .seconds(2),
        make: (_ port: Int) throws -> (Made, Handler)
    ) async throws -> (HTTPListener, Made) {
        try Task.checkCancellation()
        let context = try tls.map { try NIOSSLContext(configuration: $0) }
        let (connections, accepted) = AsyncStream.makeStream(of: HTTPConnection.self)
        // With a single event loop, a connection is either accepted before the port is closed, or not at all.
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
            .serverChannelOption(.backlog, value: 4096)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // Until the handler exists, connections wait in the backlog.
            .serverChannelOption(.autoRead, value: false)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    _ = accepted.yield(try HTTPConnection(channel, tls: context, closingTime: closingTime))
                }
            }
            .bind(to: SocketAddress(ipAddress: "127.0.0.1", port: port)).get()
        channel.closeFuture.whenComplete { _ in accepted.finish() }
        do {
            let number = channel.localAddress?.port ?? port
            let (made, handler) = try make(number)
            try await channel.setOption(.autoRead, value: true).get()
            let serving = Task { await serve(connections, with: handler) }
            return (HTTPListener(port: number, channel: channel, serving: serving), made)
        } catch {
            // An error here means that the channel is already closed.
            try? await channel.close().get()
            throw error
        }
    }

    /// Serves connections until the port is closed. Then cancels the requests in progress and closes all connections.
    private static func serve(_ connections: AsyncStream<HTTPConnection>, with handler: @escaping Handler) async {
        await withDiscardingTaskGroup { group in
            for await connection in connections {
                group.addTask { await connection.serve(handler) }
            }
            group.cancelAll()
        }
    }

    /// Closes the port and every connection, cancels the requests in progress, and returns when all have ended.
    func stop() async {
        channel.close(promise: nil)
        await serving.value
    }
}
