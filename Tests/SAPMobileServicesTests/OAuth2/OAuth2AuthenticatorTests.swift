import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import Synchronization
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The authenticator used directly, and inside a type of the application.
@Suite(.takesTurns) struct OAuth2AuthenticatorTests {
    @Test func `the default session has the description of the seeds, and connections of its own`() {
        let session = OAuth2Authenticator.defaultSAPURLSession()
        #expect(session.sessionDescription == "OAuth 2.0")
        #expect(session !== OAuth2Authenticator.defaultSAPURLSession())
        session.invalidateAndCancel()
    }

    @Test func `S4 authenticate and refresh, with completion handlers`() async throws {
        try await OAuth2Bench.run { bench in
            let authenticator = OAuth2Authenticator(authenticationParameters: try bench.parameters, urlSession: bench.session)
            let first = try await token { authenticator.authenticate(completionHandler: $0) }
            #expect(first.tokenType == "Bearer")
            #expect(first.refreshToken != nil)
            #expect(first.expiryDate != nil)
            let second = try await token { authenticator.refresh(token: first, completionHandler: $0) }
            #expect(second.accessToken != first.accessToken)
            #expect(second.refreshToken != first.refreshToken)
            #expect(bench.counted.tokenAnswers == [.authorizationCode: 1, .refreshToken: 1])
        }
    }

    @Test func `S4 a refresh token that was used is the server's error`() async throws {
        try await OAuth2Bench.run { bench in
            let authenticator = OAuth2Authenticator(using: try bench.parameters, urlSession: bench.session)
            let first = try await authenticator.authenticate()
            _ = try await authenticator.refresh(token: first)
            do {
                _ = try await authenticator.refresh(token: first)
                Issue.record("used twice")
            } catch let error as OAuth2Error {
                #expect(error.serverError?.code == "invalid_grant")
                #expect(error.failureReason?.contains("invalid_grant") == true)
            }
        }
    }

    @Test func `an application's own authentication gets and renews tokens`() async throws {
        try await OAuth2Bench.run { bench in
            let inner = OAuth2Authenticator(authenticationParameters: try bench.parameters, sapURLSession: bench.session)
            let own = OwnAuthentication(inner)
            bench.session.register(OAuth2Observer(authenticator: own, tokenStore: bench.store))
            #expect(try await bench.user() == "alice")
            bench.mock.expireAccessTokens()
            #expect(try await bench.user() == "alice")
            #expect(own.calls == ["authenticate", "refresh"])
            bench.mock.endAllSessions()
            #expect((await bench.error() as? OAuth2ServerError)?.code == "invalid_grant")
            #expect(try await bench.user() == "alice")
            #expect(own.calls == ["authenticate", "refresh", "refresh", "authenticate"])
        }
    }

    @Test func `a subclass decides what a challenge is`() async throws {
        try await OAuth2Bench.run { bench in
            let observer = ForbiddenObserver(authenticationParameters: try bench.parameters, tokenStore: bench.store)
            bench.session.register(observer)
            bench.mock.inject(.status(403), matching: "/orders")
            #expect(try await bench.user() == "alice")
            #expect(observer.asked > 0)
        }
    }

    @Test func `a server that is not protected gets no token, whatever it asks for`() async throws {
        try await OAuth2Bench.run { bench in
            let observer = OAuth2Observer(
                authenticationParameters: try bench.parameters, tokenStore: bench.store, protectedURLs: [bench.mock.baseURL])
            bench.session.register(observer)
            #expect(try await bench.user() == "alice")
            try await OAuth2Bench.run { other in
                let url = other.mock.baseURL.appending(path: "orders")
                let (_, response) = try await bench.session.data(from: url)
                #expect((response as? HTTPURLResponse)?.statusCode == 401)
            }
            #expect(bench.counted.tokenAnswers == [.authorizationCode: 1])
        }
    }

