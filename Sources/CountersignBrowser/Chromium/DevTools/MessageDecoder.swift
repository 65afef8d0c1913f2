#if os(macOS) || os(Linux)
internal import NIOCore

/// Splits the bytes from a browser into messages, each of which ends with a zero byte.
struct MessageDecoder: ByteToMessageDecoder {
    typealias InboundOut = ByteBuffer

    /// The maximum size of a message in bytes.
    let limit: Int
    /// The number of bytes that were already searched for a zero byte.
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
        // An incomplete message is discarded.
        .needMoreData
    }
}
#endif
