import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A method that logs in by its own request, for a token with a lifetime.
private struct TokenLogin: ProgramParameters {
    var user = "alice"
    var password = "wonderland"

    static let program = MethodProgram(
        name: "Login", summary: "A token.",
        slots: [
            .parameter("server"), .parameter("user"), .parameter("password", isSecret: true),
            .credential("token", isSecret: true), .credential("lifetime"),
            .challenge("area"),
        ],
        challenges: [
            ChallengePattern(
                "unauthorized", statuses: [401],
                captures: [.slot(5, from: .header("X-Area"), isOptional: true)])
        ],
        credential: CredentialShape(
            fields: [.slot(3), .slot(4)], separators: [ProgramTemplate(.slot(5))],
            space: .directory, lifetime: 4, destinations: [0]),
        acquire: [
            .http(
                HTTPCall(
                    "POST", ProgramTemplate(.text("https://app.example/login")),
                    body: .form([HTTPCall.Member("password", ProgramTemplate(.slot(2)))]),
                    answers: [
                        HTTPCall.Answer(
                            ChallengePattern(
                                "answer 1", statuses: [200],
                                captures: [
                                    .slot(3, from: .json(["/token"])),
                                    .slot(4, from: .json(["/lifetime"]), as: .seconds, isOptional: true),
                                ])),
                        HTTPCall.Answer(ChallengePattern("answer 2", statuses: [403]), isRefusal: true),
                    ]))
        ],
        attach: [.header("Authorization", ProgramTemplate(.text("Token "), .slot(3)))],
        rejections: [RejectionRule(.acquire, retries: 1)])

    var slotValues: [ProgramValue] {
        [
            URL(string: "https://app.example").map(ProgramValue.url) ?? .absent,
            .text(user),
            .secret(password),
        ]
    }
}

/// Credentials of programs that are stored beyond the end of a process.
@Suite("Stored credentials of programs", .timeLimit(.minutes(10)))
struct StoredProgramTests {
    /// The server of several processes.
    private final class Server: Sendable {
        private struct State {
            var tokens: Set<String> = []
            var logins = 0
        }

        private let state = Mutex(State())
        let lifetime: Int?

        init(lifetime: Int? = nil) { self.lifetime = lifetime }

        var logins: Int { state.withLock { $0.logins } }
        func forget() { state.withLock { $0.tokens = [] } }

        func answer(_ sent: ScriptedTransport.Sent) -> Reply {
            guard sent.path == "/login" else {
                let token = sent["Authorization"].map { String($0.dropFirst("Token ".count)) }
                if let token, state.withLock({ $0.tokens.contains(token) }) { return .text("data") }
                return Reply(401, [("X-Area", String(sent.path.split(separator: "/").first ?? ""))])
            }
            let token = state.withLock { state in
                state.logins += 1
                state.tokens.insert("s3cret\(state.logins)")
                return "s3cret\(state.logins)"
            }
            return .text(#"{"token":"\#(token)"\#(lifetime.map { #","lifetime":\#($0)"# } ?? "")}"#)
        }
    }

    private static let key = CredentialKey("Countersign credential\nLogin\nserver=https://app.example\nuser=alice")

    /// Makes a separate process, which shares only the server and the store.
    private func process(_ server: Server, _ store: any CredentialStore, _ parameters: TokenLogin = TokenLogin()) -> ProgramBench {
        ProgramBench(ProgramObserver(parameters: parameters, prompter: nil, store: store)) { server.answer($0) }
    }