    @Test func `a renewal asked for on the observed session is one request, and takes no token along`() async throws {
        try await OAuth2Bench.run { bench in
            let authenticator = OAuth2Authenticator(
                authenticationParameters: try bench.parameters, sapURLSession: bench.session)
            bench.session.register(OAuth2Observer(authenticator: authenticator, tokenStore: bench.store))
            #expect(try await bench.user() == "alice")
            let token = try #require(bench.store.token(for: try bench.root))
            async let first = authenticator.refresh(token: token)
            async let second = authenticator.refresh(token: token)
            let (one, other) = try await (first, second)
            #expect(one == other)
            #expect(bench.counted.refreshTokenReuses == 0)
            #expect(bench.counted.tokenRequests[.refreshToken] == 1)
        }
    }

    @Test func `a token without a refresh token cannot be refreshed`() async throws {
        try await OAuth2Bench.run { bench in
            let authenticator = OAuth2Authenticator(authenticationParameters: try bench.parameters, sapURLSession: bench.session)
            await #expect(throws: OAuth2Error.self) {
                try await authenticator.refresh(token: OAuth2Token(accessToken: "a", tokenType: "Bearer"))
            }
            #expect(bench.counted.tokenRequests == [:])
        }
    }

    @Test func `RT-31 the token does not follow a redirect to another origin`() async throws {
        try await OAuth2Bench.run { bench in
            try bench.registerCode()
            #expect(try await bench.user() == "alice")
            try await OAuth2Bench.run { other in
                bench.mock.inject(.redirect(to: other.mock.baseURL.absoluteString + "/orders"), matching: "/orders")
                let (_, response) = try await bench.session.data(from: bench.mock.baseURL.appending(path: "orders"))
                #expect((response as? HTTPURLResponse)?.statusCode == 401)
                #expect(other.counted.tokenRequests == [:])
            }
        }
    }

    @Test func `a request of the application's own with an Authorization field is left alone`() async throws {
        try await OAuth2Bench.run { bench in
            try bench.registerCode()
            var request = URLRequest(url: bench.mock.baseURL.appending(path: "orders"))
            request.setValue("Bearer mine", forHTTPHeaderField: "Authorization")
            let (_, response) = try await bench.session.data(for: request)
            #expect((response as? HTTPURLResponse)?.statusCode == 401)
            #expect(bench.counted.tokenRequests == [:])
        }
    }

    private func token(
        _ start: (@escaping @Sendable (OAuth2Token?, (any Error)?) -> Void) -> Void
    ) async throws -> OAuth2Token {
        try await withCheckedThrowingContinuation { continuation in
            start { token, error in
                if let token {
                    continuation.resume(returning: token)
                } else {
                    continuation.resume(throwing: error ?? CancellationError())
                }
            }
        }
    }
}

/// Gets tokens from the generated authenticator, and records its own calls.
private final class OwnAuthentication: OAuth2Authentication {
    private let inner: OAuth2Authenticator
    private let state = Mutex<[String]>([])
    var calls: [String] { state.withLock { $0 } }

    init(_ inner: OAuth2Authenticator) { self.inner = inner }

    func authenticate(completionHandler: @escaping @Sendable (_ token: OAuth2Token?, _ error: (any Error)?) -> Void) {
        state.withLock { $0.append("authenticate") }
        inner.authenticate(completionHandler: completionHandler)
    }

    func refresh(
        token: OAuth2Token, completionHandler: @escaping @Sendable (_ newToken: OAuth2Token?, _ error: (any Error)?) -> Void
    ) {
        state.withLock { $0.append("refresh") }
        inner.refresh(token: token, completionHandler: completionHandler)
    }

    func cancelAuthentication() { inner.cancelAuthentication() }
}

/// An observer that also treats status code 403 as a challenge.
private final class ForbiddenObserver: OAuth2Observer, @unchecked Sendable {
    private let count = Mutex(0)
    var asked: Int { count.withLock { $0 } }

    override func isChallenge(dataTask: SAPURLSessionTask, response: URLResponse) -> Bool {
        count.withLock { $0 += 1 }
        return (response as? HTTPURLResponse)?.statusCode == 403 || super.isChallenge(dataTask: dataTask, response: response)
    }
}
