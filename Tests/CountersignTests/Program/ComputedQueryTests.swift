import Crypto
import Foundation
import HTTPTypes
import Testing

@testable import Countersign

/// A salt, a time and a signature in the query, beside parameters that are the same in all requests.
private struct SignedQueryParameters: ProgramParameters {
    var name = "signature"
    var tenant: String?

    static let program = MethodProgram(
        name: "SignedQuery", summary: "A signature.",
        slots: [
            .parameter("servers"), .parameter("name"), .parameter("tenant"), .parameter("key", isSecret: true),
            .credential("key", isSecret: true),
        ], challenges: [],
        credential: CredentialShape(fields: [.slot(4, from: .slot(3))], destinations: [0], isEager: true),
        attach: [
            .computed(
                [
                    .random, .time(.unixMilliseconds, clock: nil),
                    .digest(DigestFunction(.sha256, of: .request(.query), key: .slot(4), as: .base64)),
                ],
                headers: ["X-Signature": .computed(2)],
                query: [
                    "tenant": .slot(2), "v": "2", "salt": .computed(0), "time": .computed(1), .slot(1): .computed(2), "end": "1",
                ]),
            .query("window", "5 000"),
        ])

    var slotValues: [ProgramValue] {
        let server = URL(string: ProgramBench.origin).flatMap { Origin($0) }
        return [
            .origins(ProtectedOrigins(origins: Set([server].compactMap(\.self)))), .text(name),
            tenant.map { ProgramValue.text($0) } ?? .absent, .secret("c4n4ry"),
        ]
    }
}

