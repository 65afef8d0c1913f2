import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import TestTurns
import Testing

/// Two authorization servers of one session whose responses could be confused (RFC 9700, section 4.4).
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct MixUpTests {
    private static let otherRedirect = "com.example.countersign://oauth2/other"

    /// A session with an observer for each of two servers.
    private struct Pair {
        let first: OAuth2Bench
        let second: OAuth2Bench
        let observers: [OAuth2Observer]
        var session: SAPURLSession { first.session }

        init(
            _ first: OAuth2Bench, _ second: OAuth2Bench, presenter: (any WebPresenter)? = nil,
            _ change: (inout OAuth2AuthenticationParameters, inout OAuth2AuthenticationParameters) throws -> Void
        ) throws {
            self.first = first
            self.second = second
            var (own, other) = (try first.parameters, try second.parameters)
            try change(&own, &other)
            observers = zip([own, other], [first, second]).map { parameters, bench in
                OAuth2Observer(
                    authenticationParameters: parameters, tokenStore: bench.store, webViewPresenter: presenter,
                    protectedURLs: [bench.mock.baseURL])
            }
            for observer in observers { first.session.register(observer) }
        }

        func user(of bench: OAuth2Bench) async throws -> String {
            let (data, _) = try await session.data(from: bench.mock.baseURL.appending(path: "orders"))
            return try JSONDecoder().decode(MockResource.self, from: data).user
        }

        var hasAskedNobody: Bool {
            [first, second].allSatisfy { $0.counted.authorizationRequests == 0 && $0.counted.tokenRequests == [:] }
        }
    }

    private func run(_ body: (OAuth2Bench, OAuth2Bench) async throws -> Void) async throws {
        let options = { @Sendable (options: inout MockOAuth2Options) in
            options.clients[0].redirectURIs.append(Self.otherRedirect)
        }
        try await OAuth2Bench.run(oauth2: options) { first in
            try await OAuth2Bench.run(oauth2: options) { second in try await body(first, second) }
        }
    }

    enum Issuers: CaseIterable { case none, first, second, same }

    @Test(arguments: Issuers.allCases)
    func `B3 RT-37 two servers with one redirect URL are refused unless both have an issuer of their own`(
        issuers: Issuers
    ) async throws {
        try await run { first, second in
            let pair = try Pair(first, second) { parameters, others in
                let issuer = first.mock.baseURL.absoluteString
                if issuers == .first || issuers == .same { parameters.issuer = issuer }
                if issuers == .second { others.issuer = second.mock.baseURL.absoluteString }
                if issuers == .same { others.issuer = issuer }
            }
            for bench in [first, second] {
                let error = await #expect(throws: CountersignError.self) { try await pair.user(of: bench) }
                #expect(error?.code == .sharedRedirect)
                #expect(error?.origin == Origin(bench.mock.baseURL))
                for server in [first, second] {
                    #expect(error?.detail.contains("\(server.mock.baseURL.absoluteString)/oauth2/api/v1/authorize") == true)
                }
            }
            #expect(pair.hasAskedNobody)
            // With one server left, its response cannot be confused with another's.
            pair.session.unregister(pair.observers[1])
            #expect(try await pair.user(of: first) == "alice")
        }
    }

    @Test func `B3 two servers that name themselves may share a redirect URL`() async throws {
        try await run { first, second in
            let pair = try Pair(first, second) { parameters, others in
                parameters.issuer = first.mock.baseURL.absoluteString
                others.issuer = second.mock.baseURL.absoluteString
            }
            #expect(try await pair.user(of: first) == "alice")
            #expect(try await pair.user(of: second) == "alice")
        }
    }

    @Test func `B4 two servers with redirect URLs of their own need no issuer`() async throws {
        try await run { first, second in
            let pair = try Pair(first, second) { _, others in others.redirectURL = try #require(URL(string: Self.otherRedirect)) }
            #expect(try await pair.user(of: first) == "alice")
            #expect(try await pair.user(of: second) == "alice")
        }
    }

    @Test func `B3 a redirect URL of this machine is shared whatever its port, for presenters choose it`() async throws {
        try await run { first, second in
            let pair = try Pair(first, second) { parameters, others in
                parameters.redirectURL = try #require(URL(string: "http://127.0.0.1:4001/callback"))
                others.redirectURL = try #require(URL(string: "http://[::1]:4002/callback"))
            }
            let error = await #expect(throws: CountersignError.self) { try await pair.user(of: first) }
            #expect(error?.code == .sharedRedirect)
            #expect(pair.hasAskedNobody)
        }
    }

    @Test func `two observers of one server share what they like`() async throws {
        try await run { first, _ in
            let pair = try Pair(first, first) { _, _ in }
            #expect(try await pair.user(of: first) == "alice")
        }
    }

    /// A presenter that logs in, and returns the response at another redirect URI, with its code and its state.
    private struct StrayingPresenter: WebPresenter {
        func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
            let result = try await FormFillingPresenter(user: "alice", password: "wonderland").present(presentation)
            let strayed = result.finishURL.absoluteString.replacing("oauth2/callback", with: "oauth2/other")
            return WebPresentationResult(finishURL: try #require(URL(string: strayed)), cookies: result.cookies)
        }
    }

    @Test func `B4 an answer that comes to the redirect URL of another server is refused, whatever its state`() async throws {
        try await run { first, second in
            let pair = try Pair(first, second, presenter: StrayingPresenter()) { _, others in
                others.redirectURL = try #require(URL(string: Self.otherRedirect))
            }
            let error = await #expect(throws: CountersignError.self) { try await pair.user(of: first) }
            #expect(error?.code == .presenterFailed)
            #expect(first.counted.authorizations == 1 && first.counted.tokenRequests == [:])
            #expect(second.counted.tokenRequests == [:])
        }
    }
}
