import Foundation
import Testing

@_spi(Generated) @testable import Countersign

/// Tokens that the client signs: their claims, and their use as credentials and as assertions.
@Suite("Signed tokens of programs", .timeLimit(.minutes(10)))
struct TokenFunctionTests {
    /// Writes the claims in place of a token.
    private struct Writer: TokenSigning {
        func token(
            saying claims: [UInt8], signedBy key: String, named name: String?, rsaAlgorithm: HTTPCall.Client.RSAAlgorithm
        ) async throws(UnusableSigningKey) -> String {
            guard key == "k3y" else { throw UnusableSigningKey() }
            return "\(name ?? "-") \(rsaAlgorithm.rawValue) \(String(decoding: claims, as: UTF8.self))"
        }
    }

    /// A token that requests carry, for eight minutes.
    private struct Own: EquippedParameters {
        var key = "k3y"
        var scope: String?

        static let tools = ProgramTools(signer: Writer())
        static let program = MethodProgram(
            name: "Own", summary: "A token of the client.",
            slots: [
                .parameter("server"), .parameter("key", isSecret: true), .parameter("scope"), .credential("token", isSecret: true),
            ],
            challenges: [ChallengePattern("token", statuses: [401])],
            credential: CredentialShape(
                fields: [.slot(3)], space: .servers, fixedLifetime: .seconds(480), destinations: [0], isEager: true),
            acquire: [
                .compute(
                    slot: 3,
                    .token(
                        TokenFunction(
                            [.init("iss", .text("app")), .init("scope", .text(.slot(2))), .init("level", .number("2"))],
                            key: .slot(1), keyIdentifier: "2026", rsaAlgorithm: .ps256, lifetime: .seconds(600),
                            clockSkew: .seconds(60))))
            ],
            attach: [.header("Authorization", ProgramTemplate(.text("Bearer "), .slot(3)))],
            rejections: [RejectionRule(.acquire)])

        var slotValues: [ProgramValue] {
            [URL(string: ProgramBench.origin).map { .url($0) } ?? .absent, .secret(key), scope.map { .text($0) } ?? .absent]
        }
    }

    /// The same method where no module that signs is linked.
    private struct Unequipped: ProgramParameters {
        static let program = Own.program
        var slotValues: [ProgramValue] { Own().slotValues }
    }

    /// A login with an assertion.
    private struct Login: EquippedParameters {
        static let tools = ProgramTools(signer: Writer())
        static let program = MethodProgram(
            name: "Login", summary: "A token for an assertion.",
            slots: [
                .parameter("server"), .parameter("key", isSecret: true), .step("assertion", isSecret: true),
                .credential("token", isSecret: true),
            ],
            challenges: [ChallengePattern("token", statuses: [401])],
            credential: CredentialShape(fields: [.slot(3)], destinations: [0]),
            acquire: [
                .compute(slot: 2, .token(TokenFunction([.init("iss", .text("app"))], key: .slot(1)))),
                .http(
                    HTTPCall(
                        "POST", ProgramTemplate(.slot(0), .text("/token")),
                        body: .form([HTTPCall.Member("assertion", ProgramTemplate(.slot(2)))]),
                        answers: [
                            HTTPCall.Answer(statuses: [200], captures: [.slot(3, from: .json(["/token"]))]),
                            HTTPCall.Answer(statuses: [400], isRefusal: true),
                        ])),
            ],
            attach: [.header("Authorization", ProgramTemplate(.text("Bearer "), .slot(3)))],
            rejections: [RejectionRule(.acquire)])

        var slotValues: [ProgramValue] {
            [URL(string: ProgramBench.origin).map { .url($0) } ?? .absent, .secret("k3y")]
        }
    }

    private struct Claims: Decodable {
        let iss, jti: String
        let scope: String?
        let level: Int?
        let iat, exp: Int64
    }

    private static func claims(in token: String) throws -> Claims {
        try JSONDecoder().decode(Claims.self, from: Data(token.drop { $0 != "{" }.utf8))
    }

