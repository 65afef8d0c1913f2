import Countersign
import Foundation
import HTTPTypes
import TestServers
import TestTurns
import Testing

/// The contract of `HTTPTransport`, for each transport of this package.
@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct TransportContractTests {
    @Test(arguments: TransportKind.all)
    func `method, path, query, fields and body arrive as they were given`(kind: TransportKind) async throws {
        try await withRawServer { (connection) async throws in
            guard let head = try await connection.readHead() else { return }
            let count = try await connection.readBody(after: head)
            let lines = head.split(separator: "\r\n")
            let fields = lines.dropFirst().map { $0.lowercased() }.filter { line in
                ["x-custom", "host", "cookie", "content-type", "authorization"].contains { line.hasPrefix("\($0):") }
            }
            try await connection.respond("\(lines.first ?? "") \(count) \(fields.sorted().joined(separator: "|"))")
        } body: { (port) async throws in
            var request = SessionRequest.post(port: port, "/a%20b/c?x=1&y=%2F", body: .text("hello"))
            request.head.headerFields = [
                try #require(HTTPField.Name("X-Custom")): "one", try #require(HTTPField.Name("Host")): "elsewhere.example",
                .contentType: "text/plain", .authorization: "Bearer abc", .cookie: "a=1; b=2",
            ]
            let response = try await kind.make().send(request)
            #expect(response.url.absoluteString == "http://127.0.0.1:\(port)/a%20b/c?x=1&y=%2F")
            let fields = "authorization: bearer abc|content-type: text/plain|cookie: a=1; b=2|host: 127.0.0.1:\(port)|x-custom: one"
            #expect(response.head.status.code == 200)
            #expect(try await response.text() == "POST /a%20b/c?x=1&y=%2F HTTP/1.1 5 \(fields)")
        }
    }

    @Test(arguments: TransportKind.all)
    func `several cookies and several challenges can be read`(kind: TransportKind) async throws {
        try await withRawServer { (connection) async throws in
            _ = try await connection.readHead()
            try await connection.respond(
                status: "401 Unauthorized",
                fields: "Set-Cookie: a=1; Expires=Wed, 09 Jun 2032 10:18:14 GMT; Path=/\r\nSet-Cookie: b=2\r\nSet-Cookie: c=\r\n"
                    + "WWW-Authenticate: Bearer realm=\"x, y\", error=\"invalid_token\"\r\nWWW-Authenticate: Custom a=b\r\n")
        } body: { (port) async throws in
            let head = try await kind.make().send(.get(port: port)).head
            #expect(
                head.headerFields[values: .setCookie]
                    == ["a=1; Expires=Wed, 09 Jun 2032 10:18:14 GMT; Path=/", "b=2", "c="])
            let challenges = AuthenticationChallenge.challenges(in: head.headerFields)
            #expect(challenges.map { $0.scheme.lowercased() } == ["bearer", "custom"])
        }
    }

    @Test(arguments: TransportKind.all, ["302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect"])
    func `a redirect is the response, with its body`(kind: TransportKind, status: String) async throws {
        let requests = Counter()
        try await withRawServer { (connection) async throws in
            while try await connection.readHead() != nil {
                requests.add()
                try await connection.respond("moved", status: status, fields: "Location: /there\r\nSet-Cookie: a=1\r\n")
            }
        } body: { (port) async throws in
            let response = try await kind.make().send(.get(port: port))
            #expect(status.hasPrefix("\(response.head.status.code) "))
            #expect(response.head.headerFields[.location] == "/there")
            #expect(response.head.headerFields[.setCookie] == "a=1")
            #expect(try await response.text() == "moved")
            #expect(requests.value == 1)
        }
    }

    @Test(arguments: TransportKind.all, ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"1\"", "NTLM", "Negotiate", "Bearer"])
    func `an HTTP challenge is the response, with its body`(kind: TransportKind, challenge: String) async throws {
        let requests = Counter()
        try await withRawServer { (connection) async throws in
            while try await connection.readHead() != nil {
                requests.add()
                try await connection.respond(
                    "denied", status: "401 Unauthorized", fields: "WWW-Authenticate: \(challenge)\r\n")
            }
        } body: { (port) async throws in
            let transport = kind.make()
            for number in 1...3 {
                let response = try await transport.send(.get(port: port))
                #expect(response.head.status == .unauthorized)
                #expect(response.head.headerFields[.wwwAuthenticate] == challenge)
                #expect(try await response.text() == "denied")
                #expect(requests.value == number)
            }
        }
    }

    @Test(arguments: TransportKind.all)
    func `cookies are neither stored nor sent`(kind: TransportKind) async throws {
        try await withRawServer { (connection) async throws in
            while let head = try await connection.readHead() {
                try await connection.respond(head.lowercased().contains("cookie:") ? "some" : "none", fields: "Set-Cookie: a=1\r\n")
            }
        } body: { (port) async throws in
            let transport = kind.make()
            for _ in 0..<3 { #expect(try await transport.send(.get(port: port)).text() == "none") }
        }
    }

    @Test(arguments: TransportKind.all, [nil, 300_000])
    func `a streamed body arrives completely`(kind: TransportKind, length: Int?) async throws {
        try await withRawServer { (connection) async throws in
            // The second request may use the connection of the first one, which must not be closed meanwhile.
            while let head = try await connection.readHead() {
                let count = try await connection.readBody(after: head)
                try await connection.respond("\(count)")
            }
        } body: { (port) async throws in
            let body = RequestBody.restartable(length: length) {
                Pieces { $0 < 3 ? [UInt8](repeating: 7, count: 100_000) : nil }
            }
            let transport = kind.make()
            for _ in 0..<2 { #expect(try await transport.send(.post(port: port, body: body)).text() == "300000") }
        }
    }

    struct BrokenBody: Error {}

    @Test(arguments: TransportKind.all)
    func `the error of a body is that of the exchange, and the server gets no complete body`(kind: TransportKind) async throws {
        let complete = Counter()
        try await withRawServer { (connection) async throws in
            guard let head = try await connection.readHead() else { return }
            _ = try await connection.readBody(after: head)
            complete.add()
        } body: { (port) async throws in
            let body = RequestBody.restartable {
                Pieces { index in
                    guard index < 2 else { throw BrokenBody() }
                    return [1, 2, 3]
                }
            }
            await #expect(throws: BrokenBody.self) { _ = try await kind.make().send(.post(port: port, body: body)) }
        }
        #expect(complete.value == 0)
    }

    @Test(arguments: TransportKind.all)
    func `a request that is not idempotent is not repeated when its connection is closed`(kind: TransportKind) async throws {
        let posts = Counter()
        try await withRawServer { (connection) async throws in
            while let head = try await connection.readHead() {
                _ = try await connection.readBody(after: head)
                guard head.hasPrefix("GET") else {
                    posts.add()
                    return
                }
                try await connection.respond("ok")
            }
        } body: { (port) async throws in
            let transport = kind.make()
            _ = try await transport.send(.get(port: port)).text()
            let error = await #expect(throws: TransportError.self) {
                _ = try await transport.send(.post(port: port, body: .text("x")))
            }
            #expect(error?.reason == .connectionLost)
            #expect(error?.requestMayHaveBeenProcessed == true)
            #expect(posts.value == 1)
        }
    }

    @Test(arguments: TransportKind.all)
    func `cancelling before the head closes the exchange`(kind: TransportKind) async throws {
        let (arrived, ended) = (Counter(), Counter())
        try await withRawServer { (connection) async throws in
            _ = try await connection.readHead()
            arrived.add()
            await connection.drain()
            ended.add()
        } body: { (port) async throws in
            let transport = kind.make()
            let sending = Task { try await transport.send(.get(port: port)) }
            try await within("the request arrives") { await arrived.reaches(1) }
            sending.cancel()
            await #expect(throws: CancellationError.self) { _ = try await sending.value }
            try await within("the connection ends") { await ended.reaches(1) }
        }
    }

    /// The ways to end a response early.
    enum Ending: CaseIterable, Sendable { case cancelledReader, cancelledBody, released }

    @Test(arguments: TransportKind.all, Ending.allCases)
    func `a response that is no longer read is closed`(kind: TransportKind, ending: Ending) async throws {
        let ended = Counter()
        try await withRawServer { (connection) async throws in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nabc")
            await connection.drain()
            ended.add()
        } body: { (port) async throws in
            let transport = kind.make()
            switch ending {
            case .cancelledReader:
                let response = try await transport.send(.get(port: port))
                let reading = Task { try await response.body.collect(upTo: 1 << 20) }
                reading.cancel()
                await #expect(throws: CancellationError.self) { _ = try await reading.value }
            case .cancelledBody:
                let response = try await transport.send(.get(port: port))
                response.body.cancel()
                await #expect(throws: CancellationError.self) { _ = try await response.body.collect(upTo: 1 << 20) }
            case .released:
                _ = try await transport.send(.get(port: port))
            }
            try await within("the connection ends") { await ended.reaches(1) }
        }
    }

    @Test(arguments: TransportKind.all)
    func `a shutdown ends running exchanges, and later ones are refused`(kind: TransportKind) async throws {
        let arrived = Counter()
        try await withRawServer { (connection) async throws in
            _ = try await connection.readHead()
            arrived.add()
            await connection.drain()
        } body: { (port) async throws in
            let transport = kind.make()
            let sending = Task { try await transport.send(.get(port: port)) }
            try await within("the request arrives") { await arrived.reaches(1) }
            try await transport.shutdown()
            let running = await #expect(throws: TransportError.self) { _ = try await sending.value }
            #expect(running?.reason == .shutDown)
            #expect(running?.requestMayHaveBeenProcessed == true)
            let later = await #expect(throws: TransportError.self) { _ = try await transport.send(.get(port: port)) }
            #expect(later?.reason == .shutDown)
            #expect(later?.requestMayHaveBeenProcessed == false)
            #expect(arrived.value == 1)
        }
    }

    @Test(arguments: TransportKind.all)
    func `idle connections end with a shutdown`(kind: TransportKind) async throws {
        let ended = Counter()
        try await withRawServer { (connection) async throws in
            while try await connection.readHead() != nil { try await connection.respond("ok") }
            ended.add()
        } body: { (port) async throws in
            let transport = kind.make()
            #expect(try await transport.send(.get(port: port)).text() == "ok")
            #expect(ended.value == 0)
            try await transport.shutdown()
            try await within("the connection ends") { await ended.reaches(1) }
        }
    }

    @Test(arguments: TransportKind.all)
    func `a response of 16 MiB arrives completely`(kind: TransportKind) async throws {
        let size = 16 << 20
        try await withRawServer { (connection) async throws in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            let piece = [UInt8](repeating: 7, count: 65_536)
            for _ in 0..<(size / piece.count) { try await connection.write(piece) }
            // The end of the script would close the connection before the last piece is on its way.
            await connection.drain()
        } body: { (port) async throws in
            let response = try await kind.make().send(.get(port: port))
            var count = 0
            for try await piece in response.body { count += piece.count }
            #expect(count == size)
        }
    }
}
