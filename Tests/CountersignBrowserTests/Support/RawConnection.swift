import Foundation
import NIOCore
import NIOPosix

/// A client that sends the bytes of a test, and records the bytes that come back.
struct RawConnection: Sendable {
    let channel: any Channel
    /// The text that the server sends until it closes the connection, or the connection breaks.
    private let received: EventLoopFuture<String>

    /// Connects to the port of a URL.
    static func open(to url: URL) async throws -> RawConnection {
        let host = url.host(percentEncoded: false) ?? ""
        return try await open(host: String(host.drop { $0 == "[" }.prefix { $0 != "]" }), port: url.port ?? 80)
    }

    static func open(host: String, port: Int) async throws -> RawConnection {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let received = loop.makePromise(of: String.self)
        do {
            let channel = try await ClientBootstrap(group: loop)
                .connectTimeout(.minutes(5))
                .channelOption(.allowRemoteHalfClosure, value: true)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Collector(promise: received))
                    }
                }
                .connect(to: SocketAddress(ipAddress: host, port: port)).get()
            return RawConnection(channel: channel, received: received.futureResult)
        } catch {
            received.fail(error)
            throw error
        }
    }

    /// Sends text unchanged, and ignores an error, because the server may close the connection earlier.
    func send(_ text: String) async { try? await channel.writeAndFlush(ByteBuffer(string: text)) }

    /// Closes the sending side, and continues to read.
    func endSending() async { try? await channel.close(mode: .output) }

    /// Waits until the server closes, and closes too.
    func answer() async throws -> RawAnswer {
        let text = try await withTaskCancellationHandler {
            try await received.get()
        } onCancel: {
            channel.close(promise: nil)
        }
        try? await channel.close()
        return RawAnswer(text)
    }

    func close() async { try? await channel.close() }

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let promise: EventLoopPromise<String>
        private var text = ByteBuffer()
        private var isDone = false

        init(promise: EventLoopPromise<String>) { self.promise = promise }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            text.writeBuffer(&bytes)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if let event = event as? ChannelEvent, event == .inputClosed { finish() }
        }

        func channelInactive(context: ChannelHandlerContext) { finish() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private func finish() {
            guard !isDone else { return }
            isDone = true
            promise.succeed(String(buffer: text))
        }
    }
}

/// A response as it was sent.
struct RawAnswer: Sendable {
    let text: String
    let status: Int?
    let body: String
    private let fields: [String: [String]]

    init(_ text: String) {
        self.text = text
        // Compared as bytes, because CR and LF together are one `Character` in Swift.
        let bytes = Array(text.utf8)
        let end = bytes.indices.first { bytes[$0...].starts(with: Array("\r\n\r\n".utf8)) }
        let head = String(decoding: bytes[..<(end ?? bytes.endIndex)], as: UTF8.self)
        body = end.map { String(decoding: bytes[($0 + 4)...], as: UTF8.self) } ?? ""
        let lines = head.components(separatedBy: "\r\n")
        status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) }
        var fields: [String: [String]] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            fields[parts[0].lowercased(), default: []].append(parts[1].trimmingCharacters(in: .whitespaces))
        }
        self.fields = fields
    }

    subscript(_ field: String) -> String? { fields[field]?.joined(separator: ", ") }
}
