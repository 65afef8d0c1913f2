import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A web server on this machine whose responses a test defines.
final class TestSite: Sendable {
    struct Request: Sendable {
        let method: String
        /// Path and query.
        let target: String
        let cookies: String
        let body: String

        var path: String { String(target.prefix { $0 != "?" }) }
    }

    struct Answer: Sendable {
        var status = 200
        var fields: [(String, String)] = []
        var body = ""
        /// Whether a response is sent.
        var isSent = true

        static func page(_ body: String, status: Int = 200, fields: [(String, String)] = []) -> Answer {
            Answer(status: status, fields: [("Content-Type", "text/html; charset=utf-8")] + fields, body: body)
        }

        static func redirect(_ location: String, status: Int = 302, fields: [(String, String)] = []) -> Answer {
            Answer(status: status, fields: [("Location", location)] + fields)
        }

        static let none = Answer(isSent: false)
    }

    typealias Handler = @Sendable (Request) -> Answer

    /// The origin, without a slash at its end.
    let origin: String
    private let kept = Mutex<[Request]>([])
    private let (stream, continuation) = AsyncStream<Request>.makeStream()

    private init(port: Int) { origin = "http://127.0.0.1:\(port)" }

    /// The requests, except for the icons that browsers request by themselves.
    var allRequests: [Request] { kept.withLock { $0 } }

    /// The methods and targets of the requests.
    var requests: [String] { allRequests.map { "\($0.method) \($0.target)" } }

    /// Waits for a request for a page, and skips earlier requests for others.
    func request(of path: String) async -> Request? {
        for await request in stream where request.path == path { return request }
        return nil
    }

    /// Serves while `body` runs.
    static func run(_ handler: @escaping Handler, _ body: (TestSite) async throws -> Void) async throws {
        let site = Mutex<TestSite?>(nil)
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(
                        Connection { request in
                            guard request.path != "/favicon.ico" else { return .page("", status: 404) }
                            site.withLock { $0 }?.note(request)
                            return handler(request)
                        })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let own = TestSite(port: server.localAddress?.port ?? 0)
        site.withLock { $0 = own }
        do {
            try await body(own)
            try await server.close()
        } catch {
            try? await server.close()
            throw error
        }
    }

    private func note(_ request: Request) {
        kept.withLock { $0.append(request) }
        continuation.yield(request)
    }

    private final class Connection: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let handler: Handler
        private var head: HTTPRequestHead?
        private var body = ""

        init(handler: @escaping Handler) { self.handler = handler }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                self.head = head
                body = ""
            case .body(let bytes): body += String(buffer: bytes)
            case .end: respond(context)
            }
        }

        private func respond(_ context: ChannelHandlerContext) {
            guard let head else { return }
            let answer = handler(
                Request(
                    method: head.method.rawValue, target: head.uri, cookies: head.headers["cookie"].joined(separator: "; "),
                    body: body))
            guard answer.isSent else { return }
            var headers = HTTPHeaders(answer.fields)
            headers.add(name: "Content-Length", value: "\(answer.body.utf8.count)")
            headers.add(name: "Cache-Control", value: "no-store")
            let status = HTTPResponseStatus(statusCode: answer.status)
            context.write(wrapOutboundOut(.head(.init(version: .http1_1, status: status, headers: headers))), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer.body)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
