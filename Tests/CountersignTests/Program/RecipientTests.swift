import Foundation
import HTTPTypes
import Synchronization
import Testing

@_spi(Generated) @testable import Countersign

/// A method whose login names the server for the token.
private struct InstanceParameters: ProgramParameters {
    var instances: ProtectedOrigins

    static let program = method(namingRecipientsBy: [4])

    /// Returns the method with these slots as recipients.
    ///
    /// - Parameters:
    ///   - methods: The HTTP methods of the requests that carry the token; empty for all.
    ///   - field: The name of the header field with the token.
    static func method(
        namingRecipientsBy slots: [Int], for methods: [String] = [], in field: ProgramTemplate = "Authorization"
    ) -> MethodProgram {
        MethodProgram(
            name: "Instance", summary: "A token for a server that the login names.",
            slots: [
                .parameter("login"), .parameter("instances"), .credential("token", isSecret: true),
                .credential("refresh", isSecret: true), .credential("instance"), .credential("lifetime"),
            ],
            challenges: [ChallengePattern("unauthorized", statuses: [401])],
            credential: CredentialShape(
                fields: [2, 3, 4, 5].map { .slot($0) }, space: .servers, lifetime: 5, destinations: [0], recipients: slots),
            acquire: [.http(call("token"))], renewal: CredentialRenewal(needs: [3], [.http(call("renewal"))]),
            attach: [.header(field, ProgramTemplate(.text("Bearer "), .slot(2)), methods: methods)],
            rejections: [RejectionRule(.renew, .acquire)])
    }

    private static func call(_ name: String) -> HTTPCall {
        HTTPCall(
            "POST", ProgramTemplate(.text("https://login.example/\(name)")), headers: [HTTPCall.Member("X-Refresh", .slot(3))],
            answers: [
                HTTPCall.Answer(
                    ChallengePattern(
                        "answer 1", statuses: [200],
                        captures: [
                            .slot(2, from: .json(["/token"])), .slot(3, from: .json(["/refresh"])),
                            .slot(4, from: .json(["/instance"]), as: .url(within: [.slot(1)]), isOptional: true),
                            .slot(5, from: .json(["/lifetime"]), as: .seconds),
                        ])),
                HTTPCall.Answer(ChallengePattern("answer 2", statuses: [400]), isRefusal: true),
            ])
    }

    var slotValues: [ProgramValue] {
        [URL(string: "https://login.example").map { .url($0) } ?? .absent, .origins(instances)]
    }
}

/// The same method before the server that the login names became a recipient.
private struct FormerParameters: ProgramParameters {
    let parameters: InstanceParameters

    static let program = InstanceParameters.method(namingRecipientsBy: [])

    var slotValues: [ProgramValue] { parameters.slotValues }
}

/// The same method with a token that only requests with PUT carry.
private struct WriteParameters: ProgramParameters {
    let parameters: InstanceParameters

    static let program = InstanceParameters.method(namingRecipientsBy: [4], for: ["PUT"])

    var slotValues: [ProgramValue] { parameters.slotValues }
}

/// The same before the token moved to another header field.
private struct FormerWriteParameters: ProgramParameters {
    let parameters: InstanceParameters

    static let program = InstanceParameters.method(namingRecipientsBy: [4], for: ["PUT"], in: "X-Token")

    var slotValues: [ProgramValue] { parameters.slotValues }
}

/// A login server, and any number of servers that accept its tokens.
private final class Servers: Sendable {
    struct State {
        /// The URL that logins and renewals name; `nil` for none.
        var instance: String? = "https://a.example/api"
        var tokens: Set<String> = []
        var refreshTokens: Set<String> = []
        var made = 0
        var logins = 0
        var renewals = 0
        var isDown = false
    }

    let state = Mutex(State())

