internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1

/// Fails a request when the server sends nothing for too long, although the complete request was sent and the client asks for data.
///
/// The client's own limit (1.37, `timeout.read`) also counts while the application does not read the response's body. This handler
/// is between the client's handler and the codec, on each HTTP/1.1 connection and each HTTP/2 stream, and observes `read()`: the
/// channel requests it after each arrival of data (`autoRead`), and the client's handler holds it back until the application reads.
final class IdleTimeout: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private enum Progress {
        /// The request was not sent completely.
        case sending
        /// The request was sent completely, and its response has not ended.
        case waiting
        /// There is no request, its response has ended, or the connection has.
        case over
    }

    private let limit: TimeAmount
    /// The progress of the latest request of the connection.
    private var progress = Progress.over
    /// The number of requests of the connection.
    private var requests = 0
    /// Whether the client waits for data. The first `read()` of a connection can be older than this handler.
    private var isReading = true
    /// The time of the latest `read()`, which follows each arrival of data, or of the end of the request if that was later.
    private var start = NIODeadline.distantPast
    /// The next check. It survives the end of a response, for the next request, so that most requests schedule nothing.
    private var timer: Scheduled<Void>?

    init(_ limit: TimeAmount) { self.limit = limit }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head:
            progress = .sending
            requests += 1
            context.write(data, promise: promise)
        case .body:
            context.write(data, promise: promise)
        case .end:
            // Large bodies are still in buffers now. The promise is fulfilled when the socket has taken everything.
            let written = context.eventLoop.makePromise(of: Void.self)
            written.futureResult.assumeIsolated().whenComplete { [number = requests] result in
                if case .success = result { self.requestWasSent(number, context: context) }
                promise?.completeWith(result)
            }
            context.write(data, promise: written)
        }
    }

    /// After an early response, the next request can begin before the previous one was sent.
    private func requestWasSent(_ number: Int, context: ChannelHandlerContext) {
        guard number == requests, progress == .sending else { return }
        progress = .waiting
        start = context.eventLoop.now
        watch(context)
    }

    func read(context: ChannelHandlerContext) {
        isReading = true
        start = context.eventLoop.now
        watch(context)
        // An HTTP/2 stream delivers data that has already arrived during this call.
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The client can send the next request during this call.
        if case .end = unwrapInboundIn(data) { progress = .over }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        context.fireChannelReadComplete()
    }

    private func watch(_ context: ChannelHandlerContext) {
        guard timer == nil, progress == .waiting, isReading else { return }
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: start + limit) { self.check(context) }
    }

    private func check(_ context: ChannelHandlerContext) {
        timer = nil
        guard progress == .waiting, isReading, context.eventLoop.now >= start + limit else { return watch(context) }
        progress = .over
        context.fireErrorCaught(HTTPClientError.readTimeout)
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    private func stop() {
        progress = .over
        timer?.cancel()
        timer = nil
    }
}
