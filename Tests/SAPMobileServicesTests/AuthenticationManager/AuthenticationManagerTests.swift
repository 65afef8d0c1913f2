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

/// M32: a login of another user is detected, and rejected unless the application accepts the user.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `The authentication manager` {
    private struct Bench {
        let mock: MockLandscape
        let session: SAPURLSession
        let settings: SAPcpmsSettingsParameters
        let presenter: ChangingPresenter
        let store: KeyStore
        let delegate: Delegate
        let manager: SAPcpmsAuthenticationManager

        func user() async throws -> String {
            let (data, _) = try await session.data(from: mock.baseURL.appending(path: "orders"))
            return try JSONDecoder().decode(MockResource.self, from: data).user
        }

        func expectUser(_ name: String) async throws {
            let user = try await user()
            #expect(user == name)
        }

        func expectStored(_ id: String?) throws {
            let stored = try store.get(String.self, for: manager.currentUserIDKey)
            #expect(stored == id)
        }

        /// Ends the session at the server, so that the next request has to log in.
        func expire() { mock.endAllSessions() }
    }

    private func run(
        store: KeyStore = KeyStore(), users: [String: String] = [:], _ body: (Bench) async throws -> Void
    ) async throws {
        var options = MockOptions()
        options.protection = "SAML"
        options.users["bob"] = "builder"
        for (user, password) in users { options.users[user] = password }
        options.identityProviderRemembersUsers = false
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { mock in
            let presenter = ChangingPresenter()
            var configuration = SAPURLSession.Configuration()
            configuration.presenter = presenter
            configuration.transport.maximumConnectionsPerHost = 100
            let session = SAPURLSession(configuration: configuration)
            let settings = SAPcpmsSettingsParameters(
                backendURL: mock.baseURL, applicationID: "com.example.app")
            let delegate = Delegate()
            let manager = SAPcpmsAuthenticationManager(
                roleServiceURL: settings.roleServiceURL, store: store, delegate: delegate)
            let observer = SAMLObserver(settingsParameters: settings)
            observer.authenticationHandler = manager
            session.register(observer)
            let bench = Bench(
                mock: mock, session: session, settings: settings, presenter: presenter, store: store,
                delegate: delegate,
                manager: manager)
            do {
                try await body(bench)
            } catch {
                session.invalidateAndCancel()
                throw error
            }
            session.invalidateAndCancel()
        }
    }

    @Test func `the role service counts a refused request once, and a token is no wrong password`() async throws {
        var options = MockOptions()
        options.protection = "BasicAuthentication"
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { mock in
            let settings = SAPcpmsSettingsParameters(backendURL: mock.baseURL, applicationID: "com.example.app")
            let session = SAPURLSession()
            defer { session.invalidateAndCancel() }
            for authorization in ["Basic \(Data("alice:wrong".utf8).base64EncodedString())", "Bearer c4n4ry"] {
                var request = URLRequest(url: settings.roleServiceURL)
                request.setValue(authorization, forHTTPHeaderField: "Authorization")
                let (_, response) = try await session.data(for: request)
                #expect((response as? HTTPURLResponse)?.statusCode == 401)
            }
            #expect(mock.statistics.wrongPasswords == 1)
            #expect(mock.statistics.challenges == 2)
        }
    }

    @Test func `M32 the first user and the same one again go through`() async throws {
        try await run { bench in
            try await bench.expectUser("alice")
            try bench.expectStored("id-alice")
            bench.expire()
            try await bench.expectUser("alice")
            #expect(bench.delegate.calls == ["didAuthenticate id-alice", "didAuthenticate id-alice"])
            #expect(bench.mock.statistics.sends[bench.settings.roleServiceURL.path()] == 2)
        }
    }

    @Test func `M32 a user who was kept while another login was looked at is the one before`() async throws {
        try await run { bench in
            // Meanwhile another login ends, through another observer of the same manager.
            bench.delegate.whenAsked { try? bench.store.put("id-bob", for: bench.manager.currentUserIDKey) }
            await #expect(throws: SAPcpmsAuthenticationManagerError.userSwitch(from: "id-bob", to: "id-alice")) {
                try await bench.user()
            }
            try bench.expectStored("id-bob")
            #expect(
                bench.delegate.calls == [
                    "didAuthenticate id-alice", "didChange id-bob id-alice", "shouldAccept id-alice id-bob", "didFail id-bob",
                ])
        }
    }

    /// The Kelvin sign is canonically equivalent to `K`.
    @Test func `M32 a user whose identifier has other bytes is another one`() async throws {
        try await run(users: ["Kim": "possible"]) { bench in
            try bench.store.put("id-\u{212A}im", for: bench.manager.currentUserIDKey)
            bench.presenter.log(in: "Kim", "possible")
            await #expect(throws: SAPcpmsAuthenticationManagerError.self) { try await bench.user() }
            #expect(bench.delegate.calls.first == "didChange id-\u{212A}im id-Kim")
        }
    }

    @Test func `M32 another user is refused, all requests fail, and nothing of their login is kept`()
        async throws
    {
        try await run { bench in
            try await bench.expectUser("alice")
            bench.expire()
            bench.presenter.log(in: "bob", "builder")
            let before = bench.mock.statistics.resources
            bench.mock.hold("/orders", until: 20, limit: .seconds(30))
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        await #expect(
                            throws: SAPcpmsAuthenticationManagerError.userSwitch(from: "id-alice", to: "id-bob")
                        ) {
                            try await bench.user()
                        }
                    }
                }
            }
            #expect(bench.mock.statistics.resources == before)
            #expect(
                bench.delegate.calls.suffix(3) == [
                    "didChange id-alice id-bob", "shouldAccept id-bob id-alice", "didFail id-alice",
                ])
            try bench.expectStored("id-alice")
            bench.presenter.log(in: "alice", "wonderland")
            try await bench.expectUser("alice")
        }
    }

    @Test func `M32 another user whom the delegate accepts is the user from then on`() async throws {
        try await run { bench in
            try await bench.expectUser("alice")
            bench.expire()
            bench.presenter.log(in: "bob", "builder")
            bench.delegate.accept()
            try await bench.expectUser("bob")
            try bench.expectStored("id-bob")
        }
    }

    @Test func `M32 a delegate can refuse a user`() async throws {
        try await run { bench in
            bench.delegate.refuse()
            await #expect(throws: Delegate.Refused.self) { try await bench.user() }
            #expect(bench.session.cookieStorage.cookies.isEmpty)
            try bench.expectStored(nil)
        }
    }

    @Test(arguments: [403, 404, 412, 500])
    func `M32 a login is refused if the role service does not say whose it is`(_ status: Int)
        async throws
    {
        try await run { bench in
            bench.mock.inject(.status(status), matching: .prefix("/mobileservices/application"))
            await #expect(throws: SAPcpmsUserRolesError.invalidHTTPStatus(statusCode: status)) {
                try await bench.user()
            }
            #expect(bench.session.cookieStorage.cookies.isEmpty)
            try await bench.expectUser("alice")
        }
    }

    @Test(arguments: [
        ("<html>", SAPcpmsUserRolesError.MalformedType.json), ("[]", .json), ("{}", .id),
        (#"{"id":""}"#, .id), (#"{"id":1}"#, .id),
        (#"{"id":"a"}"#, .userName), (#"{"id":"a","userName":null}"#, .userName),
    ])
    func `M32 an answer that is no user refuses the login`(
        _ body: String, _ expected: SAPcpmsUserRolesError.MalformedType
    ) async throws {
        try await run { bench in
            bench.mock.inject(.body(body), matching: .prefix("/mobileservices/application"))
            let error = await #expect(throws: SAPcpmsUserRolesError.self) { try await bench.user() }
            guard case .malformed(let type, _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(type == expected)
        }
    }

    @Test func `M32 the user's roles can be asked for at any time`() async throws {
        try await run { bench in
            let userInfo = try await SAPcpmsUserRoles(
                sapURLSession: bench.session, settingsParameters: bench.settings
            ).load()
            #expect(userInfo.id == "id-alice")
            #expect(userInfo.userName == "alice")
            #expect(userInfo.familyName == "Example")
            #expect(userInfo.givenName == "Alice")
            #expect(userInfo.emails == ["alice@example.com"])
            #expect(userInfo.roles == ["Everyone", "Orders"])
            #expect(userInfo.others["detail"] == #"{"groups":["a","b"]}"#)
            #expect(!"\(userInfo)".contains("alice"))
        }
    }
}

/// Logs in as the user that was set last.
private final class ChangingPresenter: WebPresenter {
    private let state = Mutex(FormFillingPresenter(user: "alice", password: "wonderland"))

    func log(in user: String, _ password: String) {
        state.withLock { $0 = FormFillingPresenter(user: user, password: password) }
    }

    func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        try await state.withLock { $0 }.present(presentation)
    }
}

/// Records its calls, and answers as configured.
private final class Delegate: AuthenticationDelegate {
    struct Refused: Error {}
    private let state = Mutex((calls: [String](), accepts: false, refuses: false))
    private let question = Mutex<@Sendable () -> Void>({})

    var calls: [String] { state.withLock { $0.calls } }
    func accept() { state.withLock { $0.accepts = true } }
    func refuse() { state.withLock { $0.refuses = true } }
    /// Sets a function that is called at each login, before the delegate answers.
    func whenAsked(_ action: @escaping @Sendable () -> Void) { question.withLock { $0 = action } }

    func authenticationHandler(
        _ handler: any AuthenticationHandling, user: String, didChange to: String
    ) {
        state.withLock { $0.calls.append("didChange \(user) \(to)") }
    }

    func authenticationHandler(
        _ handler: any AuthenticationHandling, user: String?, didFailToAuthenticate error: any Error
    ) {
        state.withLock { $0.calls.append("didFail \(user ?? "nobody")") }
    }

    func authenticationHandler(
        _ handler: any AuthenticationHandling,
        didAuthenticate userInfo: SAPcpmsUserRoles.SAPcpmsUserInfo,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let refuses = state.withLock { state in
            state.calls.append("didAuthenticate \(userInfo.id)")
            return state.refuses
        }
        question.withLock { $0 }()
        completionHandler(refuses ? Refused() : nil)
    }

    func authenticationHandler(
        _ handler: any AuthenticationHandling, shouldAccept userInfo: SAPcpmsUserRoles.SAPcpmsUserInfo,
        insteadOf user: String,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        let accepts = state.withLock { state in
            state.calls.append("shouldAccept \(userInfo.id) \(user)")
            return state.accepts
        }
        completionHandler(accepts)
    }
}

/// Values in memory, as JSON.
private final class KeyStore: CodableStoring {
    private let values = Mutex<[String: Data]>([:])
    func get<T: Codable>(_ type: T.Type, for key: String) throws -> T? {
        try values.withLock { $0[key] }.map { try JSONDecoder().decode(type, from: $0) }
    }
    func put<T: Codable>(_ value: T, for key: String) throws {
        let data = try JSONEncoder().encode(value)
        values.withLock { $0[key] = data }
    }
    func remove(for key: String) { values.withLock { $0[key] = nil } }
    func keys() -> Set<String> { values.withLock { Set($0.keys) } }
}
