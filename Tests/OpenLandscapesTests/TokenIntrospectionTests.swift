import Countersign
import CountersignDynamic
import CountersignSpec
import CountersignTesting
import Crypto
import Foundation
import HTTPTypes
import OpenIDConnect
import TestTurns
import Testing

/// A service that asks the provider about the token of an incoming call (RFC 7662), on sockets.
@Suite(.takesTurns) struct TokenIntrospectionTests: OpenIDBench {
    private static let key = P256.Signing.PrivateKey()

    static var options: MockOAuth2Options {
        var options = MockOAuth2Options()
        options.openID = MockOpenIDOptions()
        options.scopes = ["openid", "read", "write"]
        options.clients += [
            MockOAuth2Client(id: "notes", secret: "s3cret", grants: []),
            MockOAuth2Client(id: "posting", secret: "s3cret", grants: [], authentications: [.body]),
            MockOAuth2Client(id: "keyed", grants: [], key: key.publicKey.pemRepresentation),
        ]
        return options
    }

    private static func parameters(_ server: MockAuthorizationServer, _ token: String) -> TokenIntrospectionParameters {
        TokenIntrospectionParameters(issuer: server.baseURL, clientID: "notes", token: token, clientSecret: "s3cret")
    }

    private static func token(_ server: MockAuthorizationServer) -> String {
        server.makeAccessToken(for: "alice", scopes: ["read", "write"])
    }

    @Test func `of a token that is good the provider says whose it is and what for`() async throws {
        try await run { (server, session) async throws in
            let now = Date()
            let found = try await session.introspectToken(parameters: Self.parameters(server, Self.token(server)))
            #expect(found.isActive)
            #expect(found.scope == "read write")
            #expect(found.clientID == "another" && found.username == "alice" && found.subject == "alice")
            #expect(found.issuer == server.baseURL.absoluteString)
            #expect(found.audience == [server.baseURL.absoluteString])
            #expect(found.tokenType == "Bearer")
            let (issued, expiry) = (try #require(found.issued), try #require(found.expiry))
            #expect(expiry.timeIntervalSince(issued) == 3600)
            #expect(abs(issued.timeIntervalSince(now)) < 60)
        }
    }

    @Test func `an expired, a revoked and a foreign token are inactive, without further members`() async throws {
        try await run { (server, session) async throws in
            let nothing = TokenIntrospectionResults(isActive: false)
            let expired = Self.token(server)
            server.expireAccessTokens()
            let revoked = Self.token(server)
            #expect(try await session.introspectToken(parameters: Self.parameters(server, revoked)).isActive)
            server.endAllSessions()
            var tokens = [expired, revoked, "of another server", ""]
            try await MockAuthorizationServer.run(options: Self.options) { other in tokens.append(Self.token(other)) }
            for token in tokens where !token.isEmpty {
                #expect(try await session.introspectToken(parameters: Self.parameters(server, token)) == nothing)
            }
        }
    }

    @Test func `what the provider publishes is fetched once for a hundred questions`() async throws {
        try await run { (server, session) async throws in
            let parameters = Self.parameters(server, Self.token(server))
            _ = try await session.introspectToken(parameters: parameters)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<100 { group.addTask { try await session.introspectToken(parameters: parameters).isActive } }
                for try await isActive in group { #expect(isActive) }
            }
            #expect(server.statistics.publications == 1)
            #expect(server.statistics.introspections == 101)
        }
    }

    @Test func `a client proves who it is in each way that there is`() async throws {
        try await run { (server, session) async throws in
            var posting = Self.parameters(server, Self.token(server))
            posting.clientID = "posting"
            posting.clientAuthentication = .clientSecretPost
            var keyed = Self.parameters(server, Self.token(server))
            keyed.clientID = "keyed"
            keyed.clientSecret = nil
            keyed.clientKey = Self.key.pemRepresentation
            keyed.tokenTypeHint = "access_token"
            for parameters in [posting, keyed] {
                #expect(try await session.introspectToken(parameters: parameters).isActive)
            }
            #expect(server.statistics.assertions == 1)
        }
    }

    @Test func `a client that is not the one that it says is refused`() async throws {
        try await run { (server, session) async throws in
            var wrong = Self.parameters(server, Self.token(server))
            wrong.clientSecret = "wr0ng"
            var unproved = wrong
            unproved.clientSecret = nil
            for parameters in [wrong, unproved] {
                let error = await #expect(throws: CountersignError.self) {
                    try await session.introspectToken(parameters: parameters)
                }
                #expect(error?.code == .operationRefused && error?.status == 401)
                #expect(error.map { "\($0)" }?.contains("wr0ng") == false)
            }
            #expect(server.statistics.introspections == 0)
        }
    }

