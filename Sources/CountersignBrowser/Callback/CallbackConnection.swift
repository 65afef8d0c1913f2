internal import NIOCore
internal import NIOHTTP1

/// A connection to the loopback port. It answers one request with one page, and is always closed afterwards.
final class CallbackConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let receiver: RedirectReceiver
    private var isAnswered = false
    private var isDelivered = false
    private var isInputClosed = false
    /// Closes the connection at the time limit.
    private var timer: Scheduled<Void>?

    private init(receiver: RedirectReceiver) { self.receiver = receiver }

    /// Adds the HTTP handlers to a connection.
    static func add(to pipeline: ChannelPipeline.SynchronousOperations, for receiver: RedirectReceiver) throws {
        try pipeline.addHandlers([
            ByteToMessageHandler(
                HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: receiver.limits.decoder)),
            HTTPResponseEncoder(), CallbackConnection(receiver: receiver),
        ])
    }

    func channelActive(context: ChannelHandlerContext) {
        close(context, in: receiver.limits.headTime)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Bodies and further requests are read and discarded, so that the client receives its page and not a connection reset.
        guard !isAnswered, case .head(let head) = unwrapInboundIn(data) else { return }
        answer(with: receiver.reply(to: head, on: context.channel), omitsBody: head.method == .HEAD, context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed {
            isInputClosed = true
            // A client that closes its side sends no further request, so the connection can be closed unless a page is still
            // being sent.
            if !isAnswered || isDelivered { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.close(promise: nil) }
        guard !isAnswered else { return }
        answer(with: CallbackReply(error == .headerOverflow ? .tooLarge : .malformed), omitsBody: false, context)
    }

    private func answer(with reply: CallbackReply, omitsBody: Bool, _ context: ChannelHandlerContext) {
        isAnswered = true
        receiver.connections.noteAnswer(on: context.channel)
        close(context, in: receiver.limits.closingTime)
        context.write(wrapOutboundOut(.head(reply.head)), promise: nil)
        if !omitsBody { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: reply.html)))), promise: nil) }
        // If both sides are closed at once while bytes are unread, the connection is reset and the page is lost (RFC 9112,
        // section 9.6).
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
            self.isDelivered = true
            context.close(mode: self.isInputClosed ? .all : .output, promise: nil)
        }
    }

    private func close(_ context: ChannelHandlerContext, in time: TimeAmount) {
        timer?.cancel()
        timer = context.eventLoop.scheduleTask(in: time) { [channel = context.channel] in channel.close(promise: nil) }
    }
}
