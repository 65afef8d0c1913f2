import Crypto
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable @_spi(Generated) import Countersign

/// Methods that present tickets by the Negotiate scheme, with tickets and a server made by the tests.
@Suite("Negotiate", .timeLimit(.minutes(10)))
struct NegotiateTests {
    struct Parameters: EquippedParameters {
        var server = ProtectedOrigins(
            origins: Set([URL(string: ProgramBench.origin)].compactMap { $0.flatMap { Origin($0) } }))
        var principal: String?
        var isBound = false
        var takesAny = false

        static let tools = ProgramTools(contexts: Tickets.current)

        static let program = MethodProgram(
            name: "Tickets", summary: "A ticket.",
            slots: [.parameter("server"), .parameter("principal"), .parameter("isBound"), .parameter("takesAny")],
            challenges: [ChallengePattern("ticket", statuses: [401], schemes: [ChallengePattern.Scheme("Negotiate")])],
            credential: CredentialShape(destinations: [0]),
            attach: [.negotiate(Negotiation(principal: .slot(1), bound: 2, anyMechanism: 3))])

        var slotValues: [ProgramValue] { [.origins(server), .given(principal), .given(isBound), .given(takesAny)] }
    }

    /// Makes contexts with a number of legs. Their tokens are `service|principal|bindings|leg`, and those of the server are
    /// `server-leg`.
    final class Tickets: SecurityContextMaking {
        /// The single instance of the process, which the static tools of parameters use. Its settings belong to the task of a
        /// test.
        static let current = Tickets()
        struct Settings: Sendable {
            var legs = 1
            var failure: SecurityContextError.Code?
        }
        @TaskLocal static var settings = Settings()

        func makeContext(
            for service: String, as principal: String?, bindings: [UInt8]?, mechanisms: SecurityMechanisms
        ) async throws -> any SecurityContext {
            let settings = Self.settings
            if let code = settings.failure { throw SecurityContextError(code, detail: "no ticket; run kinit") }
            let bound = bindings.map { String($0.count) } ?? "-"
            return Context(name: "\(service)|\(principal ?? "-")|\(bound)", legs: settings.legs)
        }
    }

    private final class Context: SecurityContext {
        let name: String
        let legs: Int
        private let leg = Mutex(0)

        init(name: String, legs: Int) {
            self.name = name
            self.legs = legs
        }

        func next(after token: [UInt8]?) async throws -> SecurityContextStep {
            try leg.withLock { leg in
                if leg > 0, token.map({ String(decoding: $0, as: UTF8.self) }) != "server-\(leg)" {
                    throw SecurityContextError(.serverNotProven, detail: "the server's token is none")
                }
                leg += 1
                return leg > legs
                    ? SecurityContextStep(token: nil, isComplete: true)
                    : SecurityContextStep(token: Array("\(name)|\(leg)".utf8), isComplete: false)
            }
        }
    }

    /// A server that accepts contexts with a number of legs, each over one connection.
    private final class Server: Sendable {
        let legs: Int
        let proof: String?
        private let state = Mutex<[ObjectIdentifier: Int]>([:])
        let tokens = Mutex<[String]>([])
        /// The number of connections that are closed before the second leg.
        private let losses: Mutex<Int>

        init(legs: Int = 1, proof: String? = "server-", losses: Int = 0) {
            self.losses = Mutex(losses)
            self.legs = legs
            self.proof = proof
        }

        func answer(_ sent: ScriptedTransport.Sent) -> Reply {
            let certificate = Array("certificate".utf8)
            if sent.request.connection?.count == 0 { sent.request.connection?.noteConnection(serverCertificate: certificate) }
            guard let field = sent["Authorization"], field.hasPrefix("Negotiate "),
                let token = Data(base64Encoded: String(field.dropFirst(10))).map({ String(decoding: $0, as: UTF8.self) })
            else { return Reply(401, [("WWW-Authenticate", "Negotiate")]) }
            tokens.withLock { $0.append(token) }
            let leg = Int(token.split(separator: "|").last ?? "") ?? 0
            if let connection = sent.request.connection {
                if leg > 1,
                    losses.withLock({ losses in
                        losses -= 1
                        return losses >= 0
                    })
                {
                    state.withLock { $0[ObjectIdentifier(connection)] = nil }
                    connection.noteConnection(serverCertificate: certificate)
                    return Reply(401, [("WWW-Authenticate", "Negotiate")])
                }
                let before = state.withLock { $0.updateValue(leg, forKey: ObjectIdentifier(connection)) ?? 0 }
                guard leg == before + 1 else { return Reply(401, [("WWW-Authenticate", "Negotiate")]) }
            } else if leg > 1 {
                return Reply(401, [("WWW-Authenticate", "Negotiate")])
            }
            guard leg == legs else { return Reply(401, [("WWW-Authenticate", "Negotiate \(encoded("server-\(leg)"))")]) }
            return Reply(200, proof.map { [("WWW-Authenticate", "Negotiate \(encoded("\($0)\(leg)"))")] } ?? [])
        }

