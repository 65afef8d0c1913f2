internal import AsyncHTTPClient
internal import Countersign
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP1
internal import NIOHTTP2

/// Keeps responses from the client at which the client (1.37) or its codec for HTTP/2 (swift-nio-http2 1.46) stops the program.
///
/// - A status code that no response has (RFC 9110, section 15) is refused: one below 100, over HTTP/2 also an empty or negative one,
///   and 101, which HTTP/2 does not have (RFC 9113, section 8.6).
/// - Over HTTP/2, a stream is closed when its response is complete before its request is. The client would wait for the end of the
///   request without keeping the request, and needs it at the next event of the stream, or when it is shut down. The server may
///   reset the stream then (RFC 9113, section 8.1).
enum ResponseCheck {
    /// Makes a client check the responses on each of its connections, limit the time in which a server sends nothing, and use no
    /// HTTP/2 connection that has ended.
    ///
    /// - Parameter idleTimeout: The limit; `nil` for none, also without ``ConnectionCheck``.
    static func install(in configuration: inout HTTPClient.Configuration, idleTimeout: TimeAmount?) {
        configuration.http1_1ConnectionDebugInitializer = { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                try pipeline.addHandler(HTTP1ResponseCheck(), position: .after(decoder))
                if let idleTimeout { try pipeline.addHandler(IdleTimeout(idleTimeout), position: .after(decoder)) }
            }
        }
        configuration.http2StreamChannelDebugInitializer = { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                let check = HTTP2ResponseCheck()
                try pipeline.addHandler(check, position: .first)
                try pipeline.addHandler(HTTP2ShutdownCheck(check), position: .last)
                guard let idleTimeout else { return }
                let codec = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
                try pipeline.addHandler(IdleTimeout(idleTimeout), position: .after(codec))
            }
        }
        configuration.http2ConnectionDebugInitializer = { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                let codec = try pipeline.handler(type: NIOHTTP2Handler.self)
                try pipeline.addHandler(ConnectionEnd(), position: .after(codec))
                guard let idleTimeout else { return }
                try pipeline.addHandler(ConnectionCheck(idleTimeout: idleTimeout), position: .after(codec))
            }
        }
    }

    fileprivate static let refusal = TransportError(
        .malformed, detail: "the response has an invalid status", requestMayHaveBeenProcessed: true)
}

/// Checks the responses of an HTTP/1.1 connection, behind its decoder, which accepts only three digits.
private final class HTTP1ResponseCheck: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    /// Whether a response was refused. The rest of it must not reach the client, which closes the connection.
    private var hasRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        if case .head(let head) = unwrapInboundIn(data), head.status.code < 100 {
            hasRefused = true
            context.fireErrorCaught(ResponseCheck.refusal)
        } else {
            context.fireChannelRead(data)
        }
    }
}

/// Checks the response of an HTTP/2 stream, between the network and the codec.
private final class HTTP2ResponseCheck: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    /// Whether the last frame of the request was written.
    private var hasEndedRequest = false
    /// Whether the head of the final response has arrived.
    private var hasHead = false
    /// Whether the client must not see further events of the stream: its response was refused, or was complete before the request.
    private(set) var isOver = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if unwrapOutboundIn(data).endsStream { hasEndedRequest = true }
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        let frame = unwrapInboundIn(data)
        if case .headers(let fields) = frame, let status = fields.headers.first(name: ":status") {
            guard Self.isStatus(status) else {
                // The client fails the request and closes the stream.
                isOver = true
                return context.fireErrorCaught(ResponseCheck.refusal)
            }
            if !status.hasPrefix("1") { hasHead = true }
        }
        context.fireChannelRead(data)
        guard frame.endsStream, hasHead, !hasEndedRequest else { return }
        isOver = true
        context.close(promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) { if !isOver { context.fireChannelReadComplete() } }

    func channelInactive(context: ChannelHandlerContext) { if !isOver { context.fireChannelInactive() } }

    func channelWritabilityChanged(context: ChannelHandlerContext) { if !isOver { context.fireChannelWritabilityChanged() } }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if !isOver { context.fireUserInboundEventTriggered(event) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { if !isOver { context.fireErrorCaught(error) } }

    private static func isStatus(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            && text.utf8.first != UInt8(ascii: "0") && text != "101"
    }
}

/// Keeps the client's shutdown from a stream that is over, behind the client's handler.
///
/// A closed stream belongs to its connection until the next turn of the event loop. A shutdown that was requested before reaches it,
/// and the client would fail the request that it no longer has.
private final class HTTP2ShutdownCheck: ChannelOutboundHandler {
    typealias OutboundIn = Any

    private let check: HTTP2ResponseCheck

    init(_ check: HTTP2ResponseCheck) { self.check = check }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        if check.isOver {
            promise?.succeed()
        } else {
            context.triggerUserOutboundEvent(event, promise: promise)
        }
    }
}

extension HTTP2Frame.FramePayload {
    /// Whether the frame is the last one of its sender on the stream.
    fileprivate var endsStream: Bool {
        switch self {
        case .data(let data): data.endStream
        case .headers(let fields): fields.endStream
        default: false
        }
    }
}
