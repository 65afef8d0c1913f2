import Countersign
import CountersignAsyncHTTPClient
import CountersignDynamic
import CountersignSpec
import Crypto
import Foundation
import HTTPTypes
import Synchronization
import TestTurns
import Testing

@testable import CountersignTesting

/// A signature in the query that is defined only by a spec: `Tests/Specs/Programs/QuerySigned.yaml`.
@Suite(.takesTurns) struct QuerySignatureTests {
    private static let key = "a key of some length"

    /// Verifies requests by code of its own.
    private final class Verifier: Sendable {
        private struct State {
            var salts: Set<Substring> = []
            var refusals: [String] = []
            var targets: [String] = []
        }

        private let state = Mutex(State())
        /// The number of seconds by which the server's clock is ahead.
        private let shift: Double

        init(shift: Double = 0) { self.shift = shift }

        /// The reasons of the refusals so far.
        var refusals: [String] { state.withLock(\.refusals) }
        /// The targets of the requests so far.
        var targets: [String] { state.withLock(\.targets) }

        /// The server's time as a header field.
        var date: String {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = .gmt
            formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
            return formatter.string(from: Date(timeIntervalSinceNow: shift))
        }

        /// Returns whether a request is signed by the key, at this time, and not a copy.
        func accepts(_ method: HTTPRequest.Method, _ target: String) -> Bool {
            let refusal = refusal(method, target)
            state.withLock { state in
                state.targets.append(target)
                if let refusal { state.refusals.append(refusal) }
            }
            return refusal == nil
        }

        private func refusal(_ method: HTTPRequest.Method, _ target: String) -> String? {
            guard let mark = target.range(of: "&signature=", options: .backwards) else { return "no signature" }
            let covered = target[..<mark.lowerBound]
            let code = HMAC<SHA256>.authenticationCode(
                for: Data("\(method.rawValue) \(covered)".utf8), using: SymmetricKey(data: Data(QuerySignatureTests.key.utf8)))
            let signature = String(target[mark.upperBound...])
            guard signature.removingPercentEncoding == Data(code).base64EncodedString() else { return "another signature" }
            let parameters = covered.split(separator: "&")
            guard let last = parameters.last, last.hasPrefix("time="), let time = Double(last.dropFirst("time=".count)),
                abs(time / 1000 - Date().timeIntervalSince1970 - shift) < 600
            else { return "another time" }
            guard let salt = parameters.dropLast().last, salt.hasPrefix("salt="),
                state.withLock({ $0.salts.insert(salt).inserted })
            else { return "a copy" }
            return nil
        }
    }

    /// Passes requests to a verifier without a network.
    private final class Transport: HTTPTransport {
        private let verifier: Verifier

        init(_ verifier: Verifier) { self.verifier = verifier }

        func send(_ request: SessionRequest) async throws -> SessionResponse {
            let isAccepted = verifier.accepts(request.head.method, request.head.path ?? "")
            return SessionResponse(
                head: HTTPResponse(
                    status: isAccepted ? .ok : .unauthorized, headerFields: isAccepted ? [:] : [.date: verifier.date]),
                url: request.head.url ?? URL(filePath: "/"), body: ResponseBody())
        }

        func shutdown() async throws {}
    }

    private static func filled(
        _ server: String, key: String = QuerySignatureTests.key, _ values: [String: [String]] = [:]
    ) throws -> FilledProgram {
        let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Specs/Programs/QuerySigned.yaml")
        let files = [
            SpecFile(path: "landscape.yaml", bytes: Array("countersign: 2\nlandscape: Web\nsummary: A landscape.\n".utf8)),
            SpecFile(path: "QuerySigned.yaml", bytes: Array(try Data(contentsOf: url))),
        ]
        let method = try DynamicLandscape(SpecSources(own: files)).method(named: nil)
        let own = ["servers": [server], "keyID": ["demo"], "key": [key]]
        return try method.filled(
            try method.variant(named: nil), with: GivenValues(parameters: own.merging(values) { $1 }))
    }

    private static func observer(_ filled: FilledProgram) -> any SessionObserver {
        ManagedObserver(filled, prompter: nil, store: nil)
    }

    private func run(_ verifier: Verifier, _ filled: FilledProgram, _ body: (Session) async throws -> Void) async {
        let session = Session(transport: Transport(verifier))
        session.register(Self.observer(filled))
        do { try await body(session) } catch { Issue.record(error) }
        await session.invalidate(cancelling: true)
    }

