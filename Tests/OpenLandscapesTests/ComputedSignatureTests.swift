import Countersign
import CountersignDynamic
import CountersignSpec
import Crypto
import Foundation
import HTTPTypes
import Synchronization
import TestTurns
import Testing

/// A signature that is defined only by a spec: `Tests/Specs/Programs/NonceHMAC.yaml`.
@Suite(.takesTurns) struct ComputedSignatureTests {
    private static let key = Data("a key of thirty-two bytes, or so".utf8)

    /// A server that issues nonces and verifies signatures, by code of its own.
    private final class Server: HTTPTransport {
        private struct State {
            var nonce = "nonce-0"
            var salts: Set<String> = []
            var answered = 0
            var challenged = 0
            var repeated = 0
        }

        private let state = Mutex(State())
        /// The number of seconds by which the server's clock is ahead.
        private let shift: Double

        init(shift: Double = 0) { self.shift = shift }

        var answered: Int { state.withLock(\.answered) }
        var challenged: Int { state.withLock(\.challenged) }
        var repeatedSalts: Int { state.withLock(\.repeated) }

        /// Invalidates all nonces that the server has issued.
        func spoil() { state.withLock { $0.nonce = "nonce-\($0.answered)-\($0.challenged)" } }

        func send(_ request: SessionRequest) async throws -> SessionResponse {
            var body: [UInt8] = []
            switch request.body.content {
            case .none: break
            case .bytes(let bytes): body = bytes
            case .restartable(_, let make): for try await piece in try make() { body += piece }
            case .once(_, let stream): for try await piece in stream { body += piece }
            }
            let status = status(request.head, body)
            var fields: HTTPFields = [:]
            if status != 200 {
                if let name = HTTPField.Name("X-Challenge") { fields[name] = state.withLock { $0.nonce } }
                let date = Date(timeIntervalSinceNow: shift)
                let formatter = DateFormatter()
                formatter.locale = Locale(identifier: "en_US_POSIX")
                formatter.timeZone = .gmt
                formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
                fields[.date] = formatter.string(from: date)
            }
            return SessionResponse(
                head: HTTPResponse(status: .init(code: status), headerFields: fields),
                url: request.head.url ?? URL(filePath: "/"), body: ResponseBody())
        }

        func shutdown() async throws {}

        private func status(_ head: HTTPRequest, _ body: [UInt8]) -> Int {
            func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { head.headerFields[$0] } }
            let digest = Data(SHA256.hash(data: body)).base64EncodedString()
            guard let time = field("X-Time"), let salt = field("X-Salt"), let signature = field("X-Signature"),
                field("X-Key") == "demo", field("X-Digest") == "sha-256=\(digest)"
            else { return refuse(401) }
            guard let seconds = Double(time), abs(seconds - Date().timeIntervalSince1970 - shift) < 600 else { return refuse(401) }
            let (nonce, isNew) = state.withLock { ($0.nonce, $0.salts.insert(salt).inserted) }
            if !isNew { state.withLock { $0.repeated += 1 } }
            let target = head.path ?? ""
            let path = target.prefix { $0 != "?" }
            let query = target.dropFirst(path.count + 1)
            let message = [
                head.method.rawValue, "https://\(head.authority ?? "")\(path)", String(query), time, salt, nonce, digest,
            ].joined(separator: "\n")
            let code = HMAC<SHA512>.authenticationCode(
                for: Data(message.utf8), using: SymmetricKey(data: ComputedSignatureTests.key))
            let expected = Data(code).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
            guard signature == "v1=\(expected)" else { return refuse(440) }
            state.withLock { $0.answered += 1 }
            return 200
        }