    @Test func `a process takes what another one has stored, after one challenge and without a login`() async throws {
        let (server, store) = (Server(), MemoryCredentialStore.patient())
        #expect(try await process(server, store).get("/a/data") == 200)
        let second = process(server, store)
        for _ in 0..<2 { #expect(try await second.get("/a/data") == 200) }
        #expect(server.logins == 1)
        #expect(second.transport.sent.map { $0["Authorization"] } == [nil, "Token s3cret1", "Token s3cret1"])
        #expect(second.events.kinds.contains(.ran(step: "load")))
    }

    @Test func `what is refused is deleted, and the next one stored`() async throws {
        let (server, store) = (Server(), MemoryCredentialStore.patient())
        #expect(try await process(server, store).get("/a/data") == 200)
        server.forget()
        let second = process(server, store)
        #expect(try await second.get("/a/data") == 200)
        #expect(second.transport.sent.map { $0["Authorization"] } == [nil, "Token s3cret1", nil, "Token s3cret2"])
        #expect(try await process(server, store).get("/a/data") == 200)
        #expect(server.logins == 2)
    }

    @Test func `what another process has stored meanwhile is taken before a login`() async throws {
        let (server, store) = (Server(), MemoryCredentialStore.patient())
        let (first, second) = (process(server, store), process(server, store))
        #expect(try await first.get("/a/data") == 200)
        #expect(try await second.get("/a/data") == 200)
        server.forget()
        #expect(try await first.get("/a/data") == 200)
        #expect(try await second.get("/a/data") == 200)
        #expect(server.logins == 2)
        // The second process was refused with the old token, and has not deleted the newer one.
        #expect(try await process(server, store).get("/a/data") == 200)
        #expect(server.logins == 2)
    }

    @Test func `each protection space has its own`() async throws {
        let (server, store) = (Server(), MemoryCredentialStore.patient())
        let first = process(server, store)
        #expect(try await first.get("/a/data") == 200)
        #expect(try await first.get("/b/data") == 200)
        let second = process(server, store)
        #expect(try await second.get("/b/data") == 200)
        #expect(try await second.get("/a/data") == 200)
        #expect(second.transport.sent.compactMap { $0["Authorization"] } == ["Token s3cret2", "Token s3cret1"])
        #expect(server.logins == 2)
    }

    @Test func `another user's parameters lead to another credential, another password does not`() async throws {
        let (server, store) = (Server(), MemoryCredentialStore.patient())
        #expect(try await process(server, store).get("/a/data") == 200)
        #expect(try await process(server, store, TokenLogin(user: "bob")).get("/a/data") == 200)
        #expect(server.logins == 2)
        #expect(try await process(server, store, TokenLogin(password: "changed")).get("/a/data") == 200)
        #expect(server.logins == 2)
    }

    @Test func `an expired credential is not taken`() async throws {
        let (server, store) = (Server(lifetime: 1), MemoryCredentialStore.patient())
        #expect(try await process(server, store).get("/a/data") == 200)
        try await Task.sleep(for: .milliseconds(1100))
        let second = process(server, store)
        #expect(try await second.get("/a/data") == 200)
        #expect(second.transport.sent.map { $0["Authorization"] } == [nil, nil, "Token s3cret2"])
    }

    @Test func `the end of what is stored is kept, and a request after it carries nothing`() async throws {
        let (server, store) = (Server(lifetime: 86_400), MemoryCredentialStore.patient())
        #expect(try await process(server, store).get("/a/data") == 200)
        let second = process(server, store)
        #expect(try await second.get("/a/data") == 200)
        second.clock.advance(by: .seconds(80_000))
        #expect(try await second.get("/a/data") == 200)
        #expect(server.logins == 1)
        second.clock.advance(by: .seconds(6_500))
        #expect(try await second.get("/a/data") == 200)
        #expect(server.logins == 2)
        #expect(second.transport.sent.suffix(3).map { $0["Authorization"] } == [nil, nil, "Token s3cret2"])
    }

    @Test func `a logout deletes what is stored, of spaces too that this process has not used`() async throws {
        let (server, store) = (Server(), MemoryCredentialStore.patient())
        #expect(try await process(server, store).get("/a/data") == 200)
        try await process(server, store).session.logOut()
        #expect(try await process(server, store).get("/a/data") == 200)
        #expect(server.logins == 2)
    }

    @Test func `an observer that is taken off its session leaves what is stored`() async throws {
        let (server, store) = (Server(), MemoryCredentialStore.patient())
        let observer = ProgramObserver(parameters: TokenLogin(), prompter: nil, store: store)
        let bench = ProgramBench(observer) { server.answer($0) }
        #expect(try await bench.get("/a/data") == 200)
        bench.session.unregister(observer)
        #expect(try await process(server, store).get("/a/data") == 200)
        #expect(server.logins == 1)
    }

    @Test func `nothing of a user who has logged out is stored afterwards`() async throws {
        let store = MemoryCredentialStore.patient()
        let (arrived, answered) = (Turnstile(), Turnstile())
        let server = Server()
        let bench = ProgramBench(ProgramObserver(parameters: TokenLogin(), prompter: nil, store: store)) { sent in
            if sent.path == "/login" {
                arrived.open()
                try await answered.pass()
            }
            return server.answer(sent)
        }
        let late = Task { try await bench.get("/a/data") }
        try await arrived.pass()
        try await bench.session.logOut()
        answered.open()
        await #expect(throws: (any Error).self) { try await late.value }
        #expect(try await store.read(Self.key) == nil)
    }

    // MARK: Stores that fail

    @Test(arguments: [
        (["write": CredentialStoreError.Code.noSpace], 1), (["read": .wrongKey], 2),
        (["read": .inputOutput, "write": .inputOutput], 2),
        (["write": .conflict], 1),
    ])
    func `a store that fails keeps nobody from working, and says so`(
        _ failures: [String: CredentialStoreError.Code], _ events: Int
    ) async throws {
        let server = Server()
        let bench = process(server, FailingStore(failures))
        for _ in 0..<3 { #expect(try await bench.get("/a/data") == 200) }
        #expect(server.logins == 1)
        #expect(bench.events.count(.notStored) == events)
    }

    @Test func `a damaged credential is given up for the next one`() async throws {
        let (server, store) = (Server(), FailingStore(["read": .corrupt]))
        let bench = process(server, store)
        #expect(try await bench.get("/a/data") == 200)
        #expect(bench.events.kinds.contains(.damaged))
        #expect(!bench.events.kinds.contains(.notStored))
        store.heal()
        #expect(try await process(server, store).get("/a/data") == 200)
        #expect(server.logins == 1)
    }

    @Test func `a damaged store loses no credential, and keeps none`() async throws {
        let (server, store) = (Server(), FailingStore([:]))
        #expect(try await process(server, store).get("/a/data") == 200)
        for work in ["read", "write", "delete"] { store.fail(work, .storeDamaged) }
        let second = process(server, store)
        #expect(try await second.get("/a/data") == 200)
        #expect(second.events.kinds.contains(.notStored) && !second.events.kinds.contains(.damaged))
        store.heal()
        let third = process(server, store)
        #expect(try await third.get("/a/data") == 200)
        #expect(third.transport.sent.last?["Authorization"] == "Token s3cret1")
        #expect(server.logins == 2)
    }

    @Test(arguments: ["no JSON", "{}", #"{"format":2,"entries":[]}"#, #"{"format":1,"entries":[{}]}"#, ""])
    func `what is no credential of ours is left alone`(_ text: String) async throws {
        let (server, store) = (Server(), MemoryCredentialStore.patient())
        #expect(try await process(server, store).get("/a/data") == 200)
        let stored = try #require(try await store.read(Self.key))
        try await store.write(SecretBytes(utf8: text), for: Self.key, replacing: stored.version)
        let second = process(server, store)
        #expect(try await second.get("/a/data") == 200)
        #expect(second.events.count(.notStored) == 2)
        #expect(try await store.read(Self.key)?.secret == SecretBytes(utf8: text))
        // A logout deletes it.
        try await second.session.logOut()
        #expect(try await store.read(Self.key) == nil)
    }

    @Test func `a store that cannot delete fails the logout, and what it has is not taken afterwards`() async throws {
        let (server, store) = (Server(), FailingStore([:]))
        #expect(try await process(server, store).get("/a/data") == 200)
        let failing = FailingStore(["discard": .inputOutput])
        let bench = process(server, failing)
        #expect(try await bench.get("/a/data") == 200)
        await expectError(.credentialNotDeleted) { try await bench.session.logOut() }
        #expect(try await bench.get("/a/data") == 200)
        #expect(server.logins == 3)
        // The credential that was stored then has replaced the other.
        failing.heal()
        #expect(try await process(server, failing).get("/a/data") == 200)
        #expect(server.logins == 3)
    }

    @Test func `many processes at once end with one credential that is good`() async throws {
        let (server, store) = (Server(), MemoryCredentialStore.patient())
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<20 { group.addTask { try await process(server, store).get("/\(number % 4)/data") } }
            for try await status in group { #expect(status == 200) }
        }
        let logins = server.logins
        let last = process(server, store)
        for number in 0..<4 { #expect(try await last.get("/\(number)/data") == 200) }
        #expect(server.logins == logins)
    }

    @Test func `no more than 64 spaces are kept`() async throws {
        let (server, store) = (Server(), MemoryCredentialStore.patient())
        let first = process(server, store)
        for number in 0..<70 { #expect(try await first.get("/\(number)/data") == 200) }
        let second = process(server, store)
        #expect(try await second.get("/69/data") == 200)
        #expect(server.logins == 70)
        #expect(try await second.get("/0/data") == 200)
        #expect(server.logins == 71)
    }

    /// Saves a credential of a server for a realm.
    private func save(_ realm: Int, of server: String, in stored: StoredCredentials) async throws {
        let origin = try #require(URL(string: server).flatMap { Origin($0) })
        let entry = CredentialEntry(
            server: server, separators: ["\(realm)"], fields: ["token": "s3cret"], cookies: nil, attached: [], expires: nil)
        let outcome = await stored.save(for: ProtectionSpace(server: origin, separators: entry.separators)) {
            StoredChange(entry: entry, basis: .anything)
        }
        if case .kept = outcome { return }
        Issue.record("not saved")
    }

    @Test func `a server that names ever new realms displaces only its own credentials`() async throws {
        let stored = StoredCredentials(MemoryCredentialStore.patient(), of: PreparedProgram(TokenLogin(), prompter: nil))
        for realm in 0..<10 { try await save(realm, of: "https://good.example", in: stored) }
        for realm in 0..<100 { try await save(realm, of: "https://bad.example", in: stored) }
        let entries = try await stored.all()
        #expect(entries.count == 64)
        #expect(entries.prefix(10).allSatisfy { $0.server == "https://good.example" })
        #expect(entries.dropFirst(10).map(\.separators) == (46..<100).map { [Optional("\($0)")] })
        // A server with fewer credentials still has a place for another one.
        try await save(10, of: "https://good.example", in: stored)
        #expect(try await stored.all().count { $0.server == "https://good.example" } == 11)
    }

    @Test func `among 64 servers the oldest credential is displaced, and then none of another server`() async throws {
        let stored = StoredCredentials(MemoryCredentialStore.patient(), of: PreparedProgram(TokenLogin(), prompter: nil))
        for number in 0..<64 { try await save(0, of: "https://s\(number).example", in: stored) }
        for realm in 0..<3 { try await save(realm, of: "https://bad.example", in: stored) }
        let entries = try await stored.all()
        #expect(entries.dropLast().map(\.server) == (1..<64).map { "https://s\($0).example" })
        #expect(entries.last?.separators == ["2"])
    }

    @Test func `nothing that is stored is printed`() {
        let entry = CredentialEntry(
            server: "https://app.example", separators: [], fields: ["token": "s3cret"],
            cookies: [StoredCookie(Cookie(name: "SID", value: "s3cret", domain: "app.example", isHostOnly: true))], attached: [],
            expires: nil)
        var dumped = ""
        dump(entry, to: &dumped)
        for text in ["\(entry)", String(reflecting: entry), dumped, "\(entry.cookies ?? [])"] { #expect(!text.contains("s3cret")) }
    }
}
