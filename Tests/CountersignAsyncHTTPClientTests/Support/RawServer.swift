import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A connection of a raw server, on which a script reads and writes bytes.
struct RawConnection {
    var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    let channel: any Channel
    /// The bytes that have been read and not requested yet.
    var rest = ByteBuffer()

    func write(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }
    func write(_ bytes: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: bytes)) }

    /// Reads up to an empty line, and returns the text before it; `nil` if the connection ends earlier.
    mutating func readHead() async throws -> String? {
        while true {
            let text = String(buffer: rest)
            if let end = text.firstRange(of: "\r\n\r\n") {
                rest.moveReaderIndex(forwardBy: text[..<end.upperBound].utf8.count)
                return String(text[..<end.lowerBound])
            }
            guard var piece = try await inbound.next() else { return nil }
            rest.writeBuffer(&piece)
        }
    }

    /// Reads exactly the given number of bytes; `nil` if the connection ends earlier.
    mutating func read(_ count: Int) async throws -> [UInt8]? {
        while rest.readableBytes < count {
            guard var piece = try await inbound.next() else { return nil }
            rest.writeBuffer(&piece)
        }
        return rest.readBytes(length: count)
    }

    /// Reads to the end of the connection, and returns the number of bytes.
    mutating func drain() async -> Int {
        var count = rest.readableBytes
        rest.clear()
        while let piece = try? await inbound.next() { count += piece.readableBytes }
        return count
    }
}

/// Runs a server that serves each connection with a script, and closes it when the script ends.
///
/// The sockets have small buffers, so that a side that does not read is noticed early. With TLS, the script reads and writes
/// plaintext.
func withRawServer<Value: Sendable>(
    tls: TLSConfiguration? = nil,
    serve: @escaping @Sendable (inout RawConnection) async throws -> Void,
    body: @escaping @Sendable (_ port: Int) async throws -> Value
) async throws -> Value {
    let scripts = Mutex<[Task<Void, Never>]>([])
    let context = try tls.map(NIOSSLContext.init)
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .serverChannelOption(.socketOption(.so_rcvbuf), value: 128 * 1024)
        .childChannelOption(.socketOption(.so_sndbuf), value: 128 * 1024)
        .childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                if let context { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context)) }
                let connection = try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                // Started here and not by the task that accepts connections, because a connection that is never served would stop
                // the program.
                let script = Task {
                    do {
                        try await connection.executeThenClose { inbound, outbound in
                            var raw = RawConnection(
                                inbound: inbound.makeAsyncIterator(), outbound: outbound, channel: connection.channel)
                            try await serve(&raw)
                        }
                    } catch {}
                }
                scripts.withLock { $0.append(script) }
            }
        }
        .bind(host: "127.0.0.1", port: 0).get()
    guard let port = listener.localAddress?.port else { throw ServerDidNotStart() }
    let result: Result<Value, any Error>
    do { result = .success(try await body(port)) } catch { result = .failure(error) }
    try await listener.close().get()
    for script in scripts.withLock({ $0 }) {
        script.cancel()
        await script.value
    }
    return try result.get()
}

extension RawConnection {
    /// Ends the connection with a reset instead of an orderly close.
    func reset() async throws {
        try await (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        try await channel.close().get()
    }
}
