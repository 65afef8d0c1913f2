internal import Crypto
internal import Foundation
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import Synchronization

/// A connection of an ``HTTPListener``, which answers its requests in sequence.
struct HTTPConnection: Sendable {
    /// The request parts as the connection's task receives them.
    private struct Parts {
        var inbound: NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
        let handover: Handover

        mutating func next() async throws -> HTTPServerRequestPart? {
            let part = try await inbound.next()
            handover.pass()
            return part
        }
    }

    /// The maximum size in bytes of a request target, and of all header fields together.
    private static let maximumHeadSize = 80 * 1024

    /// The inbound side. Responses are written to the channel itself, whose future reports when they were sent.
    private let inbound: NIOAsyncChannel<HTTPServerRequestPart, Never>
    private let handover = Handover()
    private let isSecure: Bool
    private let closingTime: TimeAmount

    private var channel: any Channel { inbound.channel }

    /// Adds the HTTP handlers to an accepted connection, on its event loop.
    ///
    /// - Parameter closingTime: The time within which a client must close its side after the last response.
    init(_ channel: any Channel, tls: NIOSSLContext?, closingTime: TimeAmount) throws {
        var limits = NIOHTTPDecoderLimitConfiguration()
        // The decoder applies the limit of a field to the request target as well.
        limits.maxHeaderFieldSize = Self.maximumHeadSize
        limits.maxHeaderListSize = Self.maximumHeadSize
        limits.maxHeaderFieldCount = 1000
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
        let pipeline = channel.pipeline.syncOperations
        if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
        try pipeline.addHandlers([HTTPResponseEncoder(), ByteToMessageHandler(decoder), handover])
        inbound = try NIOAsyncChannel(wrappingChannelSynchronously: channel)
        isSecure = tls != nil
        self.closingTime = closingTime
    }

    /// Answers requests until the client or the server closes the connection. Cancelling the task closes it as well.
    func serve(_ handler: HTTPListener.Handler) async {
        await withTaskCancellationHandler {
            // An error means that the connection is broken.
            try? await inbound.executeThenClose { inbound in
                try await serve(Parts(inbound: inbound.makeAsyncIterator(), handover: handover), handler)
            }
        } onCancel: {
            channel.close(promise: nil)
        }
    }

