import NIOCore
import NIOPosix

/// A TCP client that sends bytes unchanged, and reads the response.
struct Wire {
    let channel: any Channel
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var unread = ""

    /// Connects to a port of 127.0.0.1, runs `body`, and closes the connection.
    static func run<Value: Sendable>(port: Int, _ body: (inout Wire) async throws -> Value) async throws -> Value {
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(to: SocketAddress(ipAddress: "127.0.0.1", port: port)) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await connection.executeThenClose { inbound, outbound in
            var wire = Wire(channel: connection.channel, outbound: outbound, inbound: inbound.makeAsyncIterator())
            return try await body(&wire)
        }
    }

    private init(
        channel: any Channel, outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>,
        inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    ) {
        self.channel = channel
        self.outbound = outbound
        self.inbound = inbound
    }

    func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    /// Reads up to and including a text, and returns it; everything if the connection ends earlier.
    mutating func read(through end: String) async throws -> String {
        var text = unread
        while true {
            if let place = text.firstRange(of: end) {
                unread = String(text[place.upperBound...])
                return String(text[..<place.upperBound])
            }
            guard let piece = try await inbound.next() else {
                unread = ""
                return text
            }
            text += String(buffer: piece)
        }
    }

    /// Reads until the server closes or resets the connection.
    mutating func readToEnd() async -> String {
        var text = unread
        unread = ""
        while let piece = try? await inbound.next() { text += String(buffer: piece) }
        return text
    }

    /// Sends the last request of a connection, and returns the response.
    static func answer(_ request: String, port: Int) async throws -> String {
        try await run(port: port) { wire in
            try await wire.send(request)
            return await wire.readToEnd()
        }
    }
}
