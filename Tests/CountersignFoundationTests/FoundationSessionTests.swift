import Countersign
import CountersignFoundation
import Foundation
import HTTPTypes
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct FoundationSessionTests {
    private func url(_ path: String = "/") throws -> URL { try #require(URL(string: "https://server.example\(path)")) }

    @Test func `method, fields and body go out and the response comes back in Foundation's words`() async throws {
        let transport = ScriptedTransport(
            HTTPResponse(
                status: .created,
                headerFields: HTTPFields([
                    HTTPField(name: .setCookie, value: "a=1"), HTTPField(name: .setCookie, value: "b=2"),
                    HTTPField(name: .contentType, value: "text/plain"),
                ])),
            text: "done")
        let session = FoundationSession(transport: transport)
        var request = URLRequest(url: try url("/orders?open=1"))
        request.httpMethod = FoundationSession.HTTPMethod.post
        request.httpBody = Data("body".utf8)
        request.setValue("yes", forHTTPHeaderField: "X-Custom")
        let (data, response) = try await session.data(for: request)

        let sent = try #require(transport.sent.first)
        #expect(sent.head.method == .post)
        #expect(sent.head.path == "/orders?open=1")
        #expect(sent.head.headerFields[try #require(HTTPField.Name("x-custom"))] == "yes")
        #expect(sent.body == Array("body".utf8))
        let head = try #require(response as? HTTPURLResponse)
        #expect(head.statusCode == 201)
        #expect(head.value(forHTTPHeaderField: "Set-Cookie") == "a=1, b=2")
        #expect(String(decoding: data, as: UTF8.self) == "done")
        #expect(session.cookieStorage.cookies.map(\.name).sorted() == ["a", "b"])
    }

    @Test func `a body stream is sent once`() async throws {
        let transport = ScriptedTransport()
        let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        var request = URLRequest(url: try url())
        request.httpMethod = "PUT"
        request.httpBodyStream = InputStream(data: bytes)
        _ = try await FoundationSession(transport: transport).data(for: request)
        #expect(transport.sent.first?.body == Array(bytes))
    }

    @Test func `the request's own limit counts and Foundation's default leaves the session's`() async throws {
        let transport = ScriptedTransport()
        var configuration = FoundationSession.Configuration()
        configuration.session.requestTimeout = .seconds(700)
        let session = FoundationSession(configuration: configuration, transport: transport)
        var request = URLRequest(url: try url())
        _ = try await session.data(for: request)
        request.timeoutInterval = 300
        _ = try await session.data(for: request)
        let limits = transport.sent.compactMap(\.timeout)
        #expect(limits.count == 2)
        #expect(limits[0] > .seconds(300) && limits[0] <= .seconds(700))
        #expect(limits[1] <= .seconds(300))
    }

    @Test func `an infinite limit of a request is not replaced by the limit of the session`() async throws {
        let transport = ScriptedTransport()
        var configuration = FoundationSession.Configuration()
        configuration.session.requestTimeout = .seconds(60)
        let session = FoundationSession(configuration: configuration, transport: transport)
        var request = URLRequest(url: try url())
        for interval in [TimeInterval.infinity, .greatestFiniteMagnitude] {
            request.timeoutInterval = interval
            _ = try await session.data(for: request)
        }
        let limits = transport.sent.compactMap(\.timeout)
        #expect(limits.count == 2)
        #expect(limits.allSatisfy { $0 > .seconds(900_000_000) })
    }

    @Test func `an upload sends its own body`() async throws {
        let transport = ScriptedTransport()
        var request = URLRequest(url: try url())
        request.httpMethod = "POST"
        request.httpBody = Data("not this".utf8)
        _ = try await FoundationSession(transport: transport).upload(for: request, body: .text("this"))
        #expect(transport.sent.first?.body == Array("this".utf8))
    }

    @Test func `bytes come as they are read`() async throws {
        let session = FoundationSession(transport: ScriptedTransport(text: "piece"))
        let (body, response) = try await session.bytes(for: URLRequest(url: try url()))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        let bytes = try await body.collect(upTo: 100)
        #expect(bytes == Array("piece".utf8))
    }

    @Test func `more data than the limit is an error`() async throws {
        var configuration = FoundationSession.Configuration()
        configuration.maximumDataSize = 3
        let session = FoundationSession(configuration: configuration, transport: ScriptedTransport(text: "1234"))
        let url = try url()
        let error = await #expect(throws: CountersignError.self) { _ = try await session.data(from: url) }
        #expect(error?.code == .responseTooLarge)
    }

    @Test func `what happens on the way is a URLError with the transport's error in it and no address`() async throws {
        let failure = TransportError(.tls, detail: "not trusted", requestMayHaveBeenProcessed: false)
        let session = FoundationSession(transport: ScriptedTransport { _, _ in throw failure })
        let url = try url("/?code=canary")
        let error = await #expect(throws: URLError.self) { _ = try await session.data(from: url) }
        #expect(error?.code == .secureConnectionFailed)
        let cause = error?.userInfo[NSUnderlyingErrorKey] as? TransportError
        #expect(cause?.reason == failure.reason)
        #expect(cause?.origin == Origin(url))
        #expect(error.map { "\($0) \($0.userInfo)".contains("canary") } == false)
    }

    @Test(arguments: [
        "relative", "/path", "ftp://server.example/", "https:", "mailto:a@b.example", "https://bob:pw@server.example/",
    ])
    func `a request without an address is an error of the runtime`(address: String) async throws {
        let session = FoundationSession(transport: ScriptedTransport())
        let url = try #require(URL(string: address))
        let error = await #expect(throws: CountersignError.self) { _ = try await session.data(from: url) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `cancelling the awaiting task ends the request`() async throws {
        let asked = Handed<Void>()
        let session = FoundationSession(
            transport: ScriptedTransport { _, _ in
                asked.hand(())
                try await never()
            })
        let request = URLRequest(url: try url())
        let task = Task { try await session.data(for: request) }
        try await asked.next()
        task.cancel()
        let error = await #expect(throws: URLError.self) { _ = try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `a session without arguments opens and closes connections of its own`() async throws {
        weak var dropped: FoundationSession?
        do {
            let session = FoundationSession()
            dropped = session
            session.sessionDescription = "mine"
            #expect(session.sessionDescription == "mine")
            #expect(session.isValid)
            let url = try #require(URL(string: "http://127.0.0.1:1/"))
            await #expect(throws: URLError.self) { _ = try await session.data(from: url) }
        }
        // The client below the session stops the program if it is released without a shutdown. The task of a request that has
        // just ended may hold the session for a moment.
        while dropped != nil, !Task.isCancelled { await Task.yield() }
    }

    @Test func `a session that finishes lets its tasks end and takes no more`() async throws {
        let asked = Handed<Void>()
        let mayAnswer = Handed<Void>()
        let transport = ScriptedTransport { _, _ in
            asked.hand(())
            try await mayAnswer.next()
            return (HTTPResponse(status: .ok), ResponseBody(bytes: [1]))
        }
        let session = FoundationSession(transport: transport)
        let request = URLRequest(url: try url())
        async let first = session.data(for: request)
        try await asked.next()
        session.finishTasksAndInvalidate()
        #expect(!session.isValid)
        let error = await #expect(throws: CountersignError.self) { _ = try await session.data(for: request) }
        #expect(error?.code == .sessionInvalidated)
        #expect(!transport.isShutDown)
        mayAnswer.hand(())
        let (data, _) = try await first
        #expect(data == Data([1]))
        await session.session.invalidate(cancelling: false)
        #expect(transport.isShutDown)
    }

    @Test func `a session that is cancelled cancels its tasks`() async throws {
        let asked = Handed<Void>()
        let session = FoundationSession(
            transport: ScriptedTransport { _, _ in
                asked.hand(())
                try await never()
            })
        let request = URLRequest(url: try url())
        let task = Task { try await session.data(for: request) }
        try await asked.next()
        session.invalidateAndCancel()
        let error = await #expect(throws: URLError.self) { _ = try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test(arguments: [false, true])
    func `a request that does not handle cookies neither sends nor stores the session's`(isRedirected: Bool) async throws {
        let transport = ScriptedTransport { number, _ in
            var fields = HTTPFields([HTTPField(name: .setCookie, value: "new=\(number)")])
            let redirects = isRedirected && number == 2
            if redirects { fields[.location] = "/elsewhere" }
            return (HTTPResponse(status: redirects ? .found : .ok, headerFields: fields), ResponseBody())
        }
        let session = FoundationSession(transport: transport)
        session.cookieStorage.jar.store(["sid=1"], from: try url())
        var request = URLRequest(url: try url())
        _ = try await session.data(for: request)
        request.httpShouldHandleCookies = false
        _ = try await session.data(for: request)
        request.setValue("own=1", forHTTPHeaderField: "Cookie")
        _ = try await session.data(for: request)
        let cookies = transport.sent.map { $0.head.headerFields[.cookie] ?? "" }
        #expect(cookies.first == "sid=1")
        #expect(cookies.last == "own=1")
        #expect(!cookies.dropFirst().contains { $0.contains("sid") || $0.contains("new=1") })
        #expect(Set(session.cookieStorage.cookies.map { "\($0.name)=\($0.value)" }) == ["sid=1", "new=1"])
    }

    @Test func `ending the session drops its cookies`() throws {
        let session = FoundationSession(transport: ScriptedTransport())
        session.cookieStorage.jar.store(["a=1"], from: try url())
        session.endSession()
        #expect(session.cookieStorage.cookies.isEmpty)
    }
}