    @Test(arguments: [
        MockIntrospectionFault.introspectionBody("no JSON"), .introspectionBody(""), .introspectionBody(#"{"active": true"#),
        .introspection(["active": nil]), .introspection(["active": #""true""#]), .introspection(["active": "1"]),
        .introspection(["active": "[true]"]), .introspection(["exp": #""tomorrow""#]), .introspection(["sub": #""a\nb""#]),
    ])
    func `an answer that says nothing that can be relied on is no answer`(fault: MockIntrospectionFault) async throws {
        try await run { (server, session) async throws in
            let parameters = Self.parameters(server, Self.token(server))
            server.inject(fault)
            #expect(await code { try await session.introspectToken(parameters: parameters) } == .answerRefused)
            #expect(try await session.introspectToken(parameters: parameters).isActive)
        }
    }

    @Test func `what a provider says beside that a token is not good counts for nothing`() async throws {
        try await run { (server, session) async throws in
            let parameters = Self.parameters(server, "unknown")
            server.inject(MockIntrospectionFault.introspection(["sub": #""mallory""#, "scope": #""write""#]))
            #expect(try await session.introspectToken(parameters: parameters) == TokenIntrospectionResults(isActive: false))
        }
    }

    @Test(arguments: [#""https://evil.example/introspect""#, #""http://login.example/introspect""#, #""javascript:alert(1)""#])
    func `an introspection endpoint elsewhere gets no token`(place: String) async throws {
        try await run { (server, session) async throws in
            let parameters = Self.parameters(server, Self.token(server))
            server.inject(MockPublicationFault.metadata(["introspection_endpoint": place]))
            #expect(await code { try await session.introspectToken(parameters: parameters) } == .addressRefused)
            #expect(server.statistics.introspections == 0)
        }
    }

    @Test func `a provider without such an endpoint cannot be asked`() async throws {
        try await run { (server, session) async throws in
            let parameters = Self.parameters(server, Self.token(server))
            server.inject(MockPublicationFault.metadata(["introspection_endpoint": nil]))
            #expect(await code { try await session.introspectToken(parameters: parameters) } == .answerRefused)
        }
    }

    @Test func `parameters show no secret, and neither do results that have none`() async throws {
        try await run { (server, session) async throws in
            let token = Self.token(server)
            let parameters = Self.parameters(server, token)
            let found = try await session.introspectToken(parameters: parameters)
            var text = "\(parameters) \(String(reflecting: parameters)) \(found)"
            dump(parameters, to: &text)
            #expect(!text.contains(token) && !text.contains("s3cret"))
            #expect(text.contains("notes"))
        }
    }

    @Test func `a spec that is executed as it is finds the same out`() async throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Specs/OpenIDConnect").path(percentEncoded: false)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
        let (sources, unreadable) = SpecSources.load(own: files.map { "\(folder)/\($0)" })
        let operation = try DynamicLandscape(sources, unreadable: unreadable).operation(named: "introspectToken")
        try await run { (server, session) async throws in
            let token = Self.token(server)
            var values = ["issuer": [server.baseURL.absoluteString], "clientID": ["notes"], "clientSecret": ["s3cret"]]
            values["token"] = [token]
            let found = try await operation.perform(with: GivenValues(parameters: values), in: session)
            let generated = try await session.introspectToken(parameters: Self.parameters(server, token))
            #expect(found["isActive"] == .text("true"))
            #expect(found["scope"]?.text == generated.scope && found["audience"]?.texts == generated.audience)
            #expect(found["expiry"] != nil && found["clientID"] == .text("another"))
            values["token"] = ["unknown"]
            #expect(try await operation.perform(with: GivenValues(parameters: values), in: session).isEmpty)
            values["token"] = nil
            await #expect(throws: DynamicProblem.self) {
                try await operation.perform(with: GivenValues(parameters: values), in: session)
            }
            await #expect(throws: DynamicProblem.self) {
                try await operation.perform(version: "draft", with: GivenValues(), in: session)
            }
        }
    }
}
