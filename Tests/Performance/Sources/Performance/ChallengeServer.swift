import ArgumentParser
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A server on loopback that challenges each request until it carries the current token, and issues tokens.
///
/// It is a separate process, so that its cost is not counted with that of the clients, and it has one thread.
struct ChallengeServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "challenge-server", abstract: "Runs a server that sends challenges, until its standard input ends.",
        shouldDisplay: false)

    @Option(help: "How long the token endpoint takes, in milliseconds.")
    var delay: Int64 = 100

    func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let state = ChallengeState()
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 4_096)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { [delay] channel in
                channel.pipeline.configureHTTPServerPipeline().flatMapThrowing {
                    try channel.pipeline.syncOperations.addHandler(ChallengeHandler(state, delay: .milliseconds(delay)))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        FileHandle.standardOutput.write(Data("\(channel.localAddress?.port ?? 0)\n".utf8))
        while readLine() != nil {}
        try await channel.close()
        try await group.shutdownGracefully()
    }
}

/// The numbers of requests that a server received while one token was the current one.
struct ChallengeCounts: Codable, Sendable {
    /// Requests without the current token.
    var challenged = 0
    /// Requests with the current token.
    var answered = 0
    /// Requests for a token.
    var tokens = 0
}

/// The current token, and the counts: one element for each token that has been the current one.
private final class ChallengeState: Sendable {
    private let counts = Mutex([ChallengeCounts()])

    var token: String { counts.withLock { "token-\($0.count)" } }
    var report: [ChallengeCounts] { counts.withLock(\.self) }

    /// Invalidates the current token.
    func revoke() { counts.withLock { $0.append(ChallengeCounts()) } }

    func countToken() { counts.withLock { $0[$0.count - 1].tokens += 1 } }

    /// Counts a request.
    ///
    /// - Returns: Whether the request has the current token.
    func take(_ authorization: String?) -> Bool {
        counts.withLock { counts in
            let isGood = authorization == "Bearer token-\(counts.count)"
            if isGood { counts[counts.count - 1].answered += 1 } else { counts[counts.count - 1].challenged += 1 }
            return isGood
        }
    }
}

/// Answers the requests of one connection.
private final class ChallengeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let state: ChallengeState
    private let delay: TimeAmount
    private var request: HTTPRequestHead?

    init(_ state: ChallengeState, delay: TimeAmount) {
        self.state = state
        self.delay = delay
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): request = head
        case .body: break
        case .end:
            guard let request else { return }
            self.request = nil
            answer(request, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(_ request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        switch request.uri {
        case "/token":
            state.countToken()
            let text = #"{"access_token":"\#(state.token)","token_type":"Bearer","expires_in":3600}"#
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: delay) {
                let (handler, context) = bound.value
                guard context.channel.isActive else { return }
                handler.write(.ok, ["content-type": "application/json", "cache-control": "no-store"], text, context)
            }
        case "/revoke":
            state.revoke()
            write(.ok, [:], "", context)
        case "/counts":
            let text = (try? JSONEncoder().encode(state.report)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            write(.ok, ["content-type": "application/json"], text, context)
        default:
            if state.take(request.headers.first(name: "authorization")) {
                write(.ok, ["content-type": "application/json"], LoopbackServer.smallAnswer, context)
            } else {
                write(.unauthorized, ["www-authenticate": #"Bearer realm="performance""#], "", context)
            }
        }
    }

    private func write(
        _ status: HTTPResponseStatus, _ fields: HTTPHeaders, _ text: String, _ context: ChannelHandlerContext
    ) {
        var fields = fields
        fields.add(name: "content-length", value: "\(text.utf8.count)")
        context.write(wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: fields))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}

/// A challenging server in a process of its own.
struct ChallengeServer {
    private let process: Process
    private let input = Pipe()
    let base: String

    /// - Parameter program: The path of this program.
    init(by program: String) throws {
        process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = ["challenge-server"]
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = ""
        while !line.hasSuffix("\n") {
            let bytes = output.fileHandleForReading.availableData
            guard !bytes.isEmpty else { throw PerformanceError("the challenging server has not started") }
            line += String(decoding: bytes, as: UTF8.self)
        }
        base = "http://127.0.0.1:\(line.trimmingCharacters(in: .whitespacesAndNewlines))"
    }

    /// The counts for each token.
    func counts() async throws -> [ChallengeCounts] {
        guard let url = URL(string: base + "/counts") else { throw PerformanceError("'\(base)' is not a valid URL") }
        return try JSONDecoder().decode([ChallengeCounts].self, from: try await URLSession.shared.data(from: url).0)
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
