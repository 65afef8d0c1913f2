internal import NIOCore
internal import NIOHTTP1

/// One connection to the loopback port: one request, one page, and an end in any case.
final class CallbackConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let desk: CallbackDesk
    private var isAnswered = false
    private var isDelivered = false
    private var isInputClosed = false
    /// Closes the connection if nothing else does.
    private var timer: Scheduled<Void>?

    private init(desk: CallbackDesk) { self.desk = desk }

    /// Makes a connection speak HTTP, as much of it as is needed here.
    static func add(to pipeline: ChannelPipeline.SynchronousOperations, for desk: CallbackDesk) throws {
        try pipeline.addHandlers([
            ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: desk.limits.decoder)),
            HTTPResponseEncoder(), CallbackConnection(desk: desk),
        ])
    }

    func channelActive(context: ChannelHandlerContext) {
        close(context, in: desk.limits.headTime)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Bodies and further requests are read, so that the client sees its page and no broken connection, and thrown away.
        guard !isAnswered, case .head(let head) = unwrapInboundIn(data) else { return }
        answer(with: desk.reply(to: head, on: context.channel), omitsBody: head.method == .HEAD, context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed {
            isInputClosed = true
            // A client that has closed its side before a whole head will not send one; one that has its page is done.
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
        desk.connections.noteAnswer(on: context.channel)
        close(context, in: desk.limits.closingTime)
        context.write(wrapOutboundOut(.head(reply.head)), promise: nil)
        if !omitsBody { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: reply.page.html)))), promise: nil) }
        // Closing both sides at once resets the connection over bytes not read yet, and the page with it (RFC 9112, section 9.6).
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