    func answer(_ sent: ScriptedTransport.Sent) -> Reply {
        guard sent.url.host() == "login.example", sent.method == .post else {
            if sent.path == "/away" { return .redirect(to: "https://a.example/data") }
            if sent.path == "/out" { return .redirect(to: "https://evil.example/data") }
            let token = sent["Authorization"].map { String($0.dropFirst("Bearer ".count)) }
            return state.withLock { token.map($0.tokens.contains) == true } ? .text("data") : Reply(401)
        }
        return state.withLock { state -> Reply in
            if sent.path == "/renewal" {
                guard let refresh = sent["X-Refresh"], state.refreshTokens.contains(refresh) else { return Reply(400) }
                state.renewals += 1
            } else {
                guard !state.isDown else { return Reply(503) }
                state.logins += 1
            }
            state.made += 1
            state.tokens.insert("t\(state.made)")
            state.refreshTokens.insert("r\(state.made)")
            let named = state.instance.map { #","instance":"\#($0)""# } ?? ""
            return .text(#"{"token":"t\#(state.made)","refresh":"r\#(state.made)","lifetime":3600\#(named)}"#)
        }
    }

    /// Logins and renewals.
    var counts: [Int] { state.withLock { [$0.logins, $0.renewals] } }

    func name(_ instance: String?) { state.withLock { $0.instance = instance } }
    func forgetTokens() { state.withLock { $0.tokens = [] } }
    func endSessions() { state.withLock { ($0.tokens, $0.refreshTokens) = ([], []) } }
}

/// Servers that receive a credential because a login has named them.
@Suite("Recipients that a login names", .timeLimit(.minutes(10)))
struct RecipientTests {
    private static let login = "https://login.example/data"
    private static let first = "https://a.example/data"
    private static let second = "https://b.example/data"

    private let servers = Servers()

    private struct Client {
        let observer: ProgramObserver<InstanceParameters>
        let bench: ProgramBench

        func get(_ url: String) async throws -> Int { try await bench.get(url) }

        /// The credentials of the requests to a host, including those that were redirected there.
        func carried(to host: String) -> [String?] {
            bench.transport.sent.filter { $0.url.host() == host && $0.method == .get }.map { $0["Authorization"] }
        }
    }

    private static func origins(_ texts: String...) -> ProtectedOrigins {
        ProtectedOrigins(origins: Set(texts.compactMap { URL(string: $0).flatMap { Origin($0) } }))
    }

    /// Makes the session of a separate process, which shares only the servers and the store with others.
    private func client(
        _ store: (any CredentialStore)? = nil,
        within instances: ProtectedOrigins = RecipientTests.origins("https://a.example", "https://b.example")
    ) -> Client {
        let servers = servers
        let observer = ProgramObserver(parameters: InstanceParameters(instances: instances), prompter: nil, store: store)
        return Client(observer: observer, bench: ProgramBench(observer) { servers.answer($0) })
    }

    @Test func `a server is a recipient from the login on that names it, with its origin alone`() async throws {
        let client = client()
        #expect(try await client.get(Self.first) == 401)
        #expect(client.bench.events.count(.withheld) == 1)
        #expect(servers.counts == [0, 0])
        #expect(try await client.get(Self.login) == 200)
        #expect(try await client.get(Self.first) == 200)
        #expect(client.carried(to: "a.example") == [nil, "Bearer t1"])
        for other in ["https://a.example:8443/data", "http://a.example/data", Self.second, "https://x.a.example/data"] {
            #expect(try await client.get(other) == 401)
            #expect(client.bench.transport.sent.last?["Authorization"] == nil)
        }
        #expect(servers.counts == [1, 0])
    }

    @Test(arguments: [
        "https://evil.example", "http://a.example", "https://a.example:8443", "https://a.example.evil.example",
        "https://a.example@evil.example", "https://user@a.example", "https://127.0.0.1", "//a.example", "a.example",
        "https://a.example#x",
    ])
    func `a login that names a server outside of the allowed ones fails, and its token goes nowhere`(_ named: String) async throws {
        servers.name(named)
        let client = client()
        await expectError(.addressRefused) { _ = try await client.get(Self.login) }
        for url in [Self.first, Self.second, "https://evil.example/data", "https://127.0.0.1/data"] {
            #expect(try await client.get(url) == 401)
        }
        #expect(client.bench.transport.sent.allSatisfy { $0["Authorization"] == nil })
    }

    @Test(arguments: [
        ("https://anything.example/x?y=z", true), ("https://127.0.0.1:8443", false), ("http://anything.example", false),
    ])
    func `with anywhere, a login names any server with TLS elsewhere`(_ named: String, isAllowed: Bool) async throws {
        servers.name(named)
        let client = client(within: .anywhere)
        if isAllowed {
            #expect(try await client.get(Self.login) == 200)
            #expect(try await client.get("https://anything.example/data") == 200)
            #expect(try await client.get(Self.first) == 401)
            #expect(client.carried(to: "a.example") == [nil])
        } else {
            await expectError(.addressRefused) { _ = try await client.get(Self.login) }
        }
    }

    @Test func `a login that names no server has only the others`() async throws {
        servers.name(nil)
        let client = client()
        #expect(try await client.get(Self.login) == 200)
        #expect(try await client.get(Self.first) == 401)
        #expect(client.carried(to: "a.example") == [nil])
    }

    @Test func `after a renewal that names another server, the former one gets nothing`() async throws {
        let client = client()
        #expect(try await client.get(Self.login) == 200)
        #expect(try await client.get(Self.first) == 200)
        servers.name("https://b.example")
        servers.forgetTokens()
        // The challenge is answered, but the new token is not for this server.
        #expect(try await client.get(Self.first) == 401)
        #expect(servers.counts == [1, 1])
        #expect(try await client.get(Self.second) == 200)
        #expect(try await client.get(Self.first) == 401)
        #expect(client.carried(to: "a.example") == ["Bearer t1", "Bearer t1", nil, nil])
        #expect(client.carried(to: "b.example") == ["Bearer t2"])
        #expect(servers.counts == [1, 1])
    }

    @Test func `a token that is renewed for a request goes to the server of the request only if it still names it`() async throws {
        let client = client()
        #expect(try await client.get(Self.login) == 200)
        client.bench.clock.advance(by: .seconds(3601))
        #expect(try await client.get(Self.first) == 200)
        servers.name("https://b.example")
        client.bench.clock.advance(by: .seconds(3601))
        #expect(try await client.get(Self.first) == 401)
        #expect(client.carried(to: "a.example") == ["Bearer t2", nil])
        #expect(servers.counts == [1, 2])
    }

    @Test func `a login that failed is tried again for a request to the server that the last one has named`() async throws {
        let client = client()
        #expect(try await client.get(Self.login) == 200)
        #expect(try await client.get(Self.first) == 200)
        servers.endSessions()
        servers.state.withLock { $0.isDown = true }
        await expectError(.unexpectedAnswer) { _ = try await client.get(Self.first) }
        servers.state.withLock { $0.isDown = false }
        #expect(try await client.get(Self.first) == 200)
        #expect(client.carried(to: "a.example") == ["Bearer t1", "Bearer t1", nil, "Bearer t2"])
    }

    @Test func `a stored credential is for the server that it names, from the first request of the next process on`() async throws {
        let store = MemoryCredentialStore()
        #expect(try await client(store).get(Self.login) == 200)
        let second = client(store)
        #expect(try await second.get("https://evil.example/data") == 401)
        #expect(try await second.get(Self.first) == 200)
        #expect(second.bench.transport.sent.map { $0["Authorization"] } == [nil, "Bearer t1"])
        let third = client(store)
        #expect(try await third.get(Self.first) == 200)
        #expect(try await third.get(Self.login) == 200)
        #expect(third.bench.transport.sent.map { $0["Authorization"] } == ["Bearer t1", "Bearer t1"])
        #expect(servers.counts == [1, 0])
        // Other allowed servers are other parameters, so the stored credential is not found.
        let narrow = client(store, within: Self.origins("https://b.example"))
        #expect(try await narrow.get(Self.first) == 401)
        #expect(narrow.carried(to: "a.example") == [nil])
    }

    @Test func `a credential that was stored when the field was no recipient is not used`() async throws {
        let store = MemoryCredentialStore()
        let client = client(store)
        let former = ProgramObserver(
            parameters: FormerParameters(parameters: client.observer.parameters), prompter: nil, store: store)
        let bench = ProgramBench(former) { [servers] in servers.answer($0) }
        #expect(try await bench.get(Self.login) == 200)
        #expect(try await client.get(Self.first) == 401)
        #expect(client.carried(to: "a.example") == [nil])
        #expect(try await client.get(Self.login) == 200)
        #expect(try await client.get(Self.first) == 200)
        #expect(client.carried(to: "a.example") == [nil, "Bearer t2"])
        #expect(servers.counts == [2, 0])
    }

    @Test func `a stored credential that the server has forgotten is renewed`() async throws {
        let store = MemoryCredentialStore()
        #expect(try await client(store).get(Self.login) == 200)
        servers.forgetTokens()
        let second = client(store)
        #expect(try await second.get(Self.first) == 200)
        #expect(second.carried(to: "a.example") == ["Bearer t1", "Bearer t2"])
        #expect(servers.counts == [1, 1])
    }

    @Test func `a store that fails is like an empty one`() async throws {
        let client = client(FailingStore(["read": .notPermitted]))
        #expect(try await client.get(Self.first) == 401)
        #expect(try await client.get(Self.login) == 200)
        #expect(try await client.get(Self.first) == 200)
        #expect(client.bench.events.kinds.contains(.notStored))
        #expect(client.carried(to: "a.example") == [nil, "Bearer t1"])
    }

    @Test func `a store that has failed is read again later`() async throws {
        let store = FailingStore([:])
        #expect(try await client(store).get(Self.login) == 200)
        store.fail("read", .notPermitted)
        let second = client(store)
        #expect(try await second.get("https://other.example/data") == 401)
        store.heal()
        #expect(try await second.get(Self.first) == 401)
        second.bench.clock.advance(by: .seconds(31))
        #expect(try await second.get(Self.first) == 200)
        #expect(second.carried(to: "a.example") == [nil, "Bearer t1"])
        #expect(second.bench.events.count(.notStored) == 1)
        #expect(servers.counts == [1, 0])
    }

    @Test func `a review gets the challenge of a server that only the former credential names`() async throws {
        let statuses = Mutex<[Int]>([])
        let review = AuthenticationReview(review: { session, _ in
            let status = try await session.send(.to(Self.first)).head.status.code
            statuses.withLock { $0.append(status) }
        })
        let observer = ProgramObserver(
            parameters: InstanceParameters(instances: .anywhere), prompter: nil, places: nil, review: review)
        let client = Client(observer: observer, bench: ProgramBench(observer) { [servers] in servers.answer($0) })
        #expect(try await client.get(Self.login) == 200)
        servers.name("https://b.example")
        servers.endSessions()
        #expect(try await client.get(Self.login) == 200)
        #expect(statuses.withLock(\.self) == [200, 401])
        #expect(client.carried(to: "a.example") == ["Bearer t1", nil])
    }

    @Test func `after a logout no server is named, here and in the next process`() async throws {
        let store = MemoryCredentialStore()
        let client = client(store)
        #expect(try await client.get(Self.login) == 200)
        try await client.bench.session.logOut()
        #expect(try await client.get(Self.first) == 401)
        let next = self.client(store)
        #expect(try await next.get(Self.first) == 401)
        #expect(client.carried(to: "a.example") == [nil] && next.carried(to: "a.example") == [nil])
        // The next user's login names another server.
        servers.name("https://b.example")
        #expect(try await client.get(Self.login) == 200)
        #expect(try await client.get(Self.first) == 401)
        #expect(try await client.get(Self.second) == 200)
        #expect(client.carried(to: "a.example") == [nil, nil])
    }

    @Test func `users of two observers have a server each`() async throws {
        let (alice, bob) = (client(), client())
        #expect(try await alice.get(Self.login) == 200)
        servers.name("https://b.example")
        #expect(try await bob.get(Self.login) == 200)
        #expect(try await alice.get(Self.first) == 200)
        #expect(try await bob.get(Self.second) == 200)
        #expect(try await alice.get(Self.second) == 401)
        #expect(try await bob.get(Self.first) == 401)
        #expect(alice.carried(to: "b.example") == [nil] && bob.carried(to: "a.example") == [nil])
    }

    @Test func `a redirect to the named server carries the credential, and one from there to another does not`() async throws {
        let client = client()
        #expect(try await client.get(Self.login) == 200)
        #expect(try await client.get("https://login.example/away") == 200)
        #expect(try await client.get("https://a.example/out") == 401)
        #expect(client.carried(to: "a.example") == ["Bearer t1", "Bearer t1"])
        #expect(client.carried(to: "evil.example") == [nil])
    }

    @Test func `an authentication in advance is for a server that is known`() async throws {
        let store = MemoryCredentialStore()
        let (instance, login) = (try #require(URL(string: Self.first)), try #require(URL(string: Self.login)))
        let first = client(store)
        await expectError(.invalidRequest) { try await first.observer.authenticate(for: instance, in: first.bench.session) }
        #expect(servers.counts == [0, 0])
        try await first.observer.authenticate(for: login, in: first.bench.session)
        try await first.observer.authenticate(for: instance, in: first.bench.session)
        #expect(try await first.get(Self.first) == 200)
        let second = client(store)
        try await second.observer.authenticate(for: instance, in: second.bench.session)
        #expect(servers.counts == [1, 0])
        #expect(second.bench.transport.sent.isEmpty)
    }

    @Test func `a stored credential of some requests makes its server known to an authentication in advance, too`() async throws {
        let store = MemoryCredentialStore()
        let (instance, login) = (try #require(URL(string: Self.first)), try #require(URL(string: Self.login)))
        let parameters = WriteParameters(parameters: client().observer.parameters)
        let first = ProgramObserver(parameters: parameters, prompter: nil, store: store)
        let bench = ProgramBench(first) { [servers] in servers.answer($0) }
        try await first.authenticate(for: login, in: bench.session)
        let second = ProgramObserver(parameters: parameters, prompter: nil, store: store)
        let other = ProgramBench(second) { [servers] in servers.answer($0) }
        try await second.authenticate(for: instance, in: other.session)
        #expect(servers.counts == [1, 0])
        #expect(try await other.session.send(.to(Self.first, .put)).head.status == .ok)
        #expect(other.transport.sent.map { $0["Authorization"] } == ["Bearer t1"])
    }

    @Test func `a stored credential of some requests is not used if they carried it in another field`() async throws {
        let store = MemoryCredentialStore()
        let login = try #require(URL(string: Self.login))
        let parameters = client().observer.parameters
        let former = ProgramObserver(parameters: FormerWriteParameters(parameters: parameters), prompter: nil, store: store)
        let bench = ProgramBench(former) { [servers] in servers.answer($0) }
        try await former.authenticate(for: login, in: bench.session)
        #expect(servers.counts == [1, 0])
        let current = ProgramObserver(parameters: WriteParameters(parameters: parameters), prompter: nil, store: store)
        let other = ProgramBench(current) { [servers] in servers.answer($0) }
        try await current.authenticate(for: login, in: other.session)
        #expect(servers.counts == [2, 0])
    }

    @Test func `a credential from the application names its server too`() async throws {
        let client = client()
        servers.state.withLock { _ = $0.tokens.insert("own") }
        let values: [Int: ProgramValue] = [
            2: .secret("own"), 3: .secret("r"), 4: .url(try #require(URL(string: "https://b.example"))), 5: .duration(.seconds(60)),
        ]
        #expect(try await !client.observer.adopt(values, in: client.bench.session))
        #expect(try await client.get(Self.second) == 200)
        #expect(try await client.get(Self.first) == 401)
        #expect(client.carried(to: "b.example") == ["Bearer own"] && client.carried(to: "a.example") == [nil])
    }
}
