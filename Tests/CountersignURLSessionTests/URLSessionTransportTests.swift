import Countersign
import CountersignURLSession
import Foundation
import HTTPTypes
import TestServers
import TestTurns
import Testing

/// The properties of the transport that are not part of the contract.
@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct URLSessionTransportTests {
    #if !canImport(Security)
    @Test func `a request with pins is not sent where they cannot be checked`() async throws {
        let connections = Counter()
        try await withRawServer { _ in
            connections.add()
        } body: { (port) async throws in
            var request = SessionRequest.get(port: port, scheme: "https")
            request.pins = try ServerPins([String(repeating: "0", count: 64)])
            let sent = request
            let error = await #expect(throws: TransportError.self) { _ = try await URLSessionTransport().send(sent) }
            #expect(error?.reason == .pinMismatch)
            #expect(error?.requestMayHaveBeenProcessed == false)
        }
        #expect(connections.value == 0)
    }

    @Test func `a request with a client certificate is not sent without it`() async throws {
        let connections = Counter()
        try await withRawServer { _ in
            connections.add()
        } body: { (port) async throws in
            var request = SessionRequest.get(port: port)
            request.identity = ConnectionIdentity(certificateChain: [[1]], privateKey: SecretBytes([2]))
            let sent = request
            let error = await #expect(throws: TransportError.self) { _ = try await URLSessionTransport().send(sent) }
            #expect(error?.reason == .other)
            #expect(error?.requestMayHaveBeenProcessed == false)
        }
        #expect(connections.value == 0)
    }

    @Test(arguments: [2, 4]) func `a stream that has not the announced length is not sent`(length: Int) async throws {
        let connections = Counter()
        try await withRawServer { _ in
            connections.add()
        } body: { (port) async throws in
            let body = RequestBody.restartable(length: length) { Pieces { $0 == 0 ? [1, 2, 3] : nil } }
            let error = await #expect(throws: TransportError.self) {
                _ = try await URLSessionTransport().send(.post(port: port, body: body))
            }
            #expect(error?.reason == .other)
            #expect(error?.requestMayHaveBeenProcessed == false)
        }
        #expect(connections.value == 0)
    }

    @Test func `a stream that is longer than announced is read no further`() async throws {
        let made = Counter()
        let body = RequestBody.restartable(length: 4) {
            Pieces { index in
                made.add()
                return index < 100 ? [1, 2, 3] : nil
            }
        }
        let error = await #expect(throws: TransportError.self) {
            _ = try await URLSessionTransport().send(.post(port: 9, body: body))
        }
        #expect(error?.reason == .other)
        #expect(error?.requestMayHaveBeenProcessed == false)
        #expect(made.value == 2)
    }

    @Test func `a request to an IPv6 address is not sent, since FoundationNetworking cannot`() async throws {
        let request = SessionRequest(HTTPRequest(method: .get, scheme: "http", authority: "[::1]:9", path: "/"))
        let error = await #expect(throws: TransportError.self) { _ = try await URLSessionTransport().send(request) }
        #expect(error?.reason == .other)
        #expect(error?.requestMayHaveBeenProcessed == false)
    }

    @Test func `a response that nobody reads fails instead of filling the memory`() async throws {
        let size = 8 << 20
        try await withRawServer { (connection) async throws in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            for _ in 0..<(size / 65_536) { try await connection.write([UInt8](repeating: 7, count: 65_536)) }
            await connection.drain()
        } body: { (port) async throws in
            var configuration = URLSessionTransport.Configuration()
            configuration.maximumUnreadSize = 16 << 10
            let response = try await URLSessionTransport(configuration: configuration).send(.get(port: port))
            // The reader is so slow that the limit is reached long before the end.
            let error = await #expect(throws: TransportError.self) {
                for try await _ in response.body { try await Task.sleep(for: .milliseconds(50)) }
            }
            #expect(error?.reason == .other)
        }
    }
    #endif

    @Test func `a request for a connection of its own is not sent`() async throws {
        let connections = Counter()
        try await withRawServer { _ in
            connections.add()
        } body: { (port) async throws in
            var request = SessionRequest.get(port: port)
            request.connection = ExclusiveConnection()
            let sent = request
            let error = await #expect(throws: TransportError.self) { _ = try await URLSessionTransport().send(sent) }
            #expect(error?.reason == .other)
            #expect(error?.requestMayHaveBeenProcessed == false)
        }
        #expect(connections.value == 0)
    }

    @Test(arguments: ["ftp://server.example/", "https://user@server.example/", "https://server.example:65536/"])
    func `a request to an unusable URL is not sent`(text: String) async throws {
        let parts = text.split(separator: "/", omittingEmptySubsequences: true)
        let request = SessionRequest(
            HTTPRequest(method: .get, scheme: String(parts[0].dropLast()), authority: String(parts[1]), path: "/"))
        let error = await #expect(throws: TransportError.self) { _ = try await URLSessionTransport().send(request) }
        #expect(error?.reason == .other)
        #expect(error?.requestMayHaveBeenProcessed == false)
    }

    @Test func `a GET with a body is an error, as it is for URLSession`() async throws {
        var request = SessionRequest.get(port: 9)
        request.body = .text("x")
        let sent = request
        let error = await #expect(throws: TransportError.self) { _ = try await URLSessionTransport().send(sent) }
        #expect(error?.requestMayHaveBeenProcessed == false)
    }

    @Test func `a body without a type is not declared to be a form`() async throws {
        try await withRawServer { (connection) async throws in
            guard let head = try await connection.readHead() else { return }
            _ = try await connection.readBody(after: head)
            let type = head.lowercased().split(separator: "\r\n").filter { $0.hasPrefix("content-type:") }
            try await connection.respond(type.joined(separator: "|"))
        } body: { (port) async throws in
            let transport = URLSessionTransport()
            #expect(
                try await transport.send(.post(port: port, body: .text("x"))).text() == "content-type: application/octet-stream")
            #expect(try await transport.send(.post(port: port)).text() == "")
        }
    }

    @Test func `an interim response is not the response`() async throws {
        try await withRawServer { (connection) async throws in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n")
            try await connection.respond("made", status: "201 Created")
        } body: { (port) async throws in
            let response = try await URLSessionTransport().send(.get(port: port))
            #expect(response.head.status.code == 201)
            #expect(try await response.text() == "made")
        }
    }

    @Test func `a redirect without a location is a response`() async throws {
        try await withRawServer { (connection) async throws in
            _ = try await connection.readHead()
            try await connection.respond(status: "302 Found", fields: "X-Reason: none\r\n")
        } body: { (port) async throws in
            let response = try await URLSessionTransport().send(.get(port: port))
            #expect(response.head.status.code == 302)
            #expect(response.head.headerFields[try #require(HTTPField.Name("X-Reason"))] == "none")
            #expect(try await response.text() == "")
        }
    }

    @Test func `a decompressed body has neither the coding nor the length of the compressed one`() async throws {
        // The text "hello", compressed with gzip.
        let compressed = try #require(Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJBwCGphA2BQAAAA=="))
        try await withRawServer { (connection) async throws in
            _ = try await connection.readHead()
            try await connection.write(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(compressed.count)\r\n\r\n")
            try await connection.write(Array(compressed))
        } body: { (port) async throws in
            let response = try await URLSessionTransport().send(.get(port: port))
            #expect(response.head.headerFields[.contentEncoding] == nil)
            #expect(response.head.headerFields[.contentLength] == nil)
            #expect(try await response.text() == "hello")
        }
    }

    @Test func `a part of a resource is not compressed`() async throws {
        try await withRawServer { (connection) async throws in
            let head = try await connection.readHead() ?? ""
            try await connection.respond(
                head.lowercased().split(separator: "\r\n").filter { $0.hasPrefix("accept-encoding:") }.joined(separator: "|"))
        } body: { (port) async throws in
            var request = SessionRequest.get(port: port)
            request.head.headerFields[.range] = "bytes=0-4"
            #expect(try await URLSessionTransport().send(request).text() == "accept-encoding: identity")
        }
    }

    @Test func `a silent server is a timeout, whatever the session's limit is`() async throws {
        try await withRawServer { (connection) async throws in
            _ = try await connection.readHead()
            await connection.drain()
        } body: { (port) async throws in
            var configuration = URLSessionTransport.Configuration()
            configuration.idleTimeout = .milliseconds(300)
            let transport = URLSessionTransport(configuration: configuration)
            let error = await #expect(throws: TransportError.self) { _ = try await transport.send(.get(port: port)) }
            #expect(error?.reason == .timeout)
        }
    }

    @Test func `a request of a cancelled task is not sent`() async throws {
        let connections = Counter()
        try await withRawServer { _ in
            connections.add()
        } body: { (port) async throws in
            let sending = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await URLSessionTransport().send(.get(port: port))
            }
            await #expect(throws: CancellationError.self) { try await sending.value }
        }
        #expect(connections.value == 0)
    }

    @Test func `all requests end that start, are cancelled and run while the transport is shut down`() async throws {
        try await withRawServer { (connection) async throws in
            while let head = try await connection.readHead() {
                _ = try await connection.readBody(after: head)
                try await connection.respond("ok")
            }
        } body: { (port) async throws in
            for _ in 0..<5 {
                let transport = URLSessionTransport()
                var requests: [Task<String, any Error>] = []
                for number in 0..<30 {
                    // On Linux, the requests with a body have sessions of their own.
                    let request: SessionRequest =
                        number.isMultiple(of: 2) ? .get(port: port) : .post(port: port, body: .text("x"))
                    requests.append(Task { try await transport.send(request).text() })
                }
                for (number, request) in requests.enumerated() where number.isMultiple(of: 3) { request.cancel() }
                try await transport.shutdown()
                try await within("all requests end") { [requests] in
                    for request in requests {
                        guard case .failure(let error) = await request.result else { continue }
                        #expect(error is CancellationError || error is TransportError, "\(error)")
                    }
                }
            }
        }
    }

    @Test func `connections end with their transport`() async throws {
        let ended = Counter()
        try await withRawServer { (connection) async throws in
            while try await connection.readHead() != nil { try await connection.respond("ok") }
            ended.add()
        } body: { (port) async throws in
            #expect(try await URLSessionTransport().send(.get(port: port)).text() == "ok")
            try await within("the connection ends") { await ended.reaches(1) }
        }
    }

    /// A stream that waits for its second piece.
    private func waitingBody(_ waiting: Counter, _ stopped: Counter = Counter()) -> RequestBody {
        .restartable {
            Pieces { index in
                guard index > 0 else { return [1] }
                waiting.add()
                defer { stopped.add() }
                try await Task.sleep(for: .seconds(3600))
                return nil
            }
        }
    }

    @Test func `an upload that waits for its next piece ends with the exchange`() async throws {
        try await withRawServer { (connection) async throws in
            _ = await connection.drain()
        } body: { (port) async throws in
            let (waiting, stopped) = (Counter(), Counter())
            let request = SessionRequest.post(port: port, body: waitingBody(waiting, stopped))
            let sending = Task { _ = try await URLSessionTransport().send(request) }
            try await within("the second piece is awaited") { await waiting.reaches(1) }
            sending.cancel()
            await #expect(throws: CancellationError.self) { try await sending.value }
            try await within("the stream is cancelled") { await stopped.reaches(1) }
        }
    }

    @Test func `a shutdown ends an exchange whose stream waits for its next piece`() async throws {
        try await withRawServer { (connection) async throws in
            _ = await connection.drain()
        } body: { (port) async throws in
            let (waiting, stopped) = (Counter(), Counter())
            let request = SessionRequest.post(port: port, body: waitingBody(waiting, stopped))
            let transport = URLSessionTransport()
            let sending = Task { _ = try await transport.send(request) }
            try await within("the second piece is awaited") { await waiting.reaches(1) }
            try await transport.shutdown()
            // If the exchange went on, the cancellation would end it, with another error.
            try? await within("the stream is cancelled", limit: .seconds(60)) { await stopped.reaches(1) }
            sending.cancel()
            let error = await #expect(throws: TransportError.self) { try await sending.value }
            #expect(error?.reason == .shutDown)
            #if !canImport(Security)
            // The stream is read before the request is sent.
            #expect(error?.requestMayHaveBeenProcessed == false)
            #endif
        }
    }

    @Test func `the limit of a request counts while its stream waits for the next piece`() async throws {
        try await withRawServer { (connection) async throws in
            _ = await connection.drain()
        } body: { (port) async throws in
            var request = SessionRequest.post(port: port, body: waitingBody(Counter()))
            request.timeout = .milliseconds(200)
            let sent = request
            let error = await #expect(throws: TransportError.self) { _ = try await URLSessionTransport().send(sent) }
            #expect(error?.reason == .timeout)
        }
    }

    @Test func `uploads that wait for their next pieces hold up no other exchange`() async throws {
        try await withRawServer { (connection) async throws in
            while let head = try await connection.readHead() {
                guard head.hasPrefix("GET") else {
                    await connection.drain()
                    return
                }
                try await connection.respond("ok")
            }
        } body: { (port) async throws in
            let waiting = Counter()
            let request = SessionRequest.post(port: port, body: waitingBody(waiting))
            let uploads = (0..<4).map { _ in Task { _ = try await URLSessionTransport().send(request) } }
            try await within("the second pieces are awaited") { await waiting.reaches(4) }
            #expect(try await URLSessionTransport().send(.get(port: port)).text() == "ok")
            for upload in uploads { upload.cancel() }
            for upload in uploads { await #expect(throws: CancellationError.self) { try await upload.value } }
        }
    }

    @Test func `a server may answer before it has read the body`() async throws {
        try await withRawServer { (connection) async throws in
            _ = try await connection.readHead()
            try await connection.respond("no", status: "413 Content Too Large", fields: "Connection: close\r\n")
            await connection.drain()
        } body: { (port) async throws in
            let body = RequestBody.restartable {
                Pieces { $0 < 64 ? [UInt8](repeating: 7, count: 65_536) : nil }
            }
            let response = try await URLSessionTransport().send(.post(port: port, body: body))
            #expect(response.head.status.code == 413)
            #expect(try await response.text() == "no")
        }
    }

    @Test func `a transport that is released lets its exchanges finish`() async throws {
        let released = Counter()
        try await withRawServer { (connection) async throws in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
            await released.reaches(1)
            try await connection.write("cd")
            await connection.drain()
        } body: { (port) async throws in
            let response = try await URLSessionTransport().send(.get(port: port))
            released.add()
            #expect(try await response.text() == "abcd")
        }
    }

    @Test func `a transport shows nothing of its sessions`() {
        #expect(Mirror(reflecting: URLSessionTransport()).children.isEmpty)
    }
}
