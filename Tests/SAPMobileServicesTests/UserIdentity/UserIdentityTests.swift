import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Client certificates over real TLS, against a server that demands them in the handshake or by a page.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct UserIdentityTests {
    private static let demands: [(MockCertificateOptions.Demand, Bool)] = [
        (.handshake, false), (.handshake, true), (.page, false), (.page, true),
    ]

    @Test(arguments: demands)
    func `M20 a demand is answered by the discovery's identity, once for a hundred requests`(
        demand: MockCertificateOptions.Demand, isLimitedToTLS12: Bool
    ) async throws {
        try await IdentityBench.run(demand, isLimitedToTLS12: isLimitedToTLS12) { bench in
            let discovery = ScriptedIdentities(.success(try bench.authority.archive(for: "alice")))
            let store = IdentityMemory()
            try bench.register(discovery, store: store)
            let users = await bench.users(100)
            #expect(users.allSatisfy { (try? $0.get()) == "alice" }, "\(users.compactMap(\.failure))")
            #expect(discovery.count == 1)
            #expect(store.all.count == 1)
            #expect(try await bench.user("other") == "alice")
            #expect(discovery.count == 1)
        }
    }

    @Test func `M20 the store comes first, and another session needs no discovery`() async throws {
        try await IdentityBench.run { bench in
            let store = IdentityMemory()
            store.store(identity: try bench.authority.archive(for: "alice"), for: bench.mock.baseURL.appending(path: "/"))
            let discovery = ScriptedIdentities()
            try bench.register(discovery, store: store)
            #expect(try await bench.user() == "alice")
            #expect(discovery.count == 0)
        }
    }

    @Test(arguments: [MockCertificateAuthority.Fault.expired, .unknownIssuer])
    func `M20 a stored identity that is no good is deleted, and another obtained`(_ fault: MockCertificateAuthority.Fault)
        async throws
    {
        try await IdentityBench.run { bench in
            let root = bench.mock.baseURL.appending(path: "/")
            let store = IdentityMemory()
            let bad = try bench.authority.archive(for: "mallory", fault: fault)
            let good = try bench.authority.archive(for: "alice")
            store.store(identity: bad, for: root)
            let discovery = ScriptedIdentities(.success(good))
            try bench.register(discovery, store: store)
            let users = await bench.users(20)
            #expect(users.allSatisfy { (try? $0.get()) == "alice" }, "\(users.first.map { "\($0)" } ?? "")")
            #expect(discovery.count == 1)
            #expect(store.identity(for: root) == good)
        }
    }

    @Test(arguments: [(MockCertificateOptions.Demand.handshake, false), (.handshake, true)])
    func `M20 a new identity that is refused fails all waiting requests, and a later request starts over`(
        demand: MockCertificateOptions.Demand, isLimitedToTLS12: Bool
    ) async throws {
        try await IdentityBench.run(demand, isLimitedToTLS12: isLimitedToTLS12) { bench in
            let discovery = ScriptedIdentities(
                .success(try bench.authority.archive(for: "mallory", fault: .unknownIssuer)),
                .success(try bench.authority.archive(for: "alice")))
            let store = IdentityMemory()
            try bench.register(discovery, store: store)
            let error = await #expect(throws: UserIdentityObserverError.self) { try await bench.user() }
            #expect(error.map { if case .invalidUserIdentity = $0 { true } else { false } } == true)
            #expect(discovery.count == 1)
            #expect(store.all.isEmpty)
            #expect(try await bench.user() == "alice")
            #expect(discovery.count == 2)
        }
    }

    @Test func `a revoked identity is replaced where the server says so by a page`() async throws {
        try await IdentityBench.run(.page) { bench in
            let first = try bench.authority.identity(for: "alice")
            bench.authority.revoke(first)
            let store = IdentityMemory()
            store.store(
                identity: Data(try PKCS12Archive.write(first).bytes), for: bench.mock.baseURL.appending(path: "/"))
            let discovery = ScriptedIdentities(.success(try bench.authority.archive(for: "bob")))
            try bench.register(discovery, store: store)
            #expect(try await bench.user() == "bob")
        }
    }

    @Test func `RT-46 a renewed identity takes over, and no request in flight fails`() async throws {
        try await IdentityBench.run(.page) { bench in
            let first = try bench.authority.identity(for: "alice")
            let discovery = ScriptedIdentities(
                .success(Data(try PKCS12Archive.write(first).bytes)), .success(try bench.authority.archive(for: "alice")))
            try bench.register(discovery)
            #expect(try await bench.user() == "alice")
            let gate = bench.mock.hold(.path("/held"), until: .max, limit: .seconds(300))
            async let held = withTaskGroup(of: String?.self) { group in
                for _ in 0..<20 { group.addTask { try? await bench.user("held") } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            while gate.arrived < 20, !gate.hasTimedOut { await Task.yield() }
            bench.authority.revoke(first)
            #expect(try await bench.user() == "alice")
            gate.open()
            #expect(await held.allSatisfy { $0 == "alice" })
            #expect(discovery.count == 2)
        }
    }

    @Test func `TLS 1_3 a POST that left before the demand is sent again, body included`() async throws {
        try await IdentityBench.run(.handshake) { bench in
            try bench.register(ScriptedIdentities(.success(try bench.authority.archive(for: "alice"))))
            let body = Data(repeating: 7, count: 200_000)
            #expect(try await bench.user("orders", "POST", body: body) == "alice")
            // The server has received the request once, because data sent before the end of the handshake never reached it.
            #expect(bench.mock.statistics.sends["/orders"] == 1)
        }
    }

    @Test func `without an observer the transport's error says what is missing`() async throws {
        try await IdentityBench.run { bench in
            let error = await #expect(throws: URLError.self) { try await bench.user() }
            #expect(error?.code == .clientCertificateRequired)
        }
    }

    @Test func `M20 nobody gives an identity: cancelled, and an error of the discovery's own is that of the request`() async throws
    {
        struct OutOfCards: Error {}
        try await IdentityBench.run { bench in
            try bench.register(
                ScriptedIdentities(.success(nil), .failure(OutOfCards()), .success(Data("no archive".utf8))))
            let first = await #expect(throws: UserIdentityObserverError.self) { try await bench.user() }
            #expect(first.map { if case .cancelled = $0 { true } else { false } } == true)
            await #expect(throws: OutOfCards.self) { try await bench.user() }
            let third = await #expect(throws: UserIdentityObserverError.self) { try await bench.user() }
            #expect(third.map { if case .invalidUserIdentity = $0 { true } else { false } } == true)
        }
    }

    @Test func `M21 an archive on the device is the identity`() async throws {
        try await IdentityBench.run { bench in
            let file = FileManager.default.temporaryDirectory.appending(path: "countersign-\(UUID().uuidString).p12")
            try bench.authority.archive(for: "alice", password: "s3cret").write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let wrong = #expect(throws: IdentityError.self) { try PKCS12UserIdentityDiscovery(file: file, passphrase: "wrong") }
            #expect(wrong?.code == .wrongPassword)
            let missing = #expect(throws: IdentityError.self) {
                try PKCS12UserIdentityDiscovery(resourceInBundle: "nobody", resourceType: "p12", passphrase: "")
            }
            #expect(missing?.code == .unreadableFile)
            try bench.register(try PKCS12UserIdentityDiscovery(file: file, passphrase: "s3cret"))
            #expect(try await bench.user() == "alice")
        }
    }

    @Test func `the identity is for its server alone`() async throws {
        try await IdentityBench.run { bench in
            let authority = bench.authority
            var options = MockOptions()
            options.protection = "UserIdentity"
            options.certificates = MockCertificateOptions(authority: authority, demand: .page)
            try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { other in
                try bench.register(ScriptedIdentities(.success(try authority.archive(for: "alice"))))
                #expect(try await bench.user() == "alice")
                bench.mock.inject(
                    .redirect(to: other.baseURL.appending(path: "orders").absoluteString), matching: .path("/away"), times: 1)
                // The other server challenges with a page. The redirected request carries no identity, and the challenge is not
                // answered.
                let (_, response) = try await bench.session.data(from: bench.mock.baseURL.appending(path: "away"))
                #expect((response as? HTTPURLResponse)?.statusCode == 400)
            }
        }
    }
}