    @Test func `a token has its claims, and is replaced when the stated lifetime is over`() async throws {
        let bench = ProgramBench(ProgramObserver(parameters: Own(), prompter: nil)) { _ in .text("data") }
        let start = Int64(Date().timeIntervalSince1970)
        for _ in 0..<2 { #expect(try await bench.get() == 200) }
        let end = Int64(Date().timeIntervalSince1970)
        bench.clock.advance(by: .seconds(480))
        #expect(try await bench.get() == 200)
        let tokens = bench.transport.sent.compactMap { $0["Authorization"] }
        try #require(tokens.count == 3)
        #expect(tokens[0] == tokens[1] && tokens[1] != tokens[2])
        #expect(tokens[0].hasPrefix("Bearer 2026 PS256 {") && !tokens[0].contains("scope"))
        let claims = try tokens.map { try Self.claims(in: $0) }
        #expect(claims[0].iss == "app" && claims[0].level == 2)
        #expect(claims[0].exp - claims[0].iat == 600)
        #expect((start - 60...end - 60).contains(claims[0].iat))
        #expect(claims[0].jti.count == 43 && claims[0].jti != claims[2].jti)
    }

    @Test func `an optional value is a claim if it is present, and a jti of the spec is not replaced`() async throws {
        let bench = ProgramBench(ProgramObserver(parameters: Own(scope: "read write"), prompter: nil)) { _ in .text("data") }
        #expect(try await bench.get() == 200)
        #expect(try Self.claims(in: try #require(bench.transport.sent.first?["Authorization"])).scope == "read write")
        let function = TokenFunction([.init("iss", .text("app")), .init("jti", .text(.slot(1)))], key: .slot(0))
        let method = PreparedProgram(Own(), prompter: nil)
        let token = try #require(try await function.token([.secret("k3y"), .text("one")], of: method))
        #expect(token.hasPrefix("- RS256 {"))
        let claims = try Self.claims(in: token)
        #expect(claims.jti == "one" && claims.exp - claims.iat == 60)
        #expect(try await function.token([.absent, .absent], of: method) == nil)
    }

    @Test func `a claim can have the name that a parameter has, and replaces the added one`() async throws {
        let function = TokenFunction([.init("iss", .text("app")), .init(.slot(1), .text("one"))], key: .slot(0))
        let method = PreparedProgram(Own(), prompter: nil)
        let token = try #require(try await function.token([.secret("k3y"), .text("jti")], of: method))
        #expect(try Self.claims(in: token).jti == "one")
        #expect(token.split(separator: "\"jti\":").count == 2)
        #expect(function.uses([0]) && function.uses([1]) && !function.uses([2]))
    }

    @Test func `an assertion that is refused is not sent again, although the next would be another one`() async throws {
        let bench = ProgramBench(ProgramObserver(parameters: Login(), prompter: nil)) { sent in
            Reply(sent.path == "/token" ? 400 : 401)
        }
        for _ in 0..<3 { await expectError(.refusedByServer) { _ = try await bench.get() } }
        #expect(bench.transport.sent.filter { $0.path == "/token" }.count == 1)
    }

    @Test func `each login has another assertion`() async throws {
        let bench = ProgramBench(ProgramObserver(parameters: Login(), prompter: nil)) { sent in
            sent.path == "/token" ? .text(#"{"token":"t\#(sent.number)"}"#) : Reply(sent["Authorization"] == nil ? 401 : 200)
        }
        #expect(try await bench.get() == 200)
        try await bench.session.logOut()
        #expect(try await bench.get() == 200)
        var bodies: [String] = []
        for sent in bench.transport.sent where sent.path == "/token" {
            bodies.append(String(decoding: try await sent.body(), as: UTF8.self))
        }
        #expect(bodies.count == 2 && Set(bodies).count == 2)
    }

    @Test func `without a usable key nothing is sent, and the error does not have the text`() async throws {
        let bench = ProgramBench(ProgramObserver(parameters: Own(key: "c4n4ry"), prompter: nil)) { _ in .text("data") }
        let error = await #expect(throws: CountersignError.self) { try await bench.get() }
        #expect(error?.code == .invalidRequest && error?.detail.contains("not a private key in PEM") == true)
        #expect(!"\(String(describing: error)) \(String(reflecting: error))".contains("c4n4ry"))
        #expect(bench.transport.sent.isEmpty)
        let other = ProgramBench(ProgramObserver(parameters: Unequipped(), prompter: nil)) { _ in .text("data") }
        await expectError(.invalidRequest) { _ = try await other.get() }
        #expect(other.transport.sent.isEmpty)
    }
}
