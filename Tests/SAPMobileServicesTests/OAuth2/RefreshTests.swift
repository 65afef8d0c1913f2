import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An expired token is renewed once for all requests that need it, and a network failure logs no user out.
@Suite(.takesTurns) struct `Renewal by the generated client` {
    /// Logs in, then invalidates the access token at the server.
    private func expire(_ bench: OAuth2Bench) async throws {
        #expect(try await bench.user() == "alice")
        bench.mock.expireAccessTokens()
        bench.mock.resetStatistics()
    }

    /// Replaces the stored token by one that expired a minute ago, as the next process would read it.
    private func makeStale(_ bench: OAuth2Bench) throws {
        let token = try #require(bench.store.token(for: try bench.root))
        let stale = OAuth2Token(
            accessToken: token.accessToken, tokenType: token.tokenType, expiryDate: Date(timeIntervalSinceNow: -60),
            scopes: token.scopes, refreshToken: token.refreshToken)
        try bench.store.store(token: stale, for: bench.root)
    }

    @Test func `RT-01 a hundred requests with an expired token take one renewal, and no refresh token is used twice`() async throws
    {
        try await OAuth2Bench.run { bench in
            try bench.registerCode()
            try await expire(bench)
            let users = await bench.users(100)
            #expect(users.allSatisfy { (try? $0.get()) == "alice" })
            #expect(bench.counted.challenges == 100)
            #expect(bench.counted.tokenAnswers == [.refreshToken: 1])
            #expect(bench.counted.refreshTokenReuses == 0)
        }
    }

    @Test func `B17 M12 refresh tokens that are replaced at each use are used once each`() async throws {
        try await OAuth2Bench.run { bench in
            try bench.registerCode()
            for _ in 0..<4 {
                try await expire(bench)
                #expect(try await bench.user() == "alice")
                #expect(bench.counted.tokenAnswers == [.refreshToken: 1])
            }
            #expect(bench.counted.refreshTokenReuses == 0)
        }
    }

    @Test func `a token that is known to be stale is renewed before sending, so a body that exists once goes through`()
        async throws
    {
        try await OAuth2Bench.run { bench in
            try bench.registerCode()
            #expect(try await bench.user() == "alice")
            try makeStale(bench)
            bench.mock.expireAccessTokens()
            bench.mock.resetStatistics()
            let next = SAPURLSession()
            next.register(OAuth2Observer(authenticationParameters: try bench.parameters, tokenStore: bench.store))
            var request = URLRequest(url: bench.mock.baseURL.appending(path: "upload"))
            request.httpMethod = "POST"
            let bytes = AsyncThrowingStream<[UInt8], any Error> { continuation in
                continuation.yield(Array("once".utf8))
                continuation.finish()
            }
            let (data, _) = try await next.upload(for: request, body: .once(length: 4, bytes))
            #expect(try JSONDecoder().decode(MockResource.self, from: data).bodyLength == 4)
            #expect(bench.counted.challenges == 0)
            #expect(bench.counted.tokenAnswers == [.refreshToken: 1])
            next.invalidateAndCancel()
        }
    }

    @Test(arguments: [
        MockTokenFault.status(503), .status(429, retryAfter: "0"), .status(500), .connectionReset, .html,
        .error("temporarily_unavailable", status: 400), .error("invalid_grant", status: 503),
    ])
    func `RT-22 RT-24 a token endpoint in trouble logs nobody out`(fault: MockTokenFault) async throws {
        try await OAuth2Bench.run { bench in
            try bench.registerCode()
            try await expire(bench)
            bench.mock.inject(tokenFault: fault, for: .refreshToken, times: 2)
            #expect(await bench.error() is OAuth2Error)
            bench.mock.removeFaults()
            #expect(try await bench.user() == "alice")
            #expect(bench.counted.tokenAnswers[.authorizationCode] == nil, "nobody had to log in")
            #expect(bench.counted.tokenAnswers[.refreshToken] == 1)
        }
    }

