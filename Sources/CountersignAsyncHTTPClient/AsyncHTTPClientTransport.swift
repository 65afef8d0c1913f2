internal import AsyncHTTPClient
public import Countersign
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// Carries requests over async-http-client: HTTP/1.1 and HTTP/2, over TCP or TLS, directly or through a proxy.
///
/// ```swift
/// var configuration = AsyncHTTPClientTransport.Configuration()
/// configuration.proxy = .http(host: "proxy.example.com", port: 3128)
/// let session = Session(transport: AsyncHTTPClientTransport(configuration: configuration))
/// ```
///
/// It follows no redirect, keeps no cookie, repeats nothing, logs nothing and traces nothing: a session does those, and knows what may
/// be shown. Bodies arrive as they were sent: no compression is asked for and none is undone, so a caller that sends
/// `Accept-Encoding` decodes what comes back.
///
/// Pins of servers' keys are held against the server's own certificate, not against those of the authorities above it: it is the only one
/// that TLS proves the server to have the key of. That happens for each connection before a request is written to it; connections are
/// shared by the requests of equal pins only.
///
/// Each `ExclusiveConnection` has a client of its own, whose one connection is closed when the exchange has let go of it, and comes on top of
/// the connections that there may be for a host.
///
/// Responses hold the client that they come from. Dropping the last reference to a transport therefore lets the exchanges under way
/// finish, and closes the connections afterwards; ``shutdown()`` does it at once.
public final class AsyncHTTPClientTransport: HTTPTransport {
    private let client: OwnedClient
    private let pinned = PinnedClients()
    private let exclusive = ExclusiveClients()
    private let gate: ExchangeGate
    private let maximumHeadSize: Int

    /// Makes a transport; connections are opened when they are needed.
    public init(configuration: Configuration = Configuration()) {
        client = OwnedClient(configuration: configuration)
        gate = ExchangeGate(width: configuration.maximumConnectionsPerHost)
        maximumHeadSize = configuration.maximumHeadSize
    }

    /// Sends a request and returns as soon as the response's head has arrived.
    ///
    /// A stream that the request's body comes from is opened when there is a connection to send it on, and is cancelled when the exchange
    /// ends before it does: when the response's body was read to its end, cancelled or dropped, or when this call throws.
    ///
    /// - Throws: `TransportError`; `CancellationError`; the error that the body's stream threw.
    public func send(_ request: SessionRequest) async throws -> SessionResponse {
        if let defect = client.defect { throw defect }
        let target = try RequestTarget(request.head)
        let client = try client(for: request, to: target)
        let deadline = request.timeout.map { NIODeadline.now() + TimeAmount($0) } ?? .distantFuture
        // What has a connection of its own need not wait for one; and the server would not wait for the next leg.
        let isOpen = request.connection.map { $0.count > 0 } ?? false
        let pass: ExchangeGate.Pass? =
            if isOpen { nil } else {
                try await gate.enter(target.origin, isAuthentication: Session.isAuthenticating, deadline: deadline)
            }
        let upload = UploadBody(request.body)
        let exchange = Exchange(client: client, upload: upload) { [gate] in
            if let pass { gate.leave(pass) }
        }
        do {
            var message = HTTPClientRequest(request.head, target: target, body: upload?.messageBody ?? request.body.messageBody)
            // Nor for another request after it, which the client might have waiting.
            if request.needsNewConnection { message.headers.replaceOrAdd(name: "Connection", value: "close") }
            if let identity = request.identity { message.tlsConfiguration = try client.configuration(presenting: identity) }
            let response = try await client.client(for: request).execute(message, deadline: deadline)
            if let pass, response.version == .http2 { gate.noteMultiplexed(pass) }
            let head = try HTTPResponse(response, maximumSize: maximumHeadSize)
            let body = ExchangeBody(response.body, exchange: exchange)
            return SessionResponse(head: head, address: LazyURL(of: request.head), body: ResponseBody(body))
        } catch {
            exchange.end()
            throw upload?.failure ?? client.describe(error)
        }
    }

    /// Closes the connections; every later ``send(_:)`` throws, and exchanges under way end with an error.
    public func shutdown() async throws {
        await client.shutDown()
        await pinned.shutDown()
        await exclusive.shutDown()
    }

    private func client(for request: SessionRequest, to target: RequestTarget) throws -> OwnedClient {
        if request.pins != nil, !target.isEncrypted { throw PinCheck.plain }
        if let connection = request.connection { return try exclusive.client(for: connection, request.pins, after: client) }
        guard let pins = request.pins else { return client }
        return try pinned.client(for: pins, after: client)
    }
}

extension AsyncHTTPClientTransport: CustomReflectable {
    /// Nothing: what lies beneath has the requests of all clients that share an event loop, their URLs included.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
