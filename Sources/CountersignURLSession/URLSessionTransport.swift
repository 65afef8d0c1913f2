public import Countersign
internal import HTTPTypes

/// A transport over Foundation's `URLSession`, for applications that use the system's HTTP stack.
///
/// ```swift
/// let session = Session(transport: URLSessionTransport())
/// ```
///
/// On Apple systems, `URLSession` brings the system's proxy settings, VPN, App Transport Security, HTTP/2 and HTTP/3. This module
/// links neither SwiftNIO nor async-http-client.
///
/// It follows no redirects, stores no cookies, credentials or responses, and never answers an HTTP authentication challenge; a
/// session does. `URLSession` adds the fields `User-Agent`, `Accept`, `Accept-Language` and `Accept-Encoding` to requests without
/// them, and decompresses bodies: `Content-Encoding` and `Content-Length` are removed from the head of such a response. A `POST` with
/// a body and without `Content-Type` is sent with `application/octet-stream`. When an idle connection turns out to be closed,
/// `URLSession` sends an idempotent request once more by itself, which cannot be switched off.
///
/// Requests with an `ExclusiveConnection` are refused, since `URLSession` chooses the connection of each request. NTLM, Kerberos in
/// several legs, and channel bindings need another transport.
///
/// On Linux, this transport works over FoundationNetworking, which cannot present client certificates, check pins, pause a response,
/// or stream a request body without holding up all sessions of the process. A streamed body is therefore read into memory first. The
/// documentation of this module lists the limits. Servers should use `AsyncHTTPClientTransport`.
///
/// Releasing a transport closes its connections after the running exchanges have finished; ``shutdown()`` closes them at once.
public final class URLSessionTransport: HTTPTransport {
    private let sessions: OwnedSessions

    /// Creates a transport. Connections are opened on demand.
    public init(configuration: Configuration = Configuration()) { sessions = OwnedSessions(configuration: configuration) }

    deinit { sessions.finish() }

    /// Sends a request and returns when the response's head has arrived.
    ///
    /// A streaming request body is opened when the request starts. It is cancelled when the exchange ends first: when the response's
    /// body was read completely, cancelled or released, or when this method throws.
    ///
    /// - Throws: `TransportError`; `CancellationError`; the error of the body's stream.
    public func send(_ request: SessionRequest) async throws -> SessionResponse {
        try Task.checkCancellation()
        try Self.checkSupport(of: request)
        let target = try RequestTarget(request.head)
        if request.pins != nil, !target.isEncrypted { throw Self.unpinnable("keys are pinned, and an http server has no key") }
        let exchange = DataExchange(target: target, method: request.head.method, upload: UploadFeed(request.body))
        let head: HTTPResponse
        do {
            head = try await self.head(of: exchange, for: request, to: target)
        } catch {
            sessions.remove(exchange)
            throw error
        }
        let body = ExchangeBody(exchange, head: head)
        return SessionResponse(head: head, address: LazyURL(of: request.head), body: ResponseBody(body))
    }

    /// Closes the connections. Every later ``send(_:)`` throws, and running exchanges fail.
    public func shutdown() async throws { sessions.shutDown() }

    /// Starts an exchange, and returns when the response's head has arrived.
    private func head(of exchange: DataExchange, for request: SessionRequest, to target: RequestTarget) async throws -> HTTPResponse
    {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchange.awaitHead(continuation, within: request.timeout)
                #if canImport(Security)
                start(exchange, for: request, to: target)
                #else
                guard let upload = exchange.upload else { return start(exchange, for: request, to: target) }
                do {
                    try sessions.admit(exchange)
                } catch {
                    return exchange.fail(error)
                }
                upload.collect { [self] result in
                    switch result {
                    case .success(let bytes):
                        var request = request
                        request.body = .bytes(bytes)
                        start(exchange, for: request, to: target)
                    case .failure(let error): exchange.fail(error)
                    }
                }
                #endif
            }
        } onCancel: {
            exchange.fail(CancellationError())
        }
    }

    private func start(_ exchange: DataExchange, for request: SessionRequest, to target: RequestTarget) {
        do {
            try sessions.start(exchange, for: request, to: target)
        } catch {
            exchange.fail(error)
        }
    }

    /// - Throws: `TransportError` for a request whose properties `URLSession` cannot ensure.
    private static func checkSupport(of request: SessionRequest) throws {
        guard request.connection == nil else {
            throw TransportError(
                .other, detail: "the request needs a connection of its own, which URLSession does not support",
                requestMayHaveBeenProcessed: false)
        }
        #if !canImport(Security)
        guard request.pins == nil else {
            throw unpinnable("keys are pinned, and URLSession does not show the server's certificate on this system")
        }
        guard request.identity == nil else {
            throw TransportError(
                .other, detail: "URLSession does not present client certificates on this system", requestMayHaveBeenProcessed: false
            )
        }
        #endif
    }

    private static func unpinnable(_ detail: String) -> TransportError {
        TransportError(.pinMismatch, detail: detail, requestMayHaveBeenProcessed: false)
    }
}

extension URLSessionTransport: CustomReflectable {
    /// Empty: the underlying sessions contain requests, including their URLs and fields.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