        private func refuse(_ status: Int) -> Int {
            state.withLock { $0.challenged += 1 }
            return status
        }
    }

    private static func observer(key: String = ComputedSignatureTests.key.base64EncodedString()) throws -> any SessionObserver {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Specs/Programs").path(percentEncoded: false)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
        let (sources, unreadable) = SpecSources.load(own: files.map { "\(folder)/\($0)" })
        let method = try DynamicLandscape(sources, unreadable: unreadable).method(named: "NonceHMAC")
        let values = ["servers": ["https://api.example"], "keyID": ["demo"], "key": [key]]
        return ManagedObserver(
            try method.filled(try method.variant(named: nil), with: GivenValues(parameters: values)), prompter: nil, store: nil)
    }

    private func run(_ server: Server, key: String? = nil, _ body: (Session) async throws -> Void) async throws {
        let session = Session(transport: server)
        session.register(try key.map { try Self.observer(key: $0) } ?? Self.observer())
        do { try await body(session) } catch { Issue.record(error) }
        await session.invalidate(cancelling: true)
    }

    private func request(_ method: HTTPRequest.Method = .get, _ path: String = "/orders?a=1&b=%20x") -> HTTPRequest {
        HTTPRequest(method: method, scheme: "https", authority: "api.example", path: path)
    }

    @Test func `requests are signed with all of their parts, after the first challenge from the first on`() async throws {
        let server = Server()
        try await run(server) { (session) async throws in
            #expect(try await status(SessionRequest(request()), session) == 200)
            #expect(try await status(SessionRequest(request(.post, "/"), body: .text("{\"a\":1}")), session) == 200)
            #expect(try await status(SessionRequest(request(.delete, "/orders/1")), session) == 200)
            let image = RequestBody.bytes((0...255).map { UInt8($0) })
            #expect(try await status(SessionRequest(request(.put, "/image"), body: image), session) == 200)
            #expect(server.answered == 4)
            #expect(server.challenged == 1)
        }
    }

    @Test func `a hundred requests with a stale nonce share the next one, and no salt is sent twice`() async throws {
        let server = Server()
        try await run(server) { (session) async throws in
            #expect(try await status(SessionRequest(request()), session) == 200)
            server.spoil()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 { group.addTask { try await status(SessionRequest(request()), session) } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(server.answered == 101)
            #expect(server.repeatedSalts == 0)
        }
    }

    @Test func `a body that is a stream is read, signed and sent; one that can be read once only is an error`() async throws {
        let server = Server()
        try await run(server) { (session) async throws in
            let body = RequestBody.restartable {
                AsyncThrowingStream { continuation in
                    continuation.yield(Array("a body ".utf8))
                    continuation.yield(Array("in pieces".utf8))
                    continuation.finish()
                }
            }
            #expect(try await status(SessionRequest(request(.put, "/big"), body: body), session) == 200)
            let once = RequestBody.once(length: nil, AsyncThrowingStream<[UInt8], any Error> { $0.finish() })
            #expect(
                await code { try await status(SessionRequest(request(.put, "/big"), body: once), session) } == .bodyNotReplayable)
            #expect(server.answered == 1)
        }
    }

    @Test(arguments: [-3_600.0, 3_600]) func `requests are dated by the server's clock`(shift: Double) async throws {
        let server = Server(shift: shift)
        try await run(server) { (session) async throws in
            #expect(try await status(SessionRequest(request()), session) == 200)
        }
    }

    @Test func `another key ends in an error after a few nonces`() async throws {
        let server = Server()
        try await run(server, key: Data("another key".utf8).base64EncodedString()) { (session) async throws in
            #expect(await code { try await status(SessionRequest(request()), session) } == .challengedAgain)
            #expect(server.answered == 0)
            // One challenge without a signature, and one for each nonce.
            #expect(server.challenged == 5)
        }
    }

    @Test func `a key that is not written as it has to be is an error that does not show it`() async throws {
        let server = Server()
        try await run(server, key: "c4n4ry!") { (session) async throws in
            let error = await #expect(throws: CountersignError.self) { try await status(SessionRequest(request()), session) }
            #expect(error?.code == .invalidRequest)
            #expect(error?.detail == "a key is not encoded in base64")
            #expect(!String(reflecting: error).contains("c4n4ry"))
            #expect(server.answered == 0)
        }
    }

    @Test func `other servers get nothing`() async throws {
        let server = Server()
        try await run(server) { (session) async throws in
            let other = HTTPRequest(method: .get, scheme: "https", authority: "evil.example", path: "/")
            #expect(try await status(SessionRequest(other), session) == 401)
        }
    }

    // MARK: Other specs

    private static func observer(of spec: String, _ values: [String: [String]]) throws -> any SessionObserver {
        let landscape = "countersign: 2\nlandscape: Web\nsummary: A landscape.\n"
        let sources = SpecSources(own: [
            SpecFile(path: "landscape.yaml", bytes: Array(landscape.utf8)), SpecFile(path: "Web.yaml", bytes: Array(spec.utf8)),
        ])
        let method = try DynamicLandscape(sources, unreadable: []).method(named: "Web")
        return ManagedObserver(
            try method.filled(try method.variant(named: nil), with: GivenValues(parameters: values)), prompter: nil, store: nil)
    }

    /// Answers by a function, and records the requests.
    private final class Recorder: HTTPTransport {
        private let requests = Mutex<[HTTPRequest]>([])
        private let answer: @Sendable (HTTPRequest, Int) -> (status: Int, fields: HTTPFields)

        init(_ answer: @escaping @Sendable (HTTPRequest, Int) -> (status: Int, fields: HTTPFields)) { self.answer = answer }

        var all: [HTTPRequest] { requests.withLock { $0 } }

        func send(_ request: SessionRequest) async throws -> SessionResponse {
            let count = requests.withLock { requests in
                requests.append(request.head)
                return requests.count
            }
            let (status, fields) = answer(request.head, count)
            return SessionResponse(
                head: HTTPResponse(status: .init(code: status), headerFields: fields),
                url: request.head.url ?? URL(filePath: "/"), body: ResponseBody())
        }

        func shutdown() async throws {}
    }

    @Test func `what is attached is signed with the rest`() async throws {
        let server = Recorder { _, _ in (200, [:]) }
        let session = Session(transport: server)
        session.register(
            try Self.observer(
                of: """
                    countersign: 2
                    method: Web
                    summary: A signed token.
                    parameters:
                      servers: { type: origins, summary: The servers. }
                      token: { type: secret, summary: A token. }
                      key: { type: secret, summary: A key. }
                    credential:
                      eager: true
                      fields:
                        token: { type: secret, from: "{token}", summary: A token. }
                      for: ["{servers}"]
                    attach:
                      - headers: { Authorization: "Bearer {credential.token}" }
                      - sign:
                          http-message:
                            algorithm: hmac-sha256
                            key: "{key}"
                            key-as: text
                            components: ["@method", authorization]

                    """, ["servers": ["https://api.example"], "token": ["t0ken"], "key": ["a key"]]))
        #expect(try await status(SessionRequest(request()), session) == 200)
        let sent = try #require(server.all.first)
        let input = try #require(HTTPField.Name("Signature-Input").flatMap { sent.headerFields[$0] })
        let signature = try #require(HTTPField.Name("Signature").flatMap { sent.headerFields[$0] })
        #expect(input.hasPrefix(#"sig1=("@method" "authorization");created="#))
        let base = "\"@method\": GET\n\"authorization\": Bearer t0ken\n\"@signature-params\": \(input.dropFirst(5))"
        let code = HMAC<SHA256>.authenticationCode(for: Data(base.utf8), using: SymmetricKey(data: Data("a key".utf8)))
        #expect(signature == "sig1=:\(Data(code).base64EncodedString()):")
        await session.invalidate(cancelling: true)
    }

    @Test func `an answer to a server's nonce that was refused is not sent again with the next nonce`() async throws {
        let server = Recorder { request, count in
            switch request.path {
            case "/nonce": (200, [.eTag: "nonce-\(count)"])
            default: (401, [.wwwAuthenticate: "Web"])
            }
        }
        let session = Session(transport: server)
        session.register(
            try Self.observer(
                of: """
                    countersign: 2
                    method: Web
                    summary: A login by a nonce.
                    parameters:
                      server: { type: url, summary: The server. }
                      password: { type: secret, summary: A password. }
                    challenge:
                      - { name: login, status: 401, www-authenticate: Web }
                    credential:
                      fields:
                        token: { type: secret, summary: A token. }
                      for: ["{server}"]
                    acquire:
                      - http:
                          send: "GET {server}/nonce"
                          answers: [{ status: 200, capture: { nonce: { header: ETag } } }]
                      - compute: { now: { time: unix-milliseconds } }
                      - compute: { answer: { hmac: sha-256, key: "{password}", of: "{nonce}\\n{now}" } }
                      - http:
                          send: "POST {server}/login"
                          form: { answer: "{answer}", time: "{now}" }
                          answers:
                            - { status: 401, error: server }
                            - { status: 200, capture: { token: { json: /token, type: secret } } }
                    attach:
                      - headers: { Authorization: "Web {credential.token}" }
                    rejected:
                      - { then: [acquire] }

                    """, ["server": ["https://api.example"], "password": ["wr0ng"]]))
        for _ in 0..<3 {
            #expect(await code { try await status(SessionRequest(request()), session) } == .refusedByServer)
        }
        #expect(server.all.filter { $0.path == "/login" }.count == 1)
        await session.invalidate(cancelling: true)
    }
}
