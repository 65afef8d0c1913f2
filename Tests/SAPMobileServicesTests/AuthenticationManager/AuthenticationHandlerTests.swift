import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import Synchronization
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// M32: the time between the success of a login and the release of the waiting requests, for cookies and for tokens.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `An authentication handler` {
    /// The method whose observer has the handler.
    enum Kind: String, CaseIterable { case saml, oauth2 }

    private func withSession(
        _ kind: Kind, handler: any AuthenticationHandling, users: [any WebPresenter] = [],
        change: (inout SAPURLSession.Configuration) -> Void = { _ in },
        _ body: (MockLandscape, SAPURLSession, MemoryTokenStore) async throws -> Void
    ) async throws {
        var options = MockOptions()
        options.protection = kind == .saml ? "SAML" : "OAuth2"
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { mock in
            var configuration = SAPURLSession.Configuration()
            configuration.presenter = FormFillingPresenter(user: "alice", password: "wonderland")
            configuration.transport.maximumConnectionsPerHost = 100
            change(&configuration)
            let session = SAPURLSession(configuration: configuration)
            let settings = SAPcpmsSettingsParameters(
                backendURL: mock.baseURL, applicationID: "com.example.app")
            let store = MemoryTokenStore()
            switch kind {
            case .saml:
                let observer = SAMLObserver(settingsParameters: settings)
                observer.authenticationHandler = handler
                session.register(observer)
            case .oauth2:
                let parameters = OAuth2AuthenticationParameters(
                    settingsParameters: settings, clientID: "countersign",
                    redirectURL: try #require(URL(string: "com.example.countersign://oauth2/callback")))
                let observer = OAuth2Observer(authenticationParameters: parameters, tokenStore: store)
                observer.authenticationHandler = handler
                session.register(observer)
            }
            do {
                try await body(mock, session, store)
            } catch {
                session.invalidateAndCancel()
                throw error
            }
            session.invalidateAndCancel()
        }
    }

    private func user(_ session: SAPURLSession, _ mock: MockLandscape) async throws -> String {
        let (data, _) = try await session.data(from: mock.baseURL.appending(path: "orders"))
        return try JSONDecoder().decode(MockResource.self, from: data).user
    }

    private func expectAlice(_ session: SAPURLSession, _ mock: MockLandscape) async throws {
        let user = try await user(session, mock)
        #expect(user == "alice")
    }

    private func expectNoToken(_ store: MemoryTokenStore, _ mock: MockLandscape) throws {
        let token = store.token(for: try #require(URL(string: "\(mock.baseURL)/")))
        #expect(token == nil)
    }

    private func users(_ count: Int, _ session: SAPURLSession, _ mock: MockLandscape) async
        -> [Result<String, any Error>]
    {
        mock.hold("/orders", until: count, limit: .seconds(30))
        return await withTaskGroup(of: Result<String, any Error>.self) { group in
            for _ in 0..<count {
                group.addTask {
                    do { return .success(try await user(session, mock)) } catch { return .failure(error) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test(arguments: Kind.allCases)
    func `M32 a hundred requests wait for a slow handler, which is asked once`(_ kind: Kind)
        async throws
    {
        let answers = Mutex<[@Sendable ((any Error)?) -> Void]>([])
        let handler = Handler { _, _, _, answer in answers.withLock { $0.append(answer) } }
        try await withSession(kind, handler: handler) { mock, session, store in
            let results = Task { await users(100, session, mock) }
            while answers.withLock({ $0.isEmpty }) { await Task.yield() }
            // The login has succeeded at the server, but has no effect on the client yet.
            #expect(mock.statistics.resources == 0)
            #expect(session.cookieStorage.cookies.filter { $0.name == "X-SMP-SESSID" }.isEmpty)
            try expectNoToken(store, mock)
            answers.withLock { $0.first }?(nil)
            #expect(await results.value.allSatisfy { (try? $0.get()) == "alice" })
            #expect(answers.withLock { $0.count } == 1)
            #expect(mock.statistics.resources == 100)
            try await expectAlice(session, mock)
            #expect(answers.withLock { $0.count } == 1)
        }
    }

    @Test(arguments: Kind.allCases, [false, true])
    func
        `M32 a handler asks the server with the new credential, from its own task and from elsewhere`(
            _ kind: Kind, isElsewhere: Bool
        ) async throws
    {
        let seen = Mutex<[String]>([])
        let handler = Handler { _, session, identifier, answer in
            let send: @Sendable () -> Void = {
                let url = session.sessionDescription.flatMap { URL(string: $0) } ?? URL(filePath: "/")
                let task = session.dataTask(with: url.appending(path: "me")) { data, _, error in
                    let user = data.flatMap { try? JSONDecoder().decode(MockResource.self, from: $0) }?.user
                    seen.withLock { $0.append(user ?? "\(error.map { "\($0)" } ?? "challenged")") }
                    answer(nil)
                }
                if isElsewhere { task.requestBypassIdentifier = identifier }
                task.resume()
            }
            // A thread outside the task in which the handler was called.
            if isElsewhere { Thread.detachNewThread(send) } else { send() }
        }
        try await withSession(kind, handler: handler) { mock, session, _ in
            session.sessionDescription = mock.baseURL.absoluteString
            try await expectAlice(session, mock)
            #expect(seen.withLock { $0 } == ["alice"])
            #expect(mock.statistics.sends["/me"] == 1)
        }
    }

    @Test(arguments: Kind.allCases)
    func
        `M32 a handler that refuses fails all requests with its error, and nothing of the login is kept`(
            _ kind: Kind
        ) async throws
    {
        struct Refused: Error {}
        let handler = Handler { _, _, _, answer in answer(Refused()) }
        try await withSession(kind, handler: handler) { mock, session, store in
            for result in await users(20, session, mock) {
                #expect(throws: Refused.self) { try result.get() }
            }
            #expect(handler.asked >= 1)
            #expect(handler.failures.count == handler.asked)
            #expect(handler.failures.allSatisfy { $0 is Refused })
            #expect(mock.statistics.resources == 0)
            #expect(session.cookieStorage.cookies.isEmpty)
            try expectNoToken(store, mock)
        }
    }

    @Test(arguments: Kind.allCases)
    func `M32 a handler that never answers ends with the authentication's limit`(_ kind: Kind)
        async throws
    {
        let kept = Mutex<[@Sendable ((any Error)?) -> Void]>([])
        let handler = Handler { _, _, _, answer in kept.withLock { $0.append(answer) } }
        let limit = Duration.seconds(2)
        try await withSession(kind, handler: handler, change: { $0.session.interactiveTimeout = limit }) { mock, session, store in
            let error = await #expect(throws: CountersignError.self) { try await user(session, mock) }
            #expect(error?.code == .timedOut)
            // A late answer has no effect.
            kept.withLock { $0.first }?(nil)
            #expect(session.cookieStorage.cookies.isEmpty)
            try expectNoToken(store, mock)
        }
    }

    @Test(arguments: Kind.allCases)
    func `M32 a handler that is released without an answer has refused`(_ kind: Kind) async throws {
        let handler = Handler { _, _, _, _ in }
        try await withSession(kind, handler: handler) { mock, session, _ in
            let error = await #expect(throws: CountersignError.self) { try await user(session, mock) }
            #expect(error?.code == .refusedByObserver)
        }
    }

    @Test func `M32 the renewal of a token is no login`() async throws {
        let handler = Handler { _, _, _, answer in answer(nil) }
        try await withSession(.oauth2, handler: handler) { mock, session, _ in
            try await expectAlice(session, mock)
            mock.expireAccessTokens()
            try await expectAlice(session, mock)
            #expect(handler.asked == 1)
        }
    }
}

/// A handler that runs a test's function, and counts its calls.
final class Handler: AuthenticationHandling {
    typealias Answer = @Sendable ((any Error)?) -> Void
    private let handle: @Sendable (any SAPURLSessionObserving, SAPURLSession, UUID, @escaping Answer) -> Void
    private let state = Mutex((asked: 0, failures: [any Error]()))

    init(
        _ handle:
            @escaping @Sendable (any SAPURLSessionObserving, SAPURLSession, UUID, @escaping Answer) ->
            Void
    ) {
        self.handle = handle
    }

    var asked: Int { state.withLock { $0.asked } }
    var failures: [any Error] { state.withLock { $0.failures } }

    func authenticationObserver(
        _ observer: any SAPURLSessionObserving, didAuthenticate session: SAPURLSession,
        requestBypassIdentifier: UUID,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        state.withLock { $0.asked += 1 }
        handle(observer, session, requestBypassIdentifier, completionHandler)
    }

    func authenticationObserver(
        _ observer: any SAPURLSessionObserving, didFailToAuthenticate session: SAPURLSession,
        error: any Error
    ) { state.withLock { $0.failures.append(error) } }
}
