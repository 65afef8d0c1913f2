import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import Synchronization

/// The socket side of the mock: an HTTP/1.1 server on 127.0.0.1 with a port of its own. Outside of this folder nothing knows Hummingbird.
final class MockServer: Sendable {
    /// Answers one request.
    typealias Handler = @Sendable (MockRequest) async -> MockResponse

    /// How much of a request's body is kept; the rest is counted.
    static let keptBodyLength = 64 * 1024

    /// The port that the system chose.
    let port: Int
    private let running: Task<Void, Never>

    private init(port: Int, running: Task<Void, Never>) {
        self.port = port
        self.running = running
    }

    deinit { running.cancel() }

    /// Binds a port, makes the handler for it, and serves.
    ///
    /// - Parameter make: Makes the handler, and whatever else needs the port.
    /// - Returns: The server, and what was made.
    static func start<Made: Sendable>(
        tls: MockTLS? = nil, make: @Sendable (_ port: Int) throws -> (Made, Handler)
    ) async throws -> (MockServer, Made) {
        let handler = LateHandler()
        let (ports, port) = AsyncThrowingStream.makeStream(of: Int.self)
        let application = Application(
            responder: CallbackResponder<Connection> { request, connection in
                try await handler.respond(to: request, on: connection.channel, isSecure: tls != nil)
            },
            server: try builder(tls),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0), backlog: 4096),
            onServerRunning: { channel in
                if let number = channel.localAddress?.port { port.yield(number) }
            },
            logger: Logger(label: "countersign.mock") { _ in SwiftLogNoOpLogHandler() })
        let running = Task {
            do {
                try await application.run()
                port.finish()
            } catch {
                port.finish(throwing: error)
            }
        }
        do {
            guard let number = try await ports.first(where: { _ in true }) else { throw CancellationError() }
            let (made, answers) = try make(number)
            if let log = MockRequestLog.current {
                handler.set { request in
                    let response = await answers(request)
                    log.note(request, response)
                    return response
                }
            } else {
                handler.set(answers)
            }
            return (MockServer(port: number, running: running), made)
        } catch {
            running.cancel()
            await running.value
            throw error
        }
    }

    private static func builder(_ tls: MockTLS?) throws -> HTTPServerBuilder {
        let plain = HTTPServerBuilder { AcceptedChannel(HTTP1Channel(responder: $0)) }
        return try tls.map { try .tls(plain, tlsConfiguration: $0.configuration) } ?? plain
    }

    /// Closes the port and every connection, and returns when both are closed.
    func stop() async {
        running.cancel()
        await running.value
    }
}

/// What Hummingbird hands over with a request: the connection, which faults take hold of.
private struct Connection: InitializableFromSource {
    let channel: any Channel

    init(source: ApplicationRequestContextSource) { channel = source.channel }
}

/// The handler, which can be made only when the port is known.
private final class LateHandler: Sendable {
    /// Not the closure itself: Swift 6.3 wraps one in another one each time that it is read from a `Mutex`, so that each request would take
    /// longer than the one before.
    private struct State {
        var handler: MockServer.Handler?
    }

    private let state = Mutex(State())

    func set(_ handler: @escaping MockServer.Handler) { state.withLock { $0.handler = handler } }

    func respond(to request: Request, on channel: any Channel, isSecure: Bool) async throws -> Response {
        guard let handler = state.withLock({ $0.handler }) else { return Response(status: .serviceUnavailable) }
        var message = try await MockRequest(request)
        if isSecure { message.certificate = await MockTLS.peerCertificate(of: channel) }
        let response = await handler(message)
        return try await Response(response, to: request.method, on: channel)
    }
}

extension MockRequest {
    fileprivate init(_ request: Request) async throws {
        var body: [UInt8] = []
        var bodyLength = 0
        for try await piece in request.body {
            bodyLength += piece.readableBytes
            body.append(contentsOf: piece.readableBytesView.prefix(MockServer.keptBodyLength - body.count))
        }
        let target = (request.head.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(
            method: request.method, authority: request.head.authority?.lowercased() ?? "", path: String(target[0]),
            query: target.count > 1 ? String(target[1]) : nil, fields: request.headers, body: body, bodyLength: bodyLength)
    }
}

extension Response {
    fileprivate init(_ response: MockResponse, to method: HTTPRequest.Method, on channel: any Channel) async throws {
        var fields = response.fields
        let body: ResponseBody
        switch response.delivery {
        case .whole where method == .head || response.status == .noContent || response.status == .notModified:
            fields[.contentLength] = "\(response.body.count)"
            body = ResponseBody()
        case .whole:
            body = ResponseBody(byteBuffer: ByteBuffer(bytes: response.body))
        case .truncated:
            let half = ByteBuffer(bytes: response.body.prefix(response.body.count / 2))
            body = ResponseBody(contentLength: response.body.count) { writer in
                try await writer.write(half)
                try await channel.close()
            }
        case .inflated(let place, let count):
            let (head, tail) = (ByteBuffer(bytes: response.body.prefix(place)), ByteBuffer(bytes: response.body.dropFirst(place)))
            let piece = ByteBuffer(repeating: UInt8(ascii: "x"), count: 1024 * 1024)
            body = ResponseBody(contentLength: response.body.count + count) { writer in
                try await writer.write(head)
                var left = count
                while left > 0 {
                    let length = min(left, piece.readableBytes)
                    try await writer.write(piece.getSlice(at: 0, length: length) ?? piece)
                    left -= length
                }
                try await writer.write(tail)
                try await writer.finish(nil)
            }
        case .endless:
            let piece = ByteBuffer(repeating: UInt8(ascii: "."), count: 64 * 1024)
            body = ResponseBody { writer in
                while !Task.isCancelled { try await writer.write(piece) }
            }
        case .reset:
            // A socket that lingers for no time is reset when it is closed.
            try await (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
            try await channel.close()
            body = ResponseBody()
        }
        self.init(status: response.status, headers: fields, body: body)
        // RFC 9110, section 8.6: not in a 204.
        if status == .noContent { headers[.contentLength] = nil }
    }
}
