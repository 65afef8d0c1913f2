import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A key in a parameter of the query, which the application can exchange for another one, and a signature of the query.
private struct QueryParameters: ProgramParameters {
    var servers = ProtectedOrigins(origins: Set([URL(string: ProgramBench.origin).flatMap { Origin($0) }].compactMap(\.self)))
    var name = "key"

    static let program = MethodProgram(
        name: "QueryKey", summary: "A key.",
        slots: [
            .parameter("servers"), .parameter("name"), .credential("user"), .credential("key", isSecret: true),
        ], challenges: [ChallengePattern("refused", statuses: [401])],
        credential: CredentialShape(fields: [.slot(2), .slot(3)], destinations: [0], isEager: true),
        acquire: [.prompt(0, slots: [2, 3])],
        attach: [
            .query(ProgramTemplate(.slot(1)), ProgramTemplate(.slot(3))),
            .computed(
                [.join([ProgramTemplate(.request(.method), .text(" ?"), .request(.query))])],
                headers: ["X-Signed": ProgramTemplate(.computed(0))]),
        ], rejections: [RejectionRule(.acquire, retries: 2)])

    var slotValues: [ProgramValue] { [.origins(servers), .text(name)] }
}

/// A signature in the query, with the session token of a temporary key.
private struct PresignedParameters: ProgramParameters {
    static let program = MethodProgram(
        name: "Presigned", summary: "A signature.",
        slots: [.parameter("servers"), .parameter("key", isSecret: true), .credential("key", isSecret: true)], challenges: [],
        credential: CredentialShape(fields: [.slot(2, from: ProgramTemplate(.slot(1)))], destinations: [0], isEager: true),
        attach: [
            .signature(
                SignatureVersion4(
                    id: .text("id"), key: ProgramTemplate(.slot(2)), session: ProgramTemplate(.slot(2)), region: .text("eu"),
                    service: .text("s3"), lifetimeInQuery: .seconds(300)))
        ])

    var slotValues: [ProgramValue] { [.origins(QueryParameters().servers), .secret("c4n4ry")] }
}