        private func encoded(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    }

    private func bench(_ server: Server, _ parameters: Parameters = Parameters()) -> ProgramBench {
        ProgramBench(ProgramObserver(parameters: parameters, prompter: nil)) { server.answer($0) }
    }

    @Test func `one ticket for each request, after one challenge`() async throws {
        let server = Server()
        let bench = bench(server)
        for _ in 0..<3 { #expect(try await bench.get() == 200) }
        #expect(bench.transport.sent.count == 4)
        #expect(server.tokens.withLock { $0 } == Array(repeating: "HTTP@app.example|-|-|1", count: 3))
        #expect(bench.transport.sent.allSatisfy { $0.request.connection == nil })
    }

    @Test func `tickets of a principal`() async throws {
        let server = Server()
        let bench = bench(server, Parameters(principal: "alice@LAB"))
        #expect(try await bench.get() == 200)
        #expect(server.tokens.withLock { $0 } == ["HTTP@app.example|alice@LAB|-|1"])
    }

    @Test func `a server that does not prove who it is gets no answer through`() async throws {
        for server in [Server(proof: nil), Server(proof: "impostor-")] {
            let bench = bench(server)
            await expectError(.serverNotProven) { _ = try await bench.get() }
            #expect(bench.transport.sent.count == 2)
        }
    }

    @Test(arguments: [408, 429, 500, 503]) func `a server in trouble has nothing to prove`(_ status: Int) async throws {
        let bench = ProgramBench(ProgramObserver(parameters: Parameters(), prompter: nil)) { sent in
            sent["Authorization"] == nil ? Reply(401, [("WWW-Authenticate", "Negotiate")]) : Reply(status)
        }
        #expect(try await bench.get() == status)
    }

    @Test(arguments: [200, 302, 403, 404]) func `what a server says that is not proven is looked at by nothing`(_ status: Int)
        async throws
    {
        let asked = Mutex(0)
        let bench = ProgramBench(Earlier { asked.withLock { $0 += 1 } }) { sent in
            sent["Authorization"] == nil
                ? Reply(401, [("WWW-Authenticate", "Negotiate")])
                : Reply(status, [("Set-Cookie", "a=b"), ("Location", "/other"), ("X-Challenge", "1")])
        }
        bench.session.register(ProgramObserver(parameters: Parameters(), prompter: nil))
        await expectError(.serverNotProven) { _ = try await bench.get() }
        #expect(bench.session.cookies.all.isEmpty && asked.withLock(\.self) == 0 && bench.transport.sent.count == 2)
    }

    /// An observer that is registered before the others, and answers any response that it recognises as a challenge.
    private final class Earlier: SessionObserver {
        let name = "Earlier"
        private let noted: @Sendable () -> Void

        init(_ noted: @escaping @Sendable () -> Void) { self.noted = noted }

        func classify(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict {
            response.headerFields.contains(where: { $0.name.canonicalName == "x-challenge" }) ? .challenge(signature: "x") : .pass
        }

        func recover(_ challenge: ChallengeOccurrence, in exchange: ExchangeContext) async throws { noted() }
    }

    @Test func `a refusal with a token is a refusal like any other`() async throws {
        let bench = ProgramBench(ProgramObserver(parameters: Parameters(), prompter: nil)) { sent in
            Reply(401, [("WWW-Authenticate", sent["Authorization"] == nil ? "Negotiate" : "Negotiate AAAA")])
        }
        await expectError(.challengedAgain) { _ = try await bench.get() }
        #expect(bench.transport.sent.count == 2)
    }

    @Test func `a transport without connections of their own has no contexts of several legs`() async throws {
        let bench = ProgramBench(ProgramObserver(parameters: Parameters(), prompter: nil)) { sent in
            Reply(
                401,
                [
                    (
                        "WWW-Authenticate",
                        sent["Authorization"] == nil ? "Negotiate" : "Negotiate \(Data("server-1".utf8).base64EncodedString())"
                    )
                ])
        }
        await Tickets.$settings.withValue(.init(legs: 2)) {
            await expectError(.refusedByObserver) { _ = try await bench.get() }
        }
    }

    @Test(arguments: [2, 3]) func `several legs go over one connection, which the next request knows from the start`(_ legs: Int)
        async throws
    {
        let server = Server(legs: legs)
        let bench = bench(server)
        try await Tickets.$settings.withValue(.init(legs: legs)) { () async throws in
            #expect(try await bench.get() == 200)
            // The request is challenged, the first leg uses any connection, and then all legs use one connection.
            #expect(bench.transport.sent.count == 2 + legs)
            let first = Set(bench.transport.sent.suffix(legs).map { $0.request.connection.map(ObjectIdentifier.init) })
            #expect(first.count == 1 && first != [nil])
            #expect(try await bench.get() == 200)
            #expect(bench.transport.sent.count == 2 + 2 * legs)
            let second = Set(bench.transport.sent.suffix(legs).map { $0.request.connection.map(ObjectIdentifier.init) })
            #expect(second.count == 1 && second != first)
        }
    }

    @Test func `where any mechanism will do, the first context has a connection of its own, and those behind one leg do without`()
        async throws
    {
        let server = Server()
        let bench = bench(server, Parameters(takesAny: true))
        for _ in 0..<2 { #expect(try await bench.get() == 200) }
        #expect(bench.transport.sent.map { $0.request.connection != nil } == [false, true, false])
        let other = Self.Server(legs: 2)
        let second = self.bench(other, Parameters(takesAny: true))
        try await Tickets.$settings.withValue(.init(legs: 2)) { () async throws in
            for _ in 0..<2 { #expect(try await second.get() == 200) }
        }
        #expect(second.transport.sent.map { $0.request.connection != nil } == [false, true, true, true, true])
    }

    @Test func `a server need not prove who it is where the mechanism may be one that cannot`() async throws {
        let bench = bench(Server(proof: nil), Parameters(takesAny: true))
        #expect(try await bench.get() == 200)
    }

    @Test(arguments: [(1, 200), (2, nil)]) func `a connection that is closed between two legs is made anew, once`(
        _ losses: Int, _ status: Int?
    ) async throws {
        let server = Server(legs: 2, losses: losses)
        let bench = bench(server, Parameters(takesAny: true))
        try await Tickets.$settings.withValue(.init(legs: 2)) { () async throws in
            guard let status else {
                await expectError(.challengedAgain) { _ = try await bench.get() }
                return
            }
            #expect(try await bench.get() == status)
            #expect(server.tokens.withLock { $0.map(\.last) } == ["1", "2", "1", "2"])
        }
    }

    @Test func `legs without end are none`() async throws {
        let server = Server(legs: 100)
        let bench = bench(server)
        await Tickets.$settings.withValue(.init(legs: 100)) {
            await expectError(.challengedAgain) { _ = try await bench.get() }
            #expect(bench.transport.sent.count < 10)
        }
    }

    @Test func `a ticket that the server refuses is not sent again, and the next request starts over`() async throws {
        let isOpen = Mutex(false)
        let server = Server()
        let bench = ProgramBench(ProgramObserver(parameters: Parameters(), prompter: nil)) { sent in
            isOpen.withLock(\.self) ? server.answer(sent) : Reply(401, [("WWW-Authenticate", "Negotiate")])
        }
        await expectError(.challengedAgain) { _ = try await bench.get() }
        #expect(bench.transport.sent.count == 2)
        isOpen.withLock { $0 = true }
        #expect(try await bench.get() == 200)
    }

    @Test(arguments: [SecurityContextError.Code.noTicket, .noLibrary, .expiredTicket, .unknownServer, .failed])
    func `without a ticket the request ends`(_ code: SecurityContextError.Code) async throws {
        let bench = bench(Server())
        await Tickets.$settings.withValue(.init(failure: code)) {
            await expectError(.credentialMissing) { _ = try await bench.get() }
        }
        #expect(bench.transport.sent.count == 1)
        // Now there is a ticket.
        #expect(try await bench.get() == 200)
    }

    @Test func `a bound context is asked for over its own connection, by the certificate that it has shown`() async throws {
        let server = Server()
        let bench = bench(server, Parameters(isBound: true))
        for _ in 0..<2 { #expect(try await bench.get() == 200) }
        #expect(bench.transport.sent.count == 4)
        let connections = bench.transport.sent.map { $0.request.connection.map(ObjectIdentifier.init) }
        #expect(connections[0] != nil && connections[0] == connections[1] && connections[2] == connections[3])
        #expect(connections[1] != connections[2])
        let length = "tls-server-end-point:".utf8.count + 32
        #expect(server.tokens.withLock { $0 } == Array(repeating: "HTTP@app.example|-|\(length)|1", count: 2))
    }

    @Test func `a transport that has no certificate cannot bind`() async throws {
        let bench = ProgramBench(ProgramObserver(parameters: Parameters(isBound: true), prompter: nil)) { _ in
            Reply(401, [("WWW-Authenticate", "Negotiate")])
        }
        await expectError(.credentialMissing) { _ = try await bench.get() }
        #expect(bench.transport.sent.count == 1)
    }

    @Test func `the legs after a redirect are counted anew`() async throws {
        let server = Server(legs: 2)
        let bench = ProgramBench(ProgramObserver(parameters: Parameters(), prompter: nil)) { sent in
            var reply = server.answer(sent)
            guard reply.head.status == .ok, let next = ["/a": "/b", "/b": "/c", "/c": "/data"][sent.path] else { return reply }
            reply.head.status = .found
            reply.head.headerFields[.location] = next
            return reply
        }
        try await Tickets.$settings.withValue(.init(legs: 2)) { () async throws in
            #expect(try await bench.get("/a") == 200)
        }
        // The challenge and the first leg over any connection, then two legs for each address.
        #expect(bench.transport.sent.count == 2 + 4 * 2)
    }

    @Test func `no ticket goes to another origin, by a redirect or otherwise`() async throws {
        let server = Server()
        let bench = ProgramBench(ProgramObserver(parameters: Parameters(), prompter: nil)) { sent in
            if sent.url.host() == "other.example" { return Reply(401, [("WWW-Authenticate", "Negotiate")]) }
            if sent.path == "/away", sent["Authorization"] != nil {
                var reply = server.answer(sent)
                reply.head.status = .found
                reply.head.headerFields[.location] = "https://other.example/"
                return reply
            }
            return server.answer(sent)
        }
        #expect(try await bench.get("/away") == 401)
        #expect(bench.transport.sent.last?.url.host() == "other.example")
        #expect(bench.transport.sent.last?["Authorization"] == nil)
    }

    @Test func `the hash of a binding is that of the certificate's signature`() throws {
        // The structure of a certificate: the signed content, the algorithm and the signature.
        func certificate(_ algorithm: [UInt8]) -> [UInt8] {
            let identifier = [0x30, UInt8(algorithm.count + 4), 0x06, UInt8(algorithm.count)] + algorithm + [0x05, 0x00]
            let content = [0x30, 0x00] + identifier + [0x03, 0x02, 0x00, 0x01]
            return [0x30, UInt8(content.count)] + content
        }
        let rsa: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01]
        let ecdsa: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03]
        let prefix = Array("tls-server-end-point:".utf8)
        for (algorithm, hash): ([UInt8], ([UInt8]) -> [UInt8]) in [
            (rsa + [11], { Array(SHA256.hash(data: $0)) }), (rsa + [12], { Array(SHA384.hash(data: $0)) }),
            (rsa + [13], { Array(SHA512.hash(data: $0)) }), (rsa + [5], { Array(SHA256.hash(data: $0)) }),
            (ecdsa + [2], { Array(SHA256.hash(data: $0)) }), (ecdsa + [3], { Array(SHA384.hash(data: $0)) }),
            (ecdsa + [4], { Array(SHA512.hash(data: $0)) }),
        ] {
            let certificate = certificate(algorithm)
            #expect(ChannelBinding.serverEndPoint(certificate) == prefix + hash(certificate))
        }
        #expect(ChannelBinding.serverEndPoint([1, 2, 3]) == prefix + Array(SHA256.hash(data: [1, 2, 3] as [UInt8])))
    }
}
