// The code of the guide "Requests of other code". The transport is checked against the declarations of `OpenAPIStubs.swift`.

import Countersign
import Foundation
import HTTPTypes
import OpenIDConnect
import Synchronization
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension OpenAPIStubs {
    // snippet: transport
    /// Sends the requests of a generated client with a session.
    struct SessionTransport: ClientTransport {
        let session: Session

        func send(
            _ request: HTTPRequest, body: HTTPBody?, baseURL: URL,
            operationID: String
        ) async throws -> (HTTPResponse, HTTPBody?) {
            let base = HTTPRequest(url: baseURL)
            let folder = base.path ?? ""
            var head = request
            head.scheme = base.scheme
            head.authority = base.authority
            head.path =
                (folder.hasSuffix("/") ? String(folder.dropLast()) : folder)
                + (request.path ?? "")
            let response = try await session.send(
                SessionRequest(head, body: body.map(Self.content) ?? .none))
            let content = HTTPBody(
                response.body.map { $0[...] }, length: .unknown,
                iterationBehavior: .single)
            return (response.head, content)
        }

        /// A body that can be read again is sent again after a challenge.
        private static func content(_ body: HTTPBody) -> RequestBody {
            let length: Int? =
                if case .known(let count) = body.length { Int(count) } else { nil }
            let bytes = body.map { Array($0) }
            return switch body.iterationBehavior {
            case .multiple: .restartable(length: length) { bytes }
            case .single: .once(length: length, bytes)
            }
        }
    }
    // end
}

// snippet: field
/// Returns the `Authorization` field for a request to an API, after a login
/// if the user is not signed in.
func authorization(
    for api: URL, by observer: OpenIDLoginObserver, in session: Session
) async throws -> String? {
    try await observer.authenticate(for: api, in: session)
    let request = try await session.authorized(HTTPRequest(url: api))
    return request.headerFields[.authorization]
}
// end

// snippet: socket
/// Returns the request of a WebSocket, such as `wss://api.example/events`,
/// with the credential for `https://api.example`.
func socketRequest(
    _ url: URL, in session: Session
) async throws -> URLRequest {
    let head = try await session.authorized(HTTPRequest(url: url))
    var request = URLRequest(url: head.url ?? url)
    for field in head.headerFields {
        request.addValue(
            field.value, forHTTPHeaderField: field.name.rawName)
    }
    return request
}
// end

/// The claims of the guide that no other test proves.
@Suite(.takesTurns, .timeLimit(.minutes(5))) struct `Requests of other code` {
    /// Adds a key to the query and a header field of requests to one server.
    private final class KeyBearer: SessionObserver {
        let name = "KeyBearer"

        func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Countersign.Attachment {
            guard exchange.origin.host == "api.example" else { return .nothing }
            request.headerFields[.authorization] = "Bearer secret"
            return .ready(.none)
        }
    }

    @Test func `a generated client's request keeps its path, its query and its body`() async throws {
        let sent = Mutex<[(url: String, body: String, isReplayable: Bool)]>([])
        let transport = AnsweringTransport { request in
            var bytes: [UInt8] = []
            if case .restartable(_, let make) = request.body.content {
                for try await part in ResponseBody(try make()) { bytes += part }
            }
            let url = request.head.url?.absoluteString ?? ""
            let body = String(decoding: bytes, as: UTF8.self)
            sent.withLock { $0.append((url, body, request.body.isReplayable)) }
            return SessionResponse(
                head: HTTPResponse(status: .created), url: URL(filePath: "/"), body: ResponseBody(bytes: Array("made".utf8)))
        }
        let client = OpenAPIStubs.SessionTransport(session: Session(transport: transport))
        let chunks = AsyncThrowingStream<ArraySlice<UInt8>, any Error> { continuation in
            continuation.yield(Array("a note".utf8)[...])
            continuation.finish()
        }
        for base in ["https://api.example/v1", "https://api.example/v1/"] {
            let (head, body) = try await client.send(
                HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/notes?draft=true"),
                body: OpenAPIStubs.HTTPBody(chunks, length: .known(6), iterationBehavior: .multiple),
                baseURL: try #require(URL(string: base)), operationID: "makeNote")
            #expect(head.status == .created)
            var text: [UInt8] = []
            for try await part in try #require(body) { text += part }
            #expect(String(decoding: text, as: UTF8.self) == "made")
        }
        let requests = sent.withLock(\.self)
        #expect(requests.map(\.url) == Array(repeating: "https://api.example/v1/notes?draft=true", count: 2))
        #expect(requests.first?.body == "a note")
        #expect(requests.allSatisfy { $0.isReplayable })
    }

    @Test func `a WebSocket has the credential for https, and keeps its own URL`() async throws {
        let session = Session(transport: AnsweringTransport { _ in throw CancellationError() })
        session.register(KeyBearer())
        let url = try #require(URL(string: "wss://api.example/events?from=2"))
        let request = try await socketRequest(url, in: session)
        #expect(request.url == url)
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer secret")
    }
}