/// Credentials in the query of the URL.
@Suite("Credentials in the query", .timeLimit(.minutes(10))) struct QueryCredentialTests {
    private static let secret = "c4n4ry"

    private func observer(
        _ parameters: QueryParameters = QueryParameters(), keys: [String] = [Self.secret]
    ) -> ProgramObserver<QueryParameters> {
        ProgramObserver(parameters: parameters, prompter: StubPrompter { number, _ in ("app", keys[min(number, keys.count) - 1]) })
    }

    private func bench(
        _ parameters: QueryParameters = QueryParameters(), keys: [String] = [Self.secret],
        _ script: @escaping ScriptedTransport.Script = { _ in .text("data") }
    ) -> ProgramBench {
        ProgramBench(observer(parameters, keys: keys), script)
    }

    private func targets(_ bench: ProgramBench) -> [String?] { bench.transport.sent.map(\.request.head.path) }

    @Test(arguments: [
        ("/data", "/data?key=c4n4ry"), ("/data?", "/data?key=c4n4ry"), ("/data?a=1", "/data?a=1&key=c4n4ry"),
        ("/data?a=1&", "/data?a=1&key=c4n4ry"), ("/data?a=%2F+b", "/data?a=%2F+b&key=c4n4ry"),
        ("/data?a=1#part", "/data?a=1&key=c4n4ry"), ("/data?keys=1&Key=2", "/data?keys=1&Key=2&key=c4n4ry"),
    ])
    func `a key is appended to the query of the caller`(path: String, target: String) async throws {
        let bench = bench()
        #expect(try await bench.get(path) == 200)
        #expect(targets(bench) == [target])
    }

    @Test func `names and values are percent-encoded`() async throws {
        let bench = bench(QueryParameters(name: "api key[]"), keys: ["a&b=c+d é#?/"])
        #expect(try await bench.get() == 200)
        #expect(targets(bench) == ["/data?api%20key%5B%5D=a%26b%3Dc%2Bd%20%C3%A9%23%3F%2F"])
    }

    @Test func `a name that is empty is an error that does not show the key`() async throws {
        let bench = bench(QueryParameters(name: ""))
        let error = await #expect(throws: CountersignError.self) { try await bench.get() }
        #expect(error.map { !String(reflecting: $0).contains(Self.secret) } == true)
        #expect(bench.transport.sent.isEmpty)
    }

    @Test(arguments: ["/data?key=own", "/data?a=1&key", "/data?%6Bey=own"])
    func `a request that has the parameter is the caller's, and its refusal, too`(path: String) async throws {
        let bench = bench { _ in Reply(401) }
        #expect(try await bench.get(path) == 401)
        #expect(targets(bench) == [path])
    }

    @Test func `a plus in the name of the caller's parameter can be a space or itself`() async throws {
        for (name, path) in [("a+b", "/data?a+b=own"), ("a+b", "/data?a%2Bb=own"), ("a b", "/data?a+b=own")] {
            let bench = bench(QueryParameters(name: name)) { _ in Reply(401) }
            #expect(try await bench.get(path) == 401)
            #expect(targets(bench) == [path])
        }
        let other = bench(QueryParameters(name: "a b"))
        #expect(try await other.get("/data?a%2Bb=own") == 200)
        #expect(targets(other) == ["/data?a%2Bb=own&a%20b=c4n4ry"])
    }

    @Test func `without the key, the other parts of a query stay as they are written`() async throws {
        let bench = bench { $0.path == "/away" ? .redirect(to: "/data?&a=1&&key=c4n4ry&b=%2f+&") : .text("data") }
        let response = try await bench.session.send(.to("https://app.example/away"))
        #expect(response.url.absoluteString == "https://app.example/data?&a=1&&b=%2f+&")
        #expect(targets(bench).last == "/data?&a=1&&b=%2f+&key=c4n4ry")
    }

    @Test func `a refused key is replaced and not doubled`() async throws {
        let bench = bench(keys: ["old", "new"]) { Reply($0.request.head.path == "/data?a=1&key=new" ? 200 : 401) }
        #expect(try await bench.get("/data?a=1") == 200)
        #expect(targets(bench) == ["/data?a=1&key=old", "/data?a=1&key=new"])
    }

    @Test func `a signature covers the query as it is sent`() async throws {
        let bench = bench()
        #expect(try await bench.get("/data?a=1") == 200)
        #expect(bench.transport.sent.map { $0["X-Signed"] } == ["GET ?a=1&key=c4n4ry"])
    }

    @Test func `the key is in no URL of a response, an event, an error or the context of an exchange`() async throws {
        let log = MemoryLog()
        let seen = Mutex<[String]>([])
        let events = EventRecorder()
        let transport = ScriptedTransport { sent in
            switch sent.path {
            case "/lost": throw TransportError(.connect, detail: "refused", requestMayHaveBeenProcessed: false)
            case "/empty": sent.number == 1 ? .redirect(to: "#top") : .text("data")
            default: .text("data")
            }
        }
        let configuration = SessionConfiguration.test(events: events) { $0.logger = log.logger() }
        let session = Session(configuration: configuration, transport: transport)
        session.register(observer())
        session.register(
            SpyObserver(classify: { _, exchange in
                seen.withLock { $0.append("\(exchange.url) \(exchange.request.path ?? "")") }
                return .pass
            }))
        let empty = try await session.send(.to("https://app.example/empty?a=1"))
        #expect(empty.url.absoluteString == "https://app.example/empty?a=1#top")
        let response = try await session.send(.to("https://app.example/data?a=1"))
        #expect(response.url.absoluteString == "https://app.example/data?a=1")
        let error = await #expect(throws: TransportError.self) { try await session.send(.to("https://app.example/lost")) }
        #expect(error.map { !String(reflecting: $0).contains(Self.secret) } == true)
        #expect(transport.sent.allSatisfy { $0.url.query()?.contains(Self.secret) == true })
        let texts = seen.withLock { $0 } + log.lines + events.events.map { String(reflecting: $0) }
        #expect(!texts.contains { $0.contains(Self.secret) })
    }

    @Test func `a redirect within the server carries the key once, also if the server repeats it`() async throws {
        let bench = bench { sent in
            switch sent.path {
            case "/relative" where sent.url.query()?.hasPrefix("page") != true: .redirect(to: "?page=2")
            case "/repeated": .redirect(to: "/data?a=1&key=c4n4ry&b=2")
            case "/spelled": .redirect(to: "/data?%6Bey=c%34n4ry")
            case "/other": .redirect(to: "/data?key=page")
            default: .text("data")
            }
        }
        let response = try await bench.session.send(.to("https://app.example/repeated"))
        #expect(response.url.absoluteString == "https://app.example/data?a=1&b=2")
        #expect(try await bench.get("/relative") == 200)
        #expect(try await bench.get("/spelled") == 200)
        // Another value of this name is the server's.
        #expect(try await bench.get("/other") == 200)
        #expect(
            targets(bench) == [
                "/repeated?key=c4n4ry", "/data?a=1&b=2&key=c4n4ry", "/relative?key=c4n4ry", "/relative?page=2&key=c4n4ry",
                "/spelled?key=c4n4ry", "/data?key=c4n4ry", "/other?key=c4n4ry", "/data?key=page",
            ])
    }

    @Test(arguments: ["https://other.example/data", "https://other.example/data?key=c4n4ry&a=1"])
    func `another server never gets the key, even if the server repeats it in a redirect there`(location: String) async throws {
        let bench = bench { sent in sent.path == "/away" ? .redirect(to: location) : .text("data") }
        let response = try await bench.session.send(.to("https://app.example/away"))
        #expect(response.url.host() == "other.example")
        #expect(bench.transport.sent.map { $0.url.absoluteString.contains(Self.secret) } == [true, false])
        #expect(!response.url.absoluteString.contains(Self.secret))
    }

    @Test(arguments: [
        "https://other.example/login?return=https%3A%2F%2Fapp.example%2Fdata%3Fkey%3Dc4n4ry-key",
        "https://other.example/login?return=https%253A%252F%252Fapp.example%252Fdata%253Fkey%253Dc4n4ry-key",
        "https://other.example/c4n4ry-key/login",
    ])
    func `a redirect to another server with the key in another place is refused`(location: String) async throws {
        let bench = bench(keys: ["c4n4ry-key"]) { sent in sent.path == "/away" ? .redirect(to: location) : .text("data") }
        let error = await #expect(throws: CountersignError.self) {
            _ = try await bench.session.send(.to("https://app.example/away"))
        }
        #expect(error?.code == .redirectRefused)
        #expect(error?.description.contains("c4n4ry") == false)
        #expect(bench.transport.sent.count == 1)
        // Within the server, the application's own URLs can contain it.
        let own = self.bench(keys: ["c4n4ry-key"]) { sent in
            sent.path == "/away" ? .redirect(to: "/login?return=%2Fdata%3Fkey%3Dc4n4ry-key") : .text("data")
        }
        #expect(try await own.session.send(.to("https://app.example/away")).head.status == .ok)
    }

    @Test func `a server's own signed redirect is followed unchanged`() async throws {
        let foreign = "/data?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=other&X-Amz-SignedHeaders=host&X-Amz-Signature=0f"
        let bench = ProgramBench(ProgramObserver(parameters: PresignedParameters(), prompter: nil)) { sent in
            sent.path == "/away" ? .redirect(to: "https://other.example\(foreign)") : .text("data")
        }
        #expect(try await bench.session.send(.to("https://app.example/away")).head.status == .ok)
        #expect(targets(bench).last == foreign)
    }

    @Test func `a key is recognised in a redirect that writes its characters otherwise`() async throws {
        let bench = bench(keys: ["c4n+ry w/="]) { sent in
            sent.path == "/away" ? .redirect(to: "https://other.example/data?a=1+2&key=c4n+ry+w/=#part") : .text("data")
        }
        let response = try await bench.session.send(.to("https://app.example/away"))
        #expect(targets(bench) == ["/away?key=c4n%2Bry%20w%2F%3D", "/data?a=1+2"])
        #expect(response.url.absoluteString == "https://other.example/data?a=1+2#part")
    }

    @Test func `an observer that writes the key's characters otherwise does not show or take it elsewhere`() async throws {
        for host in ["app.example", "other.example"] {
            let bench = bench(keys: ["c4n+ry"])
            bench.session.register(
                SpyObserver(attach: { request, _ in
                    request.path = request.path?.replacing("%2B", with: "+")
                    request.authority = host
                    return .nothing
                }))
            let response = try await bench.session.send(.to("https://app.example/data?a=1"))
            #expect(response.url.absoluteString == "https://\(host)/data?a=1")
            #expect(targets(bench) == [host == "app.example" ? "/data?a=1&key=c4n+ry" : "/data?a=1"])
        }
    }

    @Test func `a signature in the query is in no URL of a response, and not sent to another server`() async throws {
        let bench = ProgramBench(ProgramObserver(parameters: PresignedParameters(), prompter: nil)) { sent in
            let query = sent.url.query(percentEncoded: true) ?? ""
            return sent.path == "/away" ? .redirect(to: "https://other.example/data?\(query)&b=2") : .text("data")
        }
        let own = try await bench.session.send(.to("https://app.example/data?a=1"))
        #expect(own.url.absoluteString == "https://app.example/data?a=1")
        #expect(try await bench.session.send(.to("https://app.example/away?a=1")).url.absoluteString.hasSuffix("/data?a=1&b=2"))
        #expect(bench.transport.sent.map { $0.url.query()?.contains("X-Amz-Security-Token=c4n4ry") } == [true, true, false])
        bench.session.register(
            SpyObserver(attach: { request, _ in
                request.authority = "other.example"
                return .nothing
            }))
        #expect(try await bench.get("/data?a=1") == 200)
        #expect(targets(bench).last == "/data?a=1")
    }

    @Test func `an observer that moves the request to another server does not take the key there`() async throws {
        let bench = bench()
        bench.session.register(
            SpyObserver(attach: { request, _ in
                request.authority = "other.example"
                return .nothing
            }))
        let response = try await bench.session.send(.to("https://app.example/data?a=1"))
        #expect(bench.transport.sent.map { $0.url.absoluteString } == ["https://other.example/data?a=1"])
        #expect(response.url.absoluteString == "https://other.example/data?a=1")
    }

    @Test func `an observer that changes the path of a request with a key leaves the key out of the URL`() async throws {
        let bench = bench()
        bench.session.register(
            SpyObserver(attach: { request, _ in
                request.path = request.path.map { "/v2\($0)&b=2" }
                return .nothing
            }))
        let response = try await bench.session.send(.to("https://app.example/data?a=1"))
        #expect(targets(bench) == ["/v2/data?a=1&key=c4n4ry&b=2"])
        #expect(response.url.absoluteString == "https://app.example/v2/data?a=1&b=2")
    }

    @Test func `a request that something else sends has the key in its URL`() async throws {
        let bench = bench()
        #expect(try await bench.get() == 200)
        let url = try #require(URL(string: "https://app.example/socket?a=1"))
        #expect(try await bench.session.authorized(HTTPRequest(url: url)).path == "/socket?a=1&key=c4n4ry")
    }
}
