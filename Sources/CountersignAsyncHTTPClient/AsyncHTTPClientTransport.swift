internal import AsyncHTTPClient
public import Countersign
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A transport over async-http-client: HTTP/1.1 and HTTP/2, over TCP or TLS, directly or through a proxy.
///
/// ```swift
/// var configuration = AsyncHTTPClientTransport.Configuration()
/// configuration.proxy = .http(host: "proxy.example.com", port: 3128)
/// let session = Session(transport: AsyncHTTPClientTransport(configuration: configuration))
/// ```
///
/// It does not follow redirects, store cookies, retry, log or trace; a session does. Bodies are not decompressed: the transport
/// sends no `Accept-Encoding`, and a caller that sends one decodes the response.
///
/// Public key pins are compared with the server's own certificate, not with those of its issuers, since TLS proves possession of
/// that key only. They are checked for each connection before a request is written. Only requests with equal pins share
/// connections.
///
/// Each `ExclusiveConnection` has a separate client, whose only connection is closed when the exchange releases it. It does not
/// count toward the connections per host.
///
/// Responses retain their client. Releasing a transport therefore closes its connections after the running exchanges have finished;
/// ``shutdown()`` closes them at once.
public final class AsyncHTTPClientTransport: HTTPTransport {
    private let client: OwnedClient
    private let pinned = PinnedClients()
    /// The client for the exceptions of the proxy; `nil` if there are none.
    private let direct: OwnedClient?
    private let pinnedDirect = PinnedClients()
    private let proxy: Proxy?
    private let exclusive = ExclusiveClients()
    private let gate: ExchangeGate
    private let maximumHeadSize: Int

    /// Creates a transport. Connections are opened on demand.
    public init(configuration: Configuration = Configuration()) {
        client = OwnedClient(configuration: configuration)
        proxy = configuration.proxy
        if proxy?.exceptions.isEmpty == false {
            var configuration = configuration
            configuration.proxy = nil
            direct = OwnedClient(configuration: configuration)
        } else {
            direct = nil
        }
        gate = ExchangeGate(width: configuration.maximumConnectionsPerHost)
        maximumHeadSize = configuration.maximumHeadSize
    }

    /// Sends a request and returns when the response's head has arrived.
    ///
    /// A streaming request body is opened when a connection is available. It is cancelled when the exchange ends first: when the
    /// response's body was read completely, cancelled or released, or when this method throws.
    ///
    /// - Throws: `TransportError`; `CancellationError`; the error of the body's stream.
    public func send(_ request: SessionRequest) async throws -> SessionResponse {
        if let defect = client.defect { throw defect }
        let target = try RequestTarget(request.head)
        let client = try client(for: request, to: target)
        let deadline = request.timeout.map { NIODeadline.now() + TimeAmount($0) } ?? .distantFuture
        // An exclusive connection that is already open needs no place, and the server would not wait for the next leg of the
        // authentication.
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
            // `Connection: close` also prevents the client from using the connection for another waiting request.
            if request.needsNewConnection { message.headers.replaceOrAdd(name: "Connection", value: "close") }
            if let identity = request.identity { message.tlsConfiguration = try client.configuration(presenting: identity) }
            let response = try await client.client(for: request).execute(message, deadline: deadline)
            if let pass, response.version == .http2 { gate.noteMultiplexed(pass) }
            let head = try HTTPResponse(response, maximumSize: maximumHeadSize)
            let body = ExchangeBody(response.body, after: head, exchange: exchange)
            return SessionResponse(head: head, address: LazyURL(of: request.head), body: ResponseBody(body))
        } catch {
            exchange.end()
            throw upload?.failure ?? client.describe(error)
        }
    }

    /// Closes the connections. Every later ``send(_:)`` throws, and running exchanges fail.
    public func shutdown() async throws {
        gate.shutDown()
        await client.shutDown()
        await direct?.shutDown()
        await pinned.shutDown()
        await pinnedDirect.shutDown()
        await exclusive.shutDown()
    }

    private func client(for request: SessionRequest, to target: RequestTarget) throws -> OwnedClient {
        if request.pins != nil, !target.isEncrypted { throw PinCheck.plain }
        var (client, pinned) = (client, pinned)
        if let direct, let proxy, proxy.isException(target.host) { (client, pinned) = (direct, pinnedDirect) }
        if let connection = request.connection { return try exclusive.client(for: connection, request.pins, after: client) }
        guard let pins = request.pins else { return client }
        return try pinned.client(for: pins, after: client)
    }
}

extension AsyncHTTPClientTransport: CustomReflectable {
    /// Empty: the underlying clients contain requests of other clients on the same event loop, including their URLs.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
