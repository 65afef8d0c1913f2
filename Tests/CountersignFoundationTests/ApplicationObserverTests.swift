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
struct ApplicationObserverTests {
    private struct Refused: Error {}

    /// A key in the query.
    private struct QueryKey: ProgramParameters {
        static let program = MethodProgram(
            name: "QueryKey", summary: "A key.",
            slots: [.parameter("server"), .parameter("key", isSecret: true), .credential("key", isSecret: true)], challenges: [],
            credential: CredentialShape(fields: [.slot(2, from: ProgramTemplate(.slot(1)))], destinations: [0], isEager: true),
            attach: [.query(.text("key"), ProgramTemplate(.slot(2)))])

        let server: URL
        var slotValues: [ProgramValue] { [.url(server), .secret("c4n4ry+/")] }
    }

    private func run(
        _ transport: ScriptedTransport, _ observers: any FoundationSessionObserving..., body: Data? = nil, stream: Data? = nil
    ) async throws -> (Data, HTTPURLResponse) {
        let session = FoundationSession(transport: transport)
        for observer in observers { session.register(observer) }
        var request = URLRequest(url: try #require(URL(string: "https://server.example/start")))
        // Only one is set, because setting the stream, even to `nil`, removes the bytes.
        if let stream { request.httpBodyStream = InputStream(data: stream) } else { request.httpBody = body }
        if body != nil || stream != nil { request.httpMethod = "POST" }
        let (data, response) = try await session.data(for: request)
        return (data, try #require(response as? HTTPURLResponse))
    }

    private static let redirecting = { @Sendable (number: Int, _: SessionRequest) in
        (
            number == 1 ? HTTPResponse(status: .found, headerFields: [.location: "/next"]) : HTTPResponse(status: .ok),
            ResponseBody(bytes: [7])
        )
    }

    @Test func `observers see each request and each response, in the order of their registration`() async throws {
        let transport = ScriptedTransport(Self.redirecting)
        let adding = RecordingObserver(willSend: { request, handler in
            var request = request
            request.setValue("first", forHTTPHeaderField: "X-Mark")
            handler(.use(request))
        })
        let seeing = RecordingObserver(willSend: { request, handler in
            var request = request
            request.setValue((request.value(forHTTPHeaderField: "X-Mark") ?? "") + " second", forHTTPHeaderField: "X-Mark")
            handler(.use(request))
        })
        _ = try await run(transport, adding, seeing)
        #expect(adding.calls == ["send /start", "redirect 302 /next", "send /next", "receive 200"])
        #expect(seeing.calls == adding.calls)
        let mark = try #require(HTTPField.Name("x-mark"))
        #expect(transport.sent.map { $0.head.headerFields[mark] } == ["first second", "first second"])
    }

    @Test func `an observer may answer later and from anywhere, and only its first answer counts`() async throws {
        let transport = ScriptedTransport()
        let observer = RecordingObserver(willSend: { request, handler in
            Task.detached {
                handler(.use(request))
                handler(.cancel(Refused()))
            }
        })
        #expect(try await run(transport, observer).1.statusCode == 200)
    }

    @Test func `an observer can stop a request, a redirect and a response`() async throws {
        let transport = ScriptedTransport(Self.redirecting)
        await #expect(throws: Refused.self) {
            _ = try await run(transport, RecordingObserver(willSend: { $1(.cancel(Refused())) }))
        }
        #expect(transport.sent.isEmpty)
        await #expect(throws: Refused.self) {
            _ = try await run(transport, RecordingObserver(redirected: { $1(.cancel(Refused())) }))
        }
        #expect(transport.sent.count == 1)
        let last = ScriptedTransport()
        await #expect(throws: Refused.self) {
            _ = try await run(last, RecordingObserver(received: { $1(.cancel(Refused())) }), stream: Data([1]))
        }
    }

    @Test(arguments: ["/start?a=1", "/v2?a=1&key=c4n4ry%2B%2F", "/v2?key=c4n4ry+/&a=1"])
    func `the task does not show a key in the query, even if an observer changes the URL`(target: String) async throws {
        let lost = TransportError(.connect, detail: "refused", requestMayHaveBeenProcessed: false)
        let session = FoundationSession(transport: ScriptedTransport { _, _ in throw lost })
        let server = try #require(URL(string: "https://server.example"))
        session.session.register(ProgramObserver(parameters: QueryKey(server: server), prompter: nil))
        session.register(
            RecordingObserver(willSend: { request, handler in
                var request = request
                if target.hasPrefix("/v2") { request.url = URL(string: "https://server.example\(target)") }
                handler(.use(request))
            }))
        let handed = Handed<Void>()
        let task = session.dataTask(with: try #require(URL(string: "https://server.example/start?a=1"))) { _, _, _ in
            handed.hand(())
        }
        task.resume()
        try await handed.next()
        #expect(task.currentRequest?.url?.absoluteString == "https://server.example\(target.prefix { $0 != "?" })?a=1")
    }

    @Test func `a redirect that is refused is the final response`() async throws {
        let transport = ScriptedTransport(Self.redirecting)
        let (data, response) = try await run(transport, RecordingObserver(redirected: { $1(.refuse) }))
        #expect(response.statusCode == 302)
        #expect(response.value(forHTTPHeaderField: "Location") == "/next")
        #expect(data.isEmpty)
        #expect(transport.sent.count == 1)
    }

    @Test func `a redirect can be sent elsewhere`() async throws {
        let transport = ScriptedTransport(Self.redirecting)
        let observer = RecordingObserver(redirected: { request, handler in
            var request = request
            request.url = URL(string: "https://server.example/elsewhere")
            handler(.follow(request))
        })
        #expect(try await run(transport, observer).1.url?.path == "/elsewhere")
    }

    @Test func `a response can be replaced and keeps its bytes`() async throws {
        let transport = ScriptedTransport(HTTPResponse(status: .internalServerError), text: "bytes")
        let observer = RecordingObserver(received: { response, handler in
            let replacement = response.url.flatMap {
                HTTPURLResponse(url: $0, statusCode: 203, httpVersion: nil, headerFields: [:])
            }
            handler(replacement.map { .use($0) } ?? .allow)
        })
        let (data, response) = try await run(transport, observer)
        #expect(response.statusCode == 203)
        #expect(data == Data("bytes".utf8))
    }

    @Test func `a resend sends the caller's own request again, body included`() async throws {
        let transport = ScriptedTransport { number, _ in (HTTPResponse(status: number == 1 ? .conflict : .ok), ResponseBody()) }
        let observer = RecordingObserver(received: { $1($0.statusCode == 409 ? .resend : .allow) })
        #expect(try await run(transport, observer, body: Data("body".utf8)).1.statusCode == 200)
        #expect(transport.sent.map(\.body) == [Array("body".utf8), Array("body".utf8)])
    }

    @Test func `asking for resends without end ends in an error`() async throws {
        let transport = ScriptedTransport()
        let error = await #expect(throws: CountersignError.self) {
            _ = try await run(transport, RecordingObserver(received: { $1(.resend) }))
        }
        #expect(error?.code == .challengedAgain)
        #expect(transport.sent.count <= SessionConfiguration().maximumAuthentications + 1)
    }

    @Test func `an observer that releases its handler is named in the error`() async throws {
        let error = await #expect(throws: CountersignError.self) {
            _ = try await run(ScriptedTransport(), RecordingObserver(willSend: { _, _ in }))
        }
        #expect(error?.code == .refusedByObserver)
        #expect(error?.detail.contains("RecordingObserver") == true)
        #expect(error?.detail.contains("willSend") == true)
    }

    @Test func `an observer cannot change the body unnoticed`() async throws {
        let observer = RecordingObserver(willSend: { request, handler in
            var request = request
            request.httpBody = Data("other".utf8)
            handler(.use(request))
        })
        let error = await #expect(throws: CountersignError.self) {
            _ = try await run(ScriptedTransport(), observer, body: Data([1]))
        }
        #expect(error?.code == .refusedByObserver)
    }

    @Test func `a request that waits for an observer can be cancelled`() async throws {
        let kept = Handed<@Sendable (FoundationSession.RequestDisposition) -> Void>()
        let observer = RecordingObserver(willSend: { kept.hand($1) })
        let session = FoundationSession(transport: ScriptedTransport())
        session.register(observer)
        let url = try #require(URL(string: "https://server.example/"))
        let task = Task { try await session.data(from: url) }
        let handler = try await kept.next()
        task.cancel()
        let error = await #expect(throws: URLError.self) { _ = try await task.value }
        #expect(error?.code == .cancelled)
        withExtendedLifetime(handler) {}
    }

    @Test func `an observer that was taken off sees nothing and can be put back`() async throws {
        let observer = RecordingObserver()
        let session = FoundationSession(transport: ScriptedTransport())
        let url = try #require(URL(string: "https://server.example/"))
        session.register(observer)
        session.unregister(observer)
        session.unregister(observer)
        _ = try await session.data(from: url)
        #expect(observer.calls.isEmpty)
        session.register(observer)
        _ = try await session.data(from: url)
        #expect(observer.calls == ["send /", "receive 200"])
    }

    #if os(macOS) || os(Linux)
    @Test(.exitsAlone) func `registering the same instance twice ends the program and names its class`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let observer = RecordingObserver()
            let session = FoundationSession(transport: ScriptedTransport())
            session.register(observer)
            session.register(observer)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("RecordingObserver is registered on this session already"))
    }

    @Test(.exitsAlone) func `registering the same instance through another session of the same core ends the program, too`() async {
        await #expect(processExitsWith: .failure) {
            let observer = RecordingObserver()
            let session = FoundationSession(transport: ScriptedTransport())
            session.register(observer)
            FoundationSession(session: session.session).register(observer)
        }
    }
    #endif
}
