import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A transport whose servers are a closure. It records the requests.
final class ScriptedTransport: HTTPTransport {
    /// A request as it arrived.
    struct Sent: Sendable {
        /// The number of the request, starting at 1.
        let number: Int
        let request: SessionRequest
        let url: URL

        var method: HTTPRequest.Method { request.head.method }
        var path: String { url.path(percentEncoded: true) }
        subscript(_ name: String) -> String? { HTTPField.Name(name).flatMap { request.head.headerFields[$0] } }

        /// Returns the bytes of the whole body.
        func body() async throws -> [UInt8] {
            switch request.body.content {
            case .none: return []
            case .bytes(let bytes): return bytes
            case .restartable(_, let make): return try await make().all()
            case .once(_, let stream): return try await stream.all()
            }
        }
    }

    typealias Script = @Sendable (Sent) async throws -> Reply

    private struct State {
        var sent: [Sent] = []
        var shutdowns = 0
    }

    private let script: Script
    private let state = Mutex(State())
    private let end = Turnstile()

    init(_ script: @escaping Script) { self.script = script }

    /// The requests that have been sent.
    var sent: [Sent] { state.withLock { $0.sent } }
    var shutdowns: Int { state.withLock { $0.shutdowns } }

    func send(_ request: SessionRequest) async throws -> SessionResponse {
        let url = try #require(request.head.url)
        let (sent, isShutDown) = state.withLock { state in
            let sent = Sent(number: state.sent.count + 1, request: request, url: url)
            state.sent.append(sent)
            return (sent, state.shutdowns > 0)
        }
        guard !isShutDown else { throw TransportError(.shutDown, detail: "shut down", requestMayHaveBeenProcessed: false) }
        let reply = try await withThrowingTaskGroup(of: Reply.self) { [script, end] group in
            group.addTask { try await script(sent) }
            group.addTask {
                try await end.pass()
                throw TransportError(.shutDown, detail: "shut down", requestMayHaveBeenProcessed: true)
            }
            defer { group.cancelAll() }
            return try #require(try await group.next())
        }
        return SessionResponse(head: reply.head, url: url, body: reply.body)
    }

    func shutdown() async throws {
        state.withLock { $0.shutdowns += 1 }
        end.open()
    }
}

/// The response of a scripted server.
struct Reply: Sendable {
    var head: HTTPResponse
    var body: ResponseBody

    init(_ status: Int = 200, _ fields: [(String, String)] = [], body: ResponseBody = ResponseBody()) {
        var all = HTTPFields()
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { all.append(HTTPField(name: name, value: value)) }
        }
        head = HTTPResponse(status: .init(code: status), headerFields: all)
        self.body = body
    }

    /// A page of data.
    static func text(_ text: String) -> Reply { Reply(200, body: ResponseBody(bytes: Array(text.utf8))) }

    static func redirect(_ status: Int = 302, to location: String, _ fields: [(String, String)] = []) -> Reply {
        Reply(status, [("Location", location)] + fields)
    }
}

extension AsyncSequence where Element == [UInt8] {
    fileprivate func all() async throws -> [UInt8] { try await reduce(into: []) { $0 += $1 } }
}

extension SessionRequest {
    /// Makes a request to a URL.
    static func to(
        _ url: String, _ method: HTTPRequest.Method = .get, fields: [(String, String)] = [], body: RequestBody = .none,
        timeout: Duration? = nil
    ) throws -> SessionRequest {
        var head = HTTPRequest(method: method, url: try #require(URL(string: url)))
        for (name, value) in fields {
            head.headerFields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        return SessionRequest(head, body: body, timeout: timeout)
    }
}

extension SessionResponse {
    /// Returns the whole body as text.
    func text() async throws -> String { String(decoding: try await body.collect(upTo: 1 << 20), as: UTF8.self) }
}