    private func serve(_ parts: Parts, _ handler: HTTPListener.Handler) async throws {
        var parts = parts
        do {
            while case .head(let head)? = try await parts.next() {
                guard let request = try await request(head, &parts) else { return }
                try await send(await handler(request), to: head)
                if !head.allowsAnother { break }
            }
        } catch let error as HTTPParserError {
            let status = error == .headerOverflow ? HTTPResponseStatus.requestHeaderFieldsTooLarge : .badRequest
            let headers: HTTPHeaders = ["content-length": "0", "connection": "close"]
            try await write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)), .end(nil))
        }
        try await finish()
    }

    /// Reads the rest of a request; `nil` if the connection ends first.
    private func request(_ head: HTTPRequestHead, _ parts: inout Parts) async throws -> MockRequest? {
        guard let method = HTTPRequest.Method(head.method.rawValue) else { throw HTTPParserError.invalidMethod }
        if head.version == .http1_1, head.headers.first(name: "expect")?.lowercased() == "100-continue" {
            try await write(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
        }
        var body: [UInt8] = []
        var bodyLength = 0
        var longBody: SHA256?
        while let part = try await parts.next() {
            switch part {
            case .head: return nil
            case .body(let piece):
                bodyLength += piece.readableBytes
                let kept = min(piece.readableBytes, MockServer.keptBodyLength - body.count)
                body.append(contentsOf: piece.readableBytesView.prefix(kept))
                guard kept < piece.readableBytes else { continue }
                var hash = longBody ?? Self.hash(beginningWith: body)
                hash.update(data: Data(Array(piece.readableBytesView.dropFirst(kept))))
                longBody = hash
            case .end:
                let (path, query) = head.target
                var request = MockRequest(
                    method: method, authority: head.headers.first(name: "host")?.lowercased() ?? "", path: path, query: query,
                    fields: head.fields, body: body, bodyLength: bodyLength)
                request.longBodyHash = longBody.map { Array($0.finalize()) }
                if isSecure { request.certificate = await MockTLS.peerCertificate(of: channel) }
                return request
            }
        }
        return nil
    }

    /// Begins the hash of a body that is not kept completely.
    private static func hash(beginningWith body: [UInt8]) -> SHA256 {
        var hash = SHA256()
        hash.update(data: Data(body))
        return hash
    }

    private func send(_ response: MockResponse, to request: HTTPRequestHead) async throws {
        var head = HTTPResponseHead(response, to: request)
        let omitsBody = request.method == .HEAD || !head.status.mayHaveResponseBody
        switch response.delivery {
        case .reset:
            // Closing a socket with a linger time of zero resets the connection.
            try await (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
            try await channel.close().get()
        case _ where omitsBody:
            // Without a `Content-Length`, the encoder would write the end of a chunked body.
            if !head.headers.contains(name: "content-length") { head.headers.add(name: "content-length", value: "0") }
            try await write(.head(head), .end(nil))
        case .whole:
            try await write(.head(head), .bytes(response.body), .end(nil))
        case .truncated:
            try await write(.head(head), .bytes(response.body.prefix(response.body.count / 2)))
            try await channel.close().get()
        case .inflated(let place, let count):
            try await write(.head(head), .bytes(response.body.prefix(place)))
            let piece = ByteBuffer(repeating: UInt8(ascii: "x"), count: 1024 * 1024)
            for start in stride(from: 0, to: count, by: piece.readableBytes) {
                let length = min(count - start, piece.readableBytes)
                try await write(.body(.byteBuffer(piece.getSlice(at: 0, length: length) ?? piece)))
            }
            try await write(.bytes(response.body.dropFirst(place)), .end(nil))
        case .endless:
            try await write(.head(head))
            let piece = ByteBuffer(repeating: UInt8(ascii: "."), count: 64 * 1024)
            while !Task.isCancelled { try await write(.body(.byteBuffer(piece))) }
        }
    }

    /// Writes parts of a response, and returns when they were flushed to the socket.
    private func write(_ parts: HTTPServerResponsePart...) async throws {
        try await channel.eventLoop.flatSubmit { [channel] in
            for part in parts.dropLast() { channel.write(part, promise: nil) }
            return channel.writeAndFlush(parts[parts.count - 1])
        }.get()
    }

    /// Closes the connection, first the server's side: closing both at once resets the connection if bytes were not read yet, and
    /// the client may lose the response (RFC 9112, section 9.6).
    private func finish() async throws {
        let timer = channel.eventLoop.scheduleTask(in: closingTime) { [channel] in channel.close(promise: nil) }
        defer { timer.cancel() }
        try await channel.close(mode: .output).get()
        try await channel.closeFuture.get()
    }
}

/// A lock that orders the event loop, which takes it before it passes on a part of a request, and the task, which takes it
/// afterwards.
///
/// Without it, the thread sanitizer reports a race when a continuation is resumed while its task is about to wait.
private final class Handover: ChannelInboundHandler, Sendable {
    typealias InboundIn = HTTPServerRequestPart

    private let lock = Mutex(())

    func pass() { lock.withLock { _ in } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        pass()
        context.fireChannelRead(data)
    }
}

extension HTTPServerResponsePart {
    fileprivate static func bytes(_ bytes: some Sequence<UInt8>) -> Self { .body(.byteBuffer(ByteBuffer(bytes: bytes))) }
}

extension HTTPRequestHead {
    /// Whether the connection continues after this request. After an upgrade request, NIO's decoder reads nothing more.
    fileprivate var allowsAnother: Bool {
        version == .http1_1 && isKeepAlive && method != .CONNECT && !headers.contains(name: "upgrade")
    }

    /// The path and query of the request target, without the scheme and authority of the absolute form.
    fileprivate var target: (path: String, query: String?) {
        var target = uri[...]
        if !target.hasPrefix("/"), let scheme = target.firstRange(of: "://") {
            target = target[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
        }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return (parts[0].isEmpty ? "/" : String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
    }

    /// The header fields without `Host`.
    fileprivate var fields: HTTPFields {
        var fields = HTTPFields()
        for (name, value) in headers where name.lowercased() != "host" {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        return fields
    }
}

extension HTTPResponseHead {
    fileprivate init(_ response: MockResponse, to request: HTTPRequestHead) {
        var headers = HTTPHeaders(response.fields.map { ($0.name.rawName, $0.value) })
        let length: Int? =
            switch response.delivery {
            case .whole, .truncated, .reset: response.body.count
            case .inflated(_, let count): response.body.count + count
            case .endless: nil
            }
        if let length, !headers.contains(name: "content-length") { headers.add(name: "content-length", value: "\(length)") }
        if !headers.contains(name: "date") { headers.add(name: "date", value: Date.now.formatted(Self.dateFormat)) }
        if !request.allowsAnother { headers.replaceOrAdd(name: "connection", value: "close") }
        // HTTP/1.0 has no chunked encoding: without a length, the body ends with the connection.
        self.init(
            version: request.version == .http1_0 ? .http1_0 : .http1_1,
            status: HTTPResponseStatus(statusCode: response.status.code, reasonPhrase: response.status.reasonPhrase),
            headers: headers)
    }

    /// The format of `Date`, such as `Wed, 25 Nov 2026 09:30:00 GMT` (RFC 9110, section 5.6.7).
    private static let dateFormat = Date.VerbatimFormatStyle(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .extended(minimumLength: 4)) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
}
