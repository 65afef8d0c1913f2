import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A login server on this machine: a form at `/authorize`, which leads to the redirect URL with a code and the state. At
/// `/remembered`, the user is logged in already.
enum LoginServer {
    /// Serves while `body` runs, which receives the URL of the first page.
    static func run(at path: String = "/authorize", _ body: (String) async throws -> Void) async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            try await body("http://127.0.0.1:\(server.localAddress?.port ?? 0)\(path)")
            try await server.close()
        } catch {
            try? await server.close()
            throw error
        }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private var head: HTTPRequestHead?
        private var form = ""

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): self.head = head
            case .body(let bytes): form += String(buffer: bytes)
            case .end: respond(context)
            }
        }

        private func respond(_ context: ChannelHandlerContext) {
            guard let head, let asked = URLComponents(string: head.uri)?.queryItems else { return context.close(promise: nil) }
            let value = { (name: String) in asked.first { $0.name == name }?.value ?? "" }
            var headers: HTTPHeaders = ["content-type": "text/html; charset=utf-8", "connection": "close"]
            var status = HTTPResponseStatus.ok
            var page = ""
            if head.uri.hasPrefix("/remembered") || (head.method == .POST && form.contains("p=wonderland")) {
                status = .found
                headers.add(name: "location", value: "\(value("redirect_uri"))?code=c0de&state=\(value("state"))")
            } else {
                page = "<form method=post><input name=u><input name=p type=password></form>"
            }
            headers.add(name: "content-length", value: "\(page.utf8.count)")
            context.write(
                wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: page)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        }
    }
}