/// Signatures that are parameters of the query.
@Suite("Signatures in the query", .timeLimit(.minutes(10))) struct ComputedQueryTests {
    private func bench(
        _ parameters: SignedQueryParameters = SignedQueryParameters(),
        _ script: @escaping ScriptedTransport.Script = { _ in .text("data") }
    ) -> ProgramBench {
        ProgramBench(ProgramObserver(parameters: parameters, prompter: nil), script)
    }

    /// The parts of a query with a signature of the first part.
    private struct SignedQuery {
        /// The query before the salt, and the salt.
        let start, salt: String
        /// The time in milliseconds.
        let time: Double
    }

    /// Verifies the signature in a query as a server does, and returns its parts.
    private func verified(
        _ sent: ScriptedTransport.Sent, in name: String = "signature", sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> SignedQuery {
        let target = try #require(sent.request.head.path, sourceLocation: sourceLocation)
        let mark = try #require(target.range(of: "&\(name)=", options: .backwards), sourceLocation: sourceLocation)
        let covered = target[..<mark.lowerBound].drop { $0 != "?" }.dropFirst()
        let code = HMAC<SHA256>.authenticationCode(for: Data(covered.utf8), using: SymmetricKey(data: Data("c4n4ry".utf8)))
        let signature = Data(code).base64EncodedString()
        let encoded = signature.replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
        // A literal after the signature is sent, but not covered.
        #expect(target[mark.upperBound...] == "\(encoded)&end=1", sourceLocation: sourceLocation)
        #expect(sent["X-Signature"] == signature, sourceLocation: sourceLocation)
        let parts = covered.components(separatedBy: "&salt=")
        let values = try #require(parts.last, sourceLocation: sourceLocation).components(separatedBy: "&time=")
        #expect(parts.count == 2 && values.count == 2, sourceLocation: sourceLocation)
        return SignedQuery(
            start: parts[0], salt: values[0],
            time: try #require(values.last.flatMap { Double($0) }, sourceLocation: sourceLocation))
    }

    @Test(arguments: [
        ("/data", "window=5%20000&v=2"), ("/data?a=%2F+b&c=%c3%a9", "a=%2F+b&c=%c3%a9&window=5%20000&v=2"),
        ("/data?a=1&", "a=1&window=5%20000&v=2"), ("/data?a=1#part", "a=1&window=5%20000&v=2"),
    ])
    func `a signature covers the query as it is sent, with the time before it`(path: String, start: String) async throws {
        let bench = bench()
        #expect(try await bench.get(path) == 200)
        let query = try verified(try #require(bench.transport.sent.first))
        #expect(query.start == start)
        #expect(query.salt.count == 43)
        #expect(abs(query.time / 1000 - Date().timeIntervalSince1970) < 600)
    }

    @Test func `a published signature is computed, whose time is before it in the query`() throws {
        let signer = ComputedFieldsSigner(
            values: [.secret("NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j")],
            functions: [
                .time(.unixMilliseconds, clock: nil), .digest(DigestFunction(.sha256, of: .request(.query), key: .slot(0))),
            ], headers: [:], query: ["recvWindow": "5000", "timestamp": .computed(0), "signature": .computed(1)])
        try signer.check()
        let query = "symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1"
        var request = HTTPRequest(method: .post, scheme: "https", authority: "api.example", path: "/api/v3/order?\(query)")
        signer.sign(&request, payload: .unsigned, at: Date(timeIntervalSince1970: 1_499_827_319.559_5))
        let signature = "c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71"
        #expect(request.path == "/api/v3/order?\(query)&recvWindow=5000&timestamp=1499827319559&signature=\(signature)")
        #expect(request.headerFields.isEmpty)
    }

    @Test func `a target that is signed has the parameters before the signature`() {
        let signer = ComputedFieldsSigner(
            values: [], functions: [.join([.request(.target)]), .join([.request(.path)]), .join([.request(.query)])],
            headers: ["X-Path": .computed(1), "X-Query": .computed(2)], query: ["a": "1", "target": .computed(0), "b": "/"])
        var request = HTTPRequest(method: .get, scheme: "https", authority: "api.example", path: "/data")
        signer.sign(&request, payload: .unsigned, at: Date())
        #expect(request.path == "/data?a=1&target=%2Fdata%3Fa%3D1&b=%2F")
        // They are computed after the target, so that the query is complete.
        #expect(request.headerFields.map(\.value) == ["/data", "a=1&target=%2Fdata%3Fa%3D1&b=%2F"])
    }

    @Test func `names and values are percent-encoded before they are signed`() async throws {
        let bench = bench(SignedQueryParameters(name: "sig nature[]", tenant: "a&b=c+d é#?/"))
        #expect(try await bench.get() == 200)
        let query = try verified(try #require(bench.transport.sent.first), in: "sig%20nature%5B%5D")
        #expect(query.start == "window=5%20000&tenant=a%26b%3Dc%2Bd%20%C3%A9%23%3F%2F&v=2")
    }

    @Test func `a name that is empty is an error before anything is sent`() async throws {
        let bench = bench(SignedQueryParameters(name: ""))
        let error = await #expect(throws: CountersignError.self) { try await bench.get() }
        #expect(error?.code == .invalidRequest)
        #expect(error?.detail.contains("the name of its query parameter is empty") == true)
        #expect(bench.transport.sent.isEmpty)
    }

    @Test(arguments: ["/data?time=own", "/data?a=1&signature", "/data?v=1"])
    func `a request that has a parameter of the signature is the caller's`(path: String) async throws {
        let bench = bench { _ in Reply(401) }
        #expect(try await bench.get(path) == 401)
        #expect(bench.transport.sent.map(\.request.head.path) == [path])
    }

    @Test func `a request that is sent again after a lost connection has a new salt, and nothing twice`() async throws {
        let bench = bench { sent in
            guard sent.number > 1 else {
                throw TransportError(.connectionLost, detail: "reset", requestMayHaveBeenProcessed: false)
            }
            return .text("data")
        }
        #expect(try await bench.get("/data?a=1") == 200)
        let queries = try bench.transport.sent.map { try verified($0) }
        #expect(queries.map(\.start) == ["a=1&window=5%20000&v=2", "a=1&window=5%20000&v=2"])
        #expect(Set(queries.map(\.salt)).count == 2)
        #expect(queries[0].time <= queries[1].time)
    }

    @Test func `a redirect within the server is signed anew, also if the server repeats the query`() async throws {
        let bench = bench { sent in
            switch sent.path {
            case "/away": .redirect(to: "/data?\(sent.url.query(percentEncoded: true) ?? "")&b=2")
            default: .text("data")
            }
        }
        let response = try await bench.session.send(.to("https://app.example/away?a=1"))
        #expect(response.url.absoluteString == "https://app.example/data?a=1&b=2")
        let queries = try bench.transport.sent.map { try verified($0) }
        #expect(queries.map(\.start) == ["a=1&window=5%20000&v=2", "a=1&b=2&window=5%20000&v=2"])
        #expect(Set(queries.map(\.salt)).count == 2)
    }

    @Test func `another server never gets the signature, even if the server repeats it in a redirect there`() async throws {
        let bench = bench { sent in
            sent.path == "/away"
                ? .redirect(to: "https://other.example/data?\(sent.url.query(percentEncoded: true) ?? "")&b=2") : .text("data")
        }
        let response = try await bench.session.send(.to("https://app.example/away?a=1"))
        #expect(response.url.absoluteString == "https://other.example/data?a=1&b=2")
        #expect(bench.transport.sent.map { $0.url.absoluteString.contains("signature=") } == [true, false])
        #expect(bench.transport.sent.last?["X-Signature"] == nil)
    }

    @Test func `a redirect to another server with the signature in another place is refused, with the time it is not`()
        async throws
    {
        let bench = bench { sent in
            let name = sent.path == "/time" ? "time" : "signature"
            let value = sent.request.head.queryParameters.first { $0.name == name }?.value ?? ""
            let place = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return sent.url.host() == "other.example" ? .text("data") : .redirect(to: "https://other.example/login?from=\(place)")
        }
        await expectError(.redirectRefused) { _ = try await bench.session.send(.to("https://app.example/away")) }
        #expect(bench.transport.sent.count == 1)
        #expect(try await bench.get("/time") == 200)
    }

    @Test func `the application's URLs do not have the signature, and a request that something else sends has it`() async throws {
        let bench = bench()
        let response = try await bench.session.send(.to("https://app.example/data?a=1"))
        #expect(response.url.absoluteString == "https://app.example/data?a=1")
        #expect(!bench.events.events.contains { String(reflecting: $0).contains("signature=") })
        let url = try #require(URL(string: "https://app.example/socket?a=1"))
        let request = try await bench.session.authorized(HTTPRequest(url: url))
        #expect(request.path?.hasPrefix("/socket?a=1&window=5%20000&v=2&salt=") == true)
        #expect(request.path?.contains("&signature=") == true)
    }
}
