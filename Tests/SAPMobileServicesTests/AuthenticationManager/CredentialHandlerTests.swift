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

/// M32 for credentials that the application supplies: the handler decides between the answer of a discovery and the waiting
/// requests.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `An authentication handler of application credentials` {
    private struct Refused: Error {}

    private func run(
        _ discovery: ScriptedDiscovery, _ handler: any AuthenticationHandling, store: CredentialMemory = CredentialMemory(),
        options: (inout MockOptions) -> Void = { _ in }, change: (inout SAPURLSession.Configuration) -> Void = { _ in },
        _ body: (CredentialBench) async throws -> Void
    ) async throws {
        try await CredentialBench.run("BasicAuthentication", options: options, change: change) { bench in
            let observer = BasicAuthenticationObserver(basicCredentialDiscovery: discovery, credentialStore: store)
            observer.authenticationHandler = handler
            try bench.register(observer)
            bench.session.sessionDescription = bench.mock.baseURL.absoluteString
            try await body(bench)
        }
    }

    /// Makes a handler that requests the current user from the server, in its own task or on another thread, and then decides.
    private func asking(
        _ path: String, isElsewhere: Bool = false,
        then decide: @escaping @Sendable (String?) -> (any Error)? = { $0 == nil ? Refused() : nil }
    ) -> Handler {
        Handler { _, session, identifier, answer in
            let send: @Sendable () -> Void = {
                let url = session.sessionDescription.flatMap { URL(string: $0) } ?? URL(filePath: "/")
                let task = session.dataTask(with: url.appending(path: path)) { data, _, _ in
                    answer(decide(data.flatMap { try? JSONDecoder().decode(MockResource.self, from: $0) }?.user))
                }
                if isElsewhere { task.requestBypassIdentifier = identifier }
                task.resume()
            }
            // A thread outside the task in which the handler was called.
            if isElsewhere { Thread.detachNewThread(send) } else { send() }
        }
    }

    @Test func `M32 fifty requests wait for a slow handler, which is asked once`() async throws {
        let answers = Mutex<[@Sendable ((any Error)?) -> Void]>([])
        let handler = Handler { _, _, _, answer in answers.withLock { $0.append(answer) } }
        let (discovery, store) = (ScriptedDiscovery(("alice", "wonderland")), CredentialMemory())
        try await run(discovery, handler, store: store) { bench in
            let results = Task { await bench.users(50) }
            while answers.withLock({ $0.isEmpty }) { await Task.yield() }
            #expect(bench.mock.statistics.resources == 0)
            #expect(store.all.isEmpty)
            answers.withLock { $0.first }?(nil)
            let users = await results.value
            #expect(users.allSatisfy { (try? $0.get()) == "alice" }, "\(users.compactMap(\.failure))")
            #expect(answers.withLock { $0.count } == 1)
            #expect(discovery.asked.count == 1)
            #expect(bench.mock.statistics.resources == 50)
            #expect(store.all.count == 1)
            let later = try await bench.user("other")
            #expect(later == "alice")
            #expect(answers.withLock { $0.count } == 1)
        }
    }

    // In the folder that was challenged the credential is attached at once. Elsewhere the server challenges the handler's
    // request, which is answered without waiting for the handler.
    @Test(arguments: ["a/me", "me"], [false, true])
    func `M32 a handler asks the server with the new credential, from its own task and from elsewhere`(
        _ path: String, isElsewhere: Bool
    ) async throws {
        let seen = Mutex<[String?]>([])
        let handler = asking(path, isElsewhere: isElsewhere) { user in
            seen.withLock { $0.append(user) }
            return nil
        }
        try await run(ScriptedDiscovery(("alice", "wonderland")), handler) { bench in
            let user = try await bench.user("a/orders")
            #expect(user == "alice")
            #expect(seen.withLock { $0 } == ["alice"])
            #expect(bench.mock.statistics.sends["/\(path)"] == (path == "me" ? 2 : 1))
            #expect(bench.mock.statistics.sends["/a/orders"] == 2)
        }
    }

    @Test func `M32 a handler that refuses fails all requests with its error, and the credential is not kept`() async throws {
        let handler = Handler { _, _, _, answer in answer(Refused()) }
        let wrong = (0..<20).map { _ in ("alice", "wonderland") }
        let (discovery, store) = (ScriptedDiscovery(wrong), CredentialMemory())
        // A request that is challenged after the refusal starts another login, which is refused, too.
        try await run(discovery, handler, store: store, change: { $0.session.maximumAuthentications = 100 }) { bench in
            for result in await bench.users(20) { #expect(throws: Refused.self) { try result.get() } }
            #expect(handler.asked >= 1)
            #expect(handler.asked == discovery.asked.count)
            #expect(handler.failures.count == handler.asked)
            #expect(handler.failures.allSatisfy { $0 is Refused })
            #expect(bench.mock.statistics.resources == 0)
            #expect(store.all.isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func `M32 a password that the server refuses to the handler is asked for again, and nobody was refused`(isElsewhere: Bool)
        async throws
    {
        let (discovery, store) = (ScriptedDiscovery(("alice", "a"), ("alice", "b"), ("alice", "wonderland")), CredentialMemory())
        let handler = asking("me", isElsewhere: isElsewhere)
        try await run(discovery, handler, store: store) { bench in
            let users = await bench.users(10)
            #expect(users.allSatisfy { (try? $0.get()) == "alice" }, "\(users.compactMap(\.failure))")
            #expect(discovery.asked.map(\.refusals) == [0, 1, 2])
            #expect(handler.asked == 3)
            #expect(handler.failures.isEmpty)
            #expect(bench.mock.statistics.wrongPasswords == 2, "only the handler's requests had them")
            #expect(Array(store.all.values) == [BasicCredential(username: "alice", password: "wonderland")])
        }
    }

    @Test func `M32 passwords that the server goes on refusing to the handler end as they do without one`() async throws {
        let discovery = ScriptedDiscovery(["a", "b", "c", "d", "wonderland"].map { ("alice", $0) })
        let handler = asking("me")
        try await run(discovery, handler) { bench in
            let error = await bench.error() as? AuthenticationObserverError
            #expect(error.map { if case .retryCountReached = $0 { true } else { false } } == true)
            #expect(discovery.asked.map(\.refusals) == [0, 1, 2, 3])
            #expect(handler.failures.count == 1)
            let later = try await bench.user()
            #expect(later == "alice")
        }
    }

    @Test func `M32 what the store has was decided on before`() async throws {
        let store = CredentialMemory()
        let handler = Handler { _, _, _, answer in answer(Refused()) }
        try await run(ScriptedDiscovery(), handler, store: store) { bench in
            let origin = try #require(Origin(bench.mock.baseURL))
            store.store(
                credential: BasicCredential(username: "alice", password: "wonderland"),
                for: try #require(CredentialPlace(origin: origin, realm: "Mock").url))
            let later = try await bench.user()
            #expect(later == "alice")
            #expect(handler.asked == 0)
        }
    }

    @Test func `M32 another realm does not get the credential that is reviewed, and nobody waits for it`() async throws {
        let handler = asking("hr/me")
        try await run(
            ScriptedDiscovery(("sam", "1")), handler,
            options: { options in
                options.basic.realms = ["/sales/": "Sales", "/hr/": "People"]
                options.basic.users = ["Sales": ["sam": "1"], "People": ["hal": "2"]]
            }
        ) { bench in
            let error = await bench.error("sales/orders")
            #expect(error is Refused)
            #expect(bench.mock.statistics.sends["/hr/me"] == 1)
            #expect(bench.mock.statistics.wrongPasswords == 0)
        }
    }

    @Test func `M32 a handler that never answers ends with the authentication's limit`() async throws {
        let kept = Mutex<[@Sendable ((any Error)?) -> Void]>([])
        let handler = Handler { _, _, _, answer in kept.withLock { $0.append(answer) } }
        let store = CredentialMemory()
        let limit = Duration.seconds(2)
        try await run(
            ScriptedDiscovery(("alice", "wonderland")), handler, store: store, change: { $0.session.interactiveTimeout = limit }
        ) { bench in
            #expect((await bench.error() as? CountersignError)?.code == .timedOut)
            // A late answer has no effect.
            kept.withLock { $0.first }?(nil)
            #expect(store.all.isEmpty)
        }
    }

    @Test func `M32 another user is noticed behind Basic, and kept out`() async throws {
        let (discovery, store) = (ScriptedDiscovery(("bob", "builder"), ("alice", "wonderland")), CredentialMemory())
        let codables = CredentialCodableStore(MemoryCredentialStore())
        try await CredentialBench.run("BasicAuthentication", options: { $0.users["bob"] = "builder" }) { bench in
            let settings = SAPcpmsSettingsParameters(backendURL: bench.mock.baseURL, applicationID: "com.example.app")
            let manager = SAPcpmsAuthenticationManager(
                roleServiceURL: settings.roleServiceURL, store: codables, delegate: nil)
            try codables.put("id-alice", for: manager.currentUserIDKey)
            let observer = BasicAuthenticationObserver(basicCredentialDiscovery: discovery, credentialStore: store)
            observer.authenticationHandler = manager
            try bench.register(observer)
            let error = await bench.error() as? SAPcpmsAuthenticationManagerError
            #expect(error == .userSwitch(from: "id-alice", to: "id-bob"))
            #expect(bench.mock.statistics.resources == 0)
            #expect(store.all.isEmpty)
            let later = try await bench.user()
            #expect(later == "alice")
            #expect(store.all.values.map(\.username) == ["alice"])
        }
    }

    // MARK: Certificates

    @Test(arguments: [MockCertificateOptions.Demand.handshake, .page])
    func `M32 an identity is reviewed by requests that have it, and refused ones are not kept`(
        _ demand: MockCertificateOptions.Demand
    ) async throws {
        try await IdentityBench.run(demand) { bench in
            let discovery = ScriptedIdentities(
                .success(try bench.authority.archive(for: "mallory")), .success(try bench.authority.archive(for: "alice")))
            let store = IdentityMemory()
            let observer = UserIdentityObserver(userIdentityDiscovery: discovery, identityStore: store)
            let handler = asking("me") { $0 == "alice" ? nil : Refused() }
            observer.authenticationHandler = handler
            bench.session.register(observer)
            bench.session.sessionDescription = bench.mock.baseURL.absoluteString
            await #expect(throws: Refused.self) { try await bench.user() }
            #expect(store.all.isEmpty)
            #expect(bench.mock.statistics.resources == 1, "the handler's own")
            let users = await bench.users(50)
            #expect(users.allSatisfy { (try? $0.get()) == "alice" }, "\(users.compactMap(\.failure))")
            #expect(handler.asked == 2)
            #expect(discovery.count == 2)
            #expect(store.all.count == 1)
        }
    }

    @Test(arguments: [(MockCertificateOptions.Demand.handshake, false), (.handshake, true)])
    func `M32 an identity that the server refuses to the handler ends as it does without one`(
        demand: MockCertificateOptions.Demand, isLimitedToTLS12: Bool
    ) async throws {
        try await IdentityBench.run(demand, isLimitedToTLS12: isLimitedToTLS12) { bench in
            let discovery = ScriptedIdentities(
                .success(try bench.authority.archive(for: "mallory", fault: .unknownIssuer)),
                .success(try bench.authority.archive(for: "alice")))
            let observer = UserIdentityObserver(userIdentityDiscovery: discovery)
            let handler = asking("me")
            observer.authenticationHandler = handler
            bench.session.register(observer)
            bench.session.sessionDescription = bench.mock.baseURL.absoluteString
            let error = await #expect(throws: UserIdentityObserverError.self) { try await bench.user() }
            #expect(error.map { if case .invalidUserIdentity = $0 { true } else { false } } == true)
            #expect(handler.asked == 1)
            let later = try await bench.user()
            #expect(later == "alice")
            #expect(handler.asked == 2)
        }
    }
}
