import Countersign
import CountersignAsyncHTTPClient
import CountersignTesting
import Foundation
import HTTPTypes
import OpenIDConnect
import Synchronization
import TestTurns
import Testing

/// Tokens that are bound to a key of the client (DPoP, RFC 9449), on sockets, with proofs that other code verifies.
@Suite(.takesTurns) struct OpenIDProofTests: OpenIDBench {
    static var options: MockOAuth2Options {
        var options = MockOAuth2Options()
        options.openID = MockOpenIDOptions()
        options.scopes = ["openid", "read", "write"]
        var proof = MockProofOptions()
        proof.isRequired = true
        options.proof = proof
        options.clients.append(MockOAuth2Client(id: "reports", secret: "s3cret", grants: [.clientCredentials, .tokenExchange]))
        return options
    }

    private func observer(
        _ server: MockAuthorizationServer, store: (any CredentialStore)? = nil
    ) throws -> OpenIDLoginObserver {
        var parameters = try parameters(server)
        parameters.provesPossession = true
        return OpenIDLoginObserver(parameters: parameters, store: store)
    }

    // MARK: Keys

    @Test func `RT-40 B16 a hundred requests have a proof each of the key that one login has bound their token to`() async throws {
        let user = User()
        try await run(user) { (server, session) async throws in
            session.register(try observer(server))
            server.hold(.prefix("/data"), until: 100)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 { group.addTask { try await call(server, session) } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(server.statistics.proofs == 101)
            server.expireAccessTokens()
            #expect(try await call(server, session) == 200)
            // The proofs of the requests with the expired token, of the renewal, and of the requests with the next token.
            #expect(server.statistics.proofs >= 103)
            #expect(server.statistics.refreshes == 1)
            #expect(user.count == 1)
            #expect(server.statistics.refusals.isEmpty)
        }
    }

    @Test func `the key stays with its token, in the store and in other processes`() async throws {
        let store = MemoryCredentialStore()
        let user = User()
        try await MockAuthorizationServer.run(options: Self.options) { (server) async throws in
            for _ in 0..<3 {
                await withSession(presenter: user) { (session) async throws in
                    session.register(try observer(server, store: store))
                    #expect(try await call(server, session) == 200)
                    server.expireAccessTokens()
                }
            }
            #expect(user.count == 1)
            #expect(server.statistics.refreshes == 2)
        }
    }

    @Test func `the code of a request that was pushed is bound to the key, too`() async throws {
        let change: (inout MockOAuth2Options) -> Void = { options in
            options.openID?.announcesPush = true
            options.requiresPush = true
        }
        try await run(User(), change) { (server, session) async throws in
            session.register(try observer(server))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.pushes == 1)
        }
    }

    /// A server that accepts authorization requests only if they are pushed with a proof.
    private static func provesPushes(_ options: inout MockOAuth2Options) {
        options.openID?.announcesPush = true
        options.requiresPush = true
        options.proof?.isRequiredForPushes = true
    }

