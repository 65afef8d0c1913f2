import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL

/// A request context with the protocol of the request.
struct ServerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// `h2` or `http/1.1`. A stream of HTTP/2 is the child of a connection, which is the child of the listener.
    let protocolName: String
    /// The client's port, which identifies the connection.
    let remotePort: Int?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        protocolName = source.channel.parent?.parent == nil ? "http/1.1" : "h2"
        remotePort = source.channel.remoteAddress?.port
    }
}

/// The protocol of a server.
enum ServerKind: Sendable {
    case plain
    case tls(TLSConfiguration)
    case http2(TLSConfiguration)
}

/// Runs a Hummingbird server on a free port of 127.0.0.1 for as long as `body` runs.
func withServer<Value: Sendable>(
    _ kind: ServerKind = .plain, routes: (Router<ServerContext>) -> Void,
    body: @escaping @Sendable (_ port: Int) async throws -> Value
) async throws -> Value {
    let router = Router(context: ServerContext.self)
    routes(router)
    let plain = HTTPServerBuilder { AcceptedChannel(HTTP1Channel(responder: $0)) }
    let server: HTTPServerBuilder =
        switch kind {
        case .plain: plain
        case .tls(let tls): try .tls(plain, tlsConfiguration: tls)
        case .http2(let tls): HTTPServerBuilder { AcceptedChannel(try HTTP2UpgradeChannel(tlsConfiguration: tls, responder: $0)) }
        }
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    var logger = Logger(label: "server")
    logger.logLevel = .critical
    let application = Application(
        responder: router.buildResponder(), server: server,
        configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { channel in
            if let number = channel.localAddress?.port { port.yield(number) }
            port.finish()
        },
        logger: logger)
    return try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask {
            defer { port.finish() }
            try await application.run()
            return nil
        }
        var iterator = ports.makeAsyncIterator()
        guard let number = await iterator.next() else {
            _ = try await group.next()
            throw ServerDidNotStart()
        }
        group.addTask { try await body(number) }
        defer { group.cancelAll() }
        while let value = try await group.next() {
            if let value { return value }
        }
        throw ServerDidNotStart()
    }
}

struct ServerDidNotStart: Error {}
