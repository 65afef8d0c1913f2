internal import NIOCore
internal import NIOHTTP2

/// Closes an HTTP/2 connection that is dead, so that no further request waits on it and the client opens a new one.
///
/// The client (1.37) keeps such a connection until the socket fails, which can take many minutes after the network was lost. This
/// handler is behind the codec, where it sees each frame and each stream of the connection. The connection is always read, also
/// while the reader of a response pauses, so a server that lives is never silent for long after a `PING` (RFC 9113, section 6.7).
final class ConnectionCheck: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// The silence before a `PING`, and the time for its answer.
    private let limit: TimeAmount
    private var openStreams = 0
    /// The beginning of the silence: the time of the latest frame, `PING`, or opening of the only stream.
    private var start = NIODeadline.distantPast
    /// The silence after ``start`` that is accepted.
    private var patience: TimeAmount
    /// Whether a `PING` was sent, and nothing has arrived since.
    private var isWaiting = false
    /// The next check. It survives the end of a stream, for the next one, so that most requests schedule nothing.
    private var timer: Scheduled<Void>?

    /// - Parameter idleTimeout: The limit of a request. A connection is checked after a third of it, but not within a second, which
    ///   an answer can take in a slow network.
    init(idleTimeout: TimeAmount) {
        limit = max(.nanoseconds(idleTimeout.nanoseconds / 3), .seconds(1))
        patience = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isWaiting = false
        start = context.eventLoop.now
        // Some servers refuse clients with many a `PING`, so after an answer the next one is sent later: two within an idle limit.
        if case .ping(_, ack: true) = unwrapInboundIn(data).payload { patience = 2 * limit } else { patience = limit }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is NIOHTTP2StreamCreatedEvent:
            openStreams += 1
            // A server need not send anything while there are no streams. A `PING` without an answer still counts.
            if openStreams == 1, !isWaiting { (start, patience) = (context.eventLoop.now, limit) }
            watch(context)
        case is StreamClosedEvent:
            openStreams -= 1
        default:
            break
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func watch(_ context: ChannelHandlerContext) {
        guard timer == nil, openStreams > 0 || isWaiting else { return }
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: start + patience) { self.check(context) }
    }

    private func check(_ context: ChannelHandlerContext) {
        timer = nil
        if context.eventLoop.now >= start + patience {
            if isWaiting { return context.channel.closeAtOnce() }
            if openStreams > 0 {
                isWaiting = true
                (start, patience) = (context.eventLoop.now, limit)
                let ping = HTTP2Frame(streamID: .rootStream, payload: .ping(HTTP2PingData(), ack: false))
                context.writeAndFlush(wrapOutboundOut(ping), promise: nil)
            }
        }
        watch(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    private func stop() {
        timer?.cancel()
        timer = nil
    }
}
