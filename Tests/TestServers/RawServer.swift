internal import NIOCore
internal import NIOPosix
package import NIOSSL
internal import Synchronization

/// Runs a server on a free port of 127.0.0.1 that serves each connection with a script, and closes it when the script ends.
///
/// The sockets have small buffers, so that a side that does not read is noticed early. With TLS, the script reads and writes
/// plaintext.
package func withRawServer<Value: Sendable>(
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
    guard let port = listener.localAddress?.port else { throw ListenerHasNoPort() }
    let result: Result<Value, any Error>
    do { result = .success(try await body(port)) } catch { result = .failure(error) }
    try await listener.close().get()
    for script in scripts.withLock({ $0 }) {
        script.cancel()
        await script.value
    }
    return try result.get()
}

private struct ListenerHasNoPort: Error {}