    private func request(_ path: String) -> SessionRequest {
        SessionRequest(HTTPRequest(method: .get, scheme: "https", authority: "api.example", path: path))
    }

    @Test func `the server receives the query that is signed, over the wire`() async throws {
        let verifier = Verifier()
        let received: @Sendable (MockRequest) -> MockResponse = { request in
            let target = request.query.map { "\(request.path)?\($0)" } ?? request.path
            guard verifier.accepts(request.method, target) else {
                return MockResponse(status: .unauthorized, fields: [.date: verifier.date])
            }
            return request.path == "/moved"
                ? MockResponse(status: .found, fields: [.location: "/data?\(request.query ?? "")&page=2"])
                : .text("data", status: .ok)
        }
        try await MockServer.run(path: "", with: MockGates(), answer: received) { url in
            let observer = Self.observer(try Self.filled(url.absoluteString, ["tenant": ["a&b=c+d é/"]]))
            await withSession { session in
                session.register(observer)
                for (path, final) in [
                    ("/data", "/data"), ("/data?a=%2F+b&c=%c3%a9", "/data?a=%2F+b&c=%c3%a9"), ("/moved?a=1", "/data?a=1&page=2"),
                ] {
                    let address = try #require(URL(string: path, relativeTo: url)?.absoluteURL)
                    let response = try await session.send(SessionRequest(HTTPRequest(url: address)))
                    _ = try await response.body.collect(upTo: 4096)
                    #expect(response.head.status == .ok)
                    #expect(response.url.absoluteString == "\(url.absoluteString)\(final)")
                }
            }
        }
        #expect(verifier.refusals.isEmpty)
        let starts = [
            "/data?window=5000&", "/data?a=%2F+b&c=%c3%a9&window=5000&", "/moved?a=1&window=5000&",
            "/data?a=1&page=2&window=5000&",
        ]
        #expect(verifier.targets.count == starts.count)
        for (target, start) in zip(verifier.targets, starts) {
            #expect(target.hasPrefix("\(start)tenant=a%26b%3Dc%2Bd%20%C3%A9%2F&salt="))
        }
    }

    @Test(arguments: [-3_600.0, 3_600])
    func `a request is signed once more with the time of the server's clock, and later ones at once`(shift: Double) async throws {
        let verifier = Verifier(shift: shift)
        try await run(verifier, Self.filled("https://api.example")) { (session) async throws in
            #expect(try await status(request("/data?a=1"), session) == 200)
            #expect(try await status(request("/data?a=1"), session) == 200)
        }
        #expect(verifier.refusals == ["another time"])
        #expect(verifier.targets.count == 3)
    }

    @Test func `another key ends in an error after one more request`() async throws {
        let verifier = Verifier()
        try await run(verifier, Self.filled("https://api.example", key: "c4n4ry")) { (session) async throws in
            let error = await #expect(throws: CountersignError.self) { try await status(request("/data"), session) }
            #expect(error?.code == .challengedAgain)
            #expect(error.map { !String(reflecting: $0).contains("signature=") } == true)
        }
        #expect(verifier.refusals == ["another signature", "another signature"])
    }

    @Test func `a parameter has the name that the application gives`() async throws {
        let verifier = Verifier()
        try await run(verifier, Self.filled("https://api.example", ["name": ["sig"]])) { (session) async throws in
            #expect(await code { try await status(request("/data"), session) } == .challengedAgain)
        }
        #expect(verifier.targets.allSatisfy { $0.contains("&sig=") && !$0.contains("&signature=") })
    }

    @Test func `other servers get nothing`() async throws {
        let verifier = Verifier()
        try await run(verifier, Self.filled("https://api.example")) { (session) async throws in
            let other = HTTPRequest(method: .get, scheme: "https", authority: "evil.example", path: "/data")
            #expect(try await status(SessionRequest(other), session) == 401)
        }
        #expect(verifier.targets == ["/data"])
    }

    @Test func `the mock of the spec wants the parameters`() async throws {
        let mock = try await DescribedMock.start(programs: { url in
            let filled = try Self.filled(url.absoluteString)
            return [(filled.program, filled.values)]
        })
        let data = mock.url.appending(path: "data")
        await withSession { (session) async throws in
            #expect(try await status(SessionRequest(HTTPRequest(url: data)), session) == 401)
            session.register(Self.observer(try Self.filled(mock.url.absoluteString)))
            #expect(try await status(SessionRequest(HTTPRequest(url: data)), session) == 200)
        }
        #expect(mock.statistics.challenges == 1 && mock.statistics.resources == 1)
        await mock.stop()
    }
}
