import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing

/// A port that forwards all bytes to another one until it is cut. Then it drops them silently.
final class Relay: Sendable {
    let url: URL
    private let server: any Channel
    private let isCutNow: CutFlag

    /// Whether nothing is forwarded. Bytes that are sent meanwhile are lost.
    var isCut: Bool {
        get { isCutNow.value }
        set { isCutNow.set(newValue) }
    }

    static func run(to port: Int) async throws -> Relay {
        let flag = CutFlag()
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { client in
                ClientBootstrap(group: client.eventLoop).connect(host: "127.0.0.1", port: port).flatMapThrowing { other in
                    try client.pipeline.syncOperations.addHandler(PassOn(to: other, unless: flag))
                    try other.pipeline.syncOperations.addHandler(PassOn(to: client, unless: flag))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return try Relay(server, flag)
    }

    private init(_ server: any Channel, _ flag: CutFlag) throws {
        self.server = server
        isCutNow = flag
        let port = try #require(server.localAddress?.port)
        url = try #require(URL(string: "http://127.0.0.1:\(port)"))
    }

    func stop() async { try? await server.close() }
}

private final class CutFlag: Sendable {
    private let flag = Mutex((isCut: false, times: 0))

    var value: Bool { flag.withLock { $0.isCut } }
    /// The number of cuts. A connection that is older than a cut may have lost bytes.
    var times: Int { flag.withLock { $0.times } }

    func set(_ isCut: Bool) {
        flag.withLock {
            if isCut, !$0.isCut { $0.times += 1 }
            $0.isCut = isCut
        }
    }
}

private final class PassOn: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let other: any Channel
    private let flag: CutFlag
    private let times: Int

    init(to other: any Channel, unless flag: CutFlag) {
        self.other = other
        self.flag = flag
        times = flag.times
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !flag.value else { return }
        // Lost bytes are not resent, so the connection ends, like one whose packets were dropped for long.
        guard flag.times == times else { return context.close(promise: nil) }
        other.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        other.close(promise: nil)
        context.fireChannelInactive()
    }
}
