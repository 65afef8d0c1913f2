internal import NIOCore
internal import NIOHTTP2

/// Ends an HTTP/2 connection so that no later request is sent on it. It is behind the codec.
///
/// The client (1.37) fails the requests of a connection that has ended before it removes the connection from its pool, so a request
/// that follows at once can still get the connection, and fails, too. After `GOAWAY` (RFC 9113, section 6.8), it opens a new
/// connection for the next request. This handler passes on such a frame as the last one of each connection.
final class ConnectionEnd: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame

    func channelInactive(context: ChannelHandlerContext) {
        let goAway = HTTP2Frame.FramePayload.goAway(lastStreamID: .maxID, errorCode: .noError, opaqueData: nil)
        context.fireChannelRead(wrapInboundOut(HTTP2Frame(streamID: .rootStream, payload: goAway)))
        context.fireChannelInactive()
    }

    /// Closes a connection whose next frame the codec (swift-nio-http2 1.46) cannot find. The codec has sent `GOAWAY`, after which the
    /// connection must be closed (RFC 9113, section 5.4.1), which it leaves to others.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        switch error {
        case is NIOHTTP2Errors.UnableToParseFrame, is NIOHTTP2Errors.ExcessivelyLargeHeaderBlock,
            is NIOHTTP2Errors.ExcessiveContinuationFrames:
            context.channel.closeAtOnce()
        default:
            break
        }
    }
}