    @Test func `RT-41 a request whose token cannot be renewed is not sent without one`() async throws {
        try await OAuth2Bench.run { bench in
            try bench.registerCode()
            #expect(try await bench.user() == "alice")
            try makeStale(bench)
            bench.mock.resetStatistics()
            bench.mock.inject(tokenFault: .status(503), for: .refreshToken, times: .max)
            let next = SAPURLSession()
            next.register(OAuth2Observer(authenticationParameters: try bench.parameters, tokenStore: bench.store))
            await #expect(throws: OAuth2Error.self) {
                try await next.data(from: bench.mock.baseURL.appending(path: "orders"))
            }
            #expect(bench.mock.statistics.sends["/orders"] == nil)
            next.invalidateAndCancel()
        }
    }

    @Test func `RT-08 of many requests all get the one attempt's error`() async throws {
        try await OAuth2Bench.run { bench in
            try bench.registerCode()
            try await expire(bench)
            bench.mock.inject(tokenFault: .status(503), for: .refreshToken, times: .max)
            let users = try await bench.usersWaiting(20)
            for user in users {
                guard case .failure(let error as OAuth2Error) = user, case .http(_, let statusCode, let body) = error else {
                    Issue.record("\(user)")
                    continue
                }
                #expect(statusCode == 503)
                #expect(body == "")
            }
            #expect(bench.counted.tokenRequests == [.refreshToken: 1])
        }
    }

    @Test func `RT-22 Retry-After is a pause for all`() async throws {
        try await OAuth2Bench.run { bench in
            try bench.registerCode()
            try await expire(bench)
            bench.mock.inject(tokenFault: .status(429, retryAfter: "60"), for: .refreshToken)
            #expect(await bench.error() is OAuth2Error)
            #expect(await bench.error() is OAuth2Error)
            #expect(bench.counted.tokenRequests == [.refreshToken: 1])
        }
    }

    @Test(arguments: [MockTokenFault.lostAnswer, .truncatedBody])
    func `RT-23 a lost answer is asked for once more, at once, where the server allows it`(fault: MockTokenFault) async throws {
        try await OAuth2Bench.run(oauth2: { $0.reuseLeeway = .seconds(30) }) { bench in
            try bench.registerCode()
            try await expire(bench)
            bench.mock.inject(tokenFault: fault, for: .refreshToken)
            #expect(try await bench.user() == "alice")
            #expect(bench.counted.tokenRequests == [.refreshToken: 2])
            #expect(bench.counted.tokenRequests[.authorizationCode] == nil)
        }
    }

    // The XSUAA is a variant of Cloud Foundry's UAA, which refuses an expired refresh token with a code of its own.
    @Test(arguments: ["invalid_grant", "invalid_token"])
    func `RT-21 a session that has ended at the server ends here once, and the next request logs in`(code: String) async throws {
        try await OAuth2Bench.run(oauth2: { $0.oddities.refreshRefusal = code }) { bench in
            try bench.registerCode()
            try await expire(bench)
            bench.mock.endAllSessions()
            let users = try await bench.usersWaiting(10)
            for user in users {
                guard case .failure(let error as OAuth2Error) = user, case .server(let server) = error else {
                    Issue.record("\(user)")
                    continue
                }
                #expect(server.code == code)
            }
            #expect(bench.counted.tokenRequests == [.refreshToken: 1])
            #expect(bench.events.all.count { $0 == .expired } == 1)
            #expect(try await bench.user() == "alice")
            #expect(bench.counted.tokenAnswers == [.authorizationCode: 1])
        }
    }

    @Test func `M7 a logout forgets the token`() async throws {
        try await OAuth2Bench.run { bench in
            try bench.registerCode()
            #expect(try await bench.user() == "alice")
            bench.session.endSession()
            #expect(try await bench.user() == "alice")
            #expect(bench.counted.tokenAnswers == [.authorizationCode: 2])
        }
    }

    @Test func `a token in the store spares the login`() async throws {
        try await OAuth2Bench.run { bench in
            try bench.registerCode()
            #expect(try await bench.user() == "alice")
            var configuration = SAPURLSession.Configuration()
            configuration.session.requestTimeout = .seconds(300)
            let next = SAPURLSession(configuration: configuration)
            next.register(OAuth2Observer(authenticationParameters: try bench.parameters, tokenStore: bench.store))
            let (_, response) = try await next.data(from: bench.mock.baseURL.appending(path: "orders"))
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            #expect(bench.counted.tokenAnswers == [.authorizationCode: 1])
            next.invalidateAndCancel()
        }
    }
}
