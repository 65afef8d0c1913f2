#if os(macOS) || os(Linux)
internal import NIOCore

/// Parts what a browser sends into messages: each ends with a zero byte.
struct MessageDecoder: ByteToMessageDecoder {
    typealias InboundOut = ByteBuffer

    /// The most bytes of a message.
    let limit: Int
    /// How many bytes are known to hold no end.
    private var searched = 0

    init(limit: Int) { self.limit = limit }

    /// - Throws: ``ChromiumError/messageTooLong(limit:)``.
    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        let view = buffer.readableBytesView
        guard let end = view[view.index(view.startIndex, offsetBy: searched)...].firstIndex(of: 0) else {
            searched = view.count
            guard searched <= limit else { throw ChromiumError.messageTooLong(limit: limit) }
            return .needMoreData
        }
        searched = 0
        let length = end - view.startIndex
        guard length <= limit else { throw ChromiumError.messageTooLong(limit: limit) }
        if let message = buffer.readSlice(length: length) { context.fireChannelRead(wrapInboundOut(message)) }
        buffer.moveReaderIndex(forwardBy: 1)
        return .continue
    }

    mutating func decodeLast(context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool) throws -> DecodingState {
        // What has no end is no message.
        .needMoreData
    }
}
#endif