    @Test func `a request is pushed with a proof, whose nonce is that of the server's refusal`() async throws {
        let user = User()
        let change: (inout MockOAuth2Options) -> Void = { options in
            Self.provesPushes(&options)
            options.proof?.wantsNonces = true
        }
        try await run(user, change) { (server, session) async throws in
            session.register(try observer(server))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.pushes == 1)
            // The token is requested with the nonce that the push was refused for.
            #expect(server.statistics.refusals == ["use_dpop_nonce": 1])
            // The proofs of the push, of the request for the token, and of the call.
            #expect(server.statistics.proofs == 3)
            #expect(user.count == 1)
        }
    }

    @Test func `each push has a nonce of its own where nonces are good once`() async throws {
        let user = User()
        let change: (inout MockOAuth2Options) -> Void = { options in
            Self.provesPushes(&options)
            options.proof?.wantsNonces = true
            options.proof?.nonceUses = 1
        }
        try await run(user, change) { (server, session) async throws in
            session.register(try observer(server))
            #expect(try await call(server, session) == 200)
            // The answer to the push has the nonce for the token.
            #expect(server.statistics.refusals == ["use_dpop_nonce": 1])
        }
    }

    @Test func `a server that takes no nonce with a push ends the login after one repetition, without a page`() async throws {
        let user = User()
        let change: (inout MockOAuth2Options) -> Void = { options in
            Self.provesPushes(&options)
            options.proof?.wantsNonces = true
            options.proof?.refusesNonces = [.authorizationServer]
        }
        try await run(user, change) { (server, session) async throws in
            session.register(try observer(server))
            #expect(await code { try await call(server, session) } == .refusedByServer)
            #expect(server.statistics.refusals == ["use_dpop_nonce": 2])
            #expect(server.statistics.pushes == 0 && user.count == 0)
        }
    }

    @Test func `a push without a key has no proof`() async throws {
        try await run(User(), Self.provesPushes) { (server, session) async throws in
            session.register(OpenIDLoginObserver(parameters: try parameters(server)))
            #expect(await code { try await call(server, session) } == .refusedByServer)
            #expect(server.statistics.refusals == ["invalid_dpop_proof": 1])
        }
    }

    @Test func `a request that is refused is pushed once for many calls, although each login has a new key`() async throws {
        let user = User()
        let change: (inout MockOAuth2Options) -> Void = { options in
            options.openID?.announcesPush = true
            options.requiresPush = true
        }
        try await run(user, change) { (server, session) async throws in
            var parameters = try parameters(server)
            parameters.provesPossession = true
            parameters.scopes = "openid admin"
            session.register(OpenIDLoginObserver(parameters: parameters))
            for _ in 0..<3 { #expect(await code { try await call(server, session) } == .refusedByServer) }
            #expect(user.count == 0)
            #expect(server.statistics.refusals == ["invalid_scope": 1])
        }
    }

    @Test func `what is stolen on the way is of no use`() async throws {
        try await MockAuthorizationServer.run(options: Self.options) { (server) async throws in
            let transport = ListeningTransport()
            var configuration = SessionConfiguration()
            configuration.presenter = User()
            let session = Session(configuration: configuration, transport: transport)
            session.register(try observer(server))
            #expect(try await call(server, session) == 200)
            let heard = try #require(transport.heard)
            let token = try #require(heard.headerFields[.authorization])
            #expect(token.hasPrefix("DPoP "))
            var withoutProof = heard
            withoutProof.headerFields[try #require(HTTPField.Name("DPoP"))] = nil
            var asBearer = withoutProof
            asBearer.headerFields[.authorization] = "Bearer" + token.dropFirst(4)
            var elsewhere = heard
            elsewhere.path = "/other"
            for request in [heard, withoutProof, asBearer, elsewhere] {
                let thief = Session(transport: transport)
                #expect(try await status(SessionRequest(request), thief) == 401)
            }
            await session.invalidate(cancelling: true)
        }
    }

    @Test func `services, devices and exchanges have keys, too`() async throws {
        try await run { (server, session) async throws in
            session.register(
                OpenIDServiceObserver(
                    parameters: OpenIDServiceParameters(
                        apis: [server.baseURL], issuer: server.baseURL, clientID: "reports", clientSecret: "s3cret",
                        provesPossession: true)))
            for _ in 0..<2 {
                #expect(try await call(server, session) == 200)
                server.expireAccessTokens()
            }
        }
        try await run { (server, session) async throws in
            let token = server.makeAccessToken(for: "alice", scopes: ["read"])
            session.register(
                OpenIDExchangeObserver(
                    parameters: OpenIDExchangeParameters(
                        apis: [server.baseURL], issuer: server.baseURL, clientID: "reports", clientSecret: "s3cret",
                        subjectToken: token, provesPossession: true)))
            #expect(try await call(server, session) == 200)
        }
        try await MockAuthorizationServer.run(options: Self.options) { (server) async throws in
            var configuration = SessionConfiguration()
            configuration.userCodePresenter = MockDeviceUser("alice", at: server)
            let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport())
            session.register(
                OpenIDDeviceObserver(
                    parameters: OpenIDDeviceParameters(
                        apis: [server.baseURL], issuer: server.baseURL, clientID: "television", provesPossession: true)))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.proofs >= 2)
            await session.invalidate(cancelling: true)
        }
    }

    @Test func `a scope that a bound token lacks is asked for, and the key of the new token is another`() async throws {
        let user = User()
        try await run(user, { $0.requiredScopes = ["/data/write": "write"] }) { (server, session) async throws in
            var parameters = try parameters(server)
            parameters.provesPossession = true
            parameters.scopes = "openid read"
            session.register(OpenIDLoginObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
            #expect(try await call(server, session, "data/write") == 200)
            #expect(try await call(server, session) == 200)
            #expect(user.count == 2)
        }
    }

    // MARK: Nonces

    @Test func `nonces are taken from refusals of both servers, and cost one repetition each`() async throws {
        let user = User()
        try await run(user, { $0.proof?.wantsNonces = true }) { (server, session) async throws in
            session.register(try observer(server))
            for _ in 0..<3 { #expect(try await call(server, session) == 200) }
            #expect(server.statistics.refusals == ["use_dpop_nonce": 1])
            // The first request had no token, and the second no nonce.
            #expect(server.statistics.challenges == 2)
            #expect(user.count == 1)
        }
    }

    @Test func `a nonce that is good once is replaced each time, whichever request uses it up`() async throws {
        let user = User()
        let change: (inout MockOAuth2Options) -> Void = { options in
            options.proof?.wantsNonces = true
            options.proof?.nonceUses = 1
        }
        try await run(user, change) { (server, session) async throws in
            session.register(try observer(server))
            for _ in 0..<5 { #expect(try await call(server, session) == 200) }
            #expect(user.count == 1)
            #expect(server.statistics.resources == 5)
            // A token and a nonce expire at once: one challenge for each, in one request.
            server.expireAccessTokens()
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.refreshes == 1)
            #expect(user.count == 1)
        }
    }

    @Test func `requests that are under way at one time do not use up each other's nonces`() async throws {
        let change: (inout MockOAuth2Options) -> Void = { options in
            options.proof?.wantsNonces = true
            options.proof?.nonceUses = 1
        }
        try await run(User(), change) { (server, session) async throws in
            session.register(try observer(server))
            server.hold(.prefix("/data"), until: 50)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<50 { group.addTask { try await call(server, session) } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(server.statistics.resources == 50)
            #expect(server.statistics.tokenAnswers == [.authorizationCode: 1])
        }
    }

    @Test func `an authorization server that takes no nonce ends the login after one repetition`() async throws {
        let user = User()
        let change: (inout MockOAuth2Options) -> Void = { options in
            options.proof?.wantsNonces = true
            options.proof?.refusesNonces = [.authorizationServer]
        }
        try await run(user, change) { (server, session) async throws in
            session.register(try observer(server))
            #expect(await code { try await call(server, session) } == .refusedByServer)
            #expect(server.statistics.refusals == ["use_dpop_nonce": 2])
            #expect(user.count == 1)
        }
    }

    @Test func `a resource that takes no nonce ends the request after three repetitions, and costs no token`() async throws {
        let user = User()
        let change: (inout MockOAuth2Options) -> Void = { options in
            options.proof?.wantsNonces = true
            options.proof?.refusesNonces = [.resources]
        }
        try await run(user, change) { (server, session) async throws in
            session.register(try observer(server))
            for _ in 0..<2 { #expect(await code { try await call(server, session) } == .challengedAgain) }
            // One challenge without a token, and four with one. The next request carries a token from the beginning.
            #expect(server.statistics.challenges == 1 + 4 + 4)
            #expect(server.statistics.tokenAnswers == [.authorizationCode: 1])
            #expect(user.count == 1)
        }
    }

    @Test func `a resource that finds fault with proofs ends the request, and costs no token`() async throws {
        let user = User()
        try await run(user, { $0.proof?.refusesProofs = [.resources] }) { (server, session) async throws in
            session.register(try observer(server))
            for _ in 0..<2 {
                let error = await #expect(throws: CountersignError.self) { try await call(server, session) }
                #expect(error?.code == .refusedByServer && error?.detail.contains("invalid_dpop_proof") == true)
            }
            #expect(server.statistics.tokenAnswers == [.authorizationCode: 1])
            #expect(user.count == 1)
        }
    }

    // MARK: Downgrades

    @Test(arguments: ["Bearer", "bearer", "mac"]) func `RT-40 a token that is bound to no key is not used where one was asked for`(
        type: String
    ) async throws {
        let change: (inout MockOAuth2Options) -> Void = { options in
            options.proof = nil
            options.tokenType = type
        }
        try await run(User(), change) { (server, session) async throws in
            session.register(try observer(server))
            #expect(await code { try await call(server, session) } == .unexpectedAnswer)
            #expect(server.statistics.resources == 0)
        }
    }

    @Test func `a token that is said to be bound is not used without a key`() async throws {
        let change: (inout MockOAuth2Options) -> Void = { options in
            options.proof = nil
            options.tokenType = "DPoP"
        }
        try await run(User(), change) { (server, session) async throws in
            session.register(OpenIDLoginObserver(parameters: try parameters(server)))
            #expect(await code { try await call(server, session) } == .unexpectedAnswer)
            #expect(server.statistics.resources == 0)
        }
    }
}

/// Sends requests, and keeps the last one to a resource with a token.
private final class ListeningTransport: HTTPTransport {
    private let transport = AsyncHTTPClientTransport()
    private let last = Mutex<HTTPRequest?>(nil)

    var heard: HTTPRequest? { last.withLock { $0 } }

    func send(_ request: SessionRequest) async throws -> SessionResponse {
        if request.head.path == "/data", request.head.headerFields.contains(.authorization) {
            last.withLock { $0 = $0 ?? request.head }
        }
        return try await transport.send(request)
    }

    func shutdown() async throws { try await transport.shutdown() }
}
