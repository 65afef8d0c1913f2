import Foundation
import HTTPTypes
import Testing

@_spi(Generated) @testable import Countersign

/// A method with a token for each server, and the user's name in the store.
private struct NamedToken: ProgramParameters {
    static let program = MethodProgram(
        name: "Named", summary: "A token.",
        slots: [
            .parameter("servers"), .credential("token", isSecret: true), .credential("user"), .credential("page"),
            .credential("lifetime"),
        ],
        challenges: [ChallengePattern("unauthorized", statuses: [401])],
        credential: CredentialShape(fields: [1, 2, 3, 4].map { .slot($0) }, lifetime: 4, destinations: [0]),
        acquire: [.http(call)], renewal: CredentialRenewal(needs: [1], [.http(call)]),
        attach: [.header("Authorization", ProgramTemplate(.text("Bearer "), .slot(1)))],
        rejections: [RejectionRule(.renew, .acquire)])

    private static let call = HTTPCall(
        "POST", ProgramTemplate(.text("https://login.example/token")),
        answers: [
            HTTPCall.Answer(
                ChallengePattern(
                    "answer 1", statuses: [200],
                    captures: [
                        .slot(1, from: .json(["/token"])), .slot(2, from: .json(["/user"])),
                        .slot(4, from: .json(["/lifetime"]), as: .seconds, isOptional: true),
                    ]))
        ])

    var slotValues: [ProgramValue] { [.origins(.anywhere)] }
}

/// The values of credentials that the application reads.
@Suite("Values of credentials", .timeLimit(.minutes(10)))
struct CredentialValueTests {
    /// The session of a separate process, which shares only the store with others.
    private struct Client {
        let observer: ProgramObserver<NamedToken>
        let bench: ProgramBench

        init(_ store: (any CredentialStore)? = nil) {
            observer = ProgramObserver(parameters: NamedToken(), prompter: nil, store: store)
            bench = ProgramBench(observer) { sent in
                if sent.url.host() == "login.example" { return .text(#"{"token":"s3cret","user":"alice","lifetime":3600}"#) }
                return sent["Authorization"] == nil ? Reply(401) : .text("data")
            }
        }

        func values(_ text: String = ProgramBench.origin) async throws -> CredentialValues? {
            let url = try #require(URL(string: text))
            return try await observer.credentialValues(for: url, in: bench.session)
        }
    }

    /// Saves a credential of the server in a store.
    private func save(_ fields: [String: String], until expiry: Date?, in store: any CredentialStore) async throws {
        let stored = StoredCredentials(store, of: PreparedProgram(NamedToken(), prompter: nil))
        let origin = try #require(URL(string: ProgramBench.origin).flatMap { Origin($0) })
        let entry = CredentialEntry(
            server: origin.description, separators: [], fields: fields, cookies: nil, attached: ["authorization"], expires: expiry)
        let outcome = await stored.save(for: entry.place) { StoredChange(entry: entry, basis: .anything) }
        guard case .kept = outcome else {
            Issue.record("not saved")
            return
        }
    }

    @Test func `before the first login there are none, and nothing is sent`() async throws {
        let client = Client(MemoryCredentialStore.patient())
        #expect(try await client.values() == nil)
        #expect(client.bench.transport.sent.isEmpty)
    }

    @Test func `those of the current credential are returned, with its expiry date in place of the lifetime`() async throws {
        let client = Client()
        #expect(try await client.bench.get() == 200)
        let count = client.bench.transport.sent.count
        let values = try #require(try await client.values())
        #expect(values.text(1) == "s3cret" && values.text(2) == "alice")
        #expect(values.text(3) == nil && values.url(3) == nil && values.text(4) == nil)
        let expiry = try #require(values.expirationDate)
        #expect(abs(expiry.timeIntervalSinceNow - 3600) < 300)
        #expect(client.bench.transport.sent.count == count)
    }

    @Test func `an expired credential is returned, and not renewed`() async throws {
        let client = Client()
        #expect(try await client.bench.get() == 200)
        let expiry = try await client.values()?.expirationDate
        client.bench.clock.advance(by: .seconds(3601))
        let count = client.bench.transport.sent.count
        let values = try #require(try await client.values())
        #expect(values.text(1) == "s3cret")
        #expect(values.expirationDate == expiry)
        #expect(client.bench.transport.sent.count == count)
    }

    @Test func `each server has its own`() async throws {
        let client = Client()
        #expect(try await client.bench.get() == 200)
        #expect(try await client.values("https://other.example/data") == nil)
        #expect(try await client.bench.get("https://other.example/data") == 200)
        #expect(try await client.values("https://other.example") != nil)
        #expect(try await client.values(ProgramBench.origin + "/elsewhere") != nil)
    }

    @Test func `those of a realm are known after its challenge`() async throws {
        let server = try #require(URL(string: ProgramBench.origin))
        let observer = ProgramObserver(
            parameters: PasswordParameters(server: server), prompter: StubPrompter { _, _ in ("alice", "wonderland") },
            store: MemoryCredentialStore.patient())
        let bench = ProgramBench(observer) { sent in
            sent["Authorization"] == nil ? Reply(401, [("WWW-Authenticate", #"Basic realm="notes""#)]) : .text("data")
        }
        #expect(try await observer.credentialValues(for: server, in: bench.session) == nil)
        #expect(try await bench.get("/notes/1") == 200)
        #expect(try await observer.credentialValues(for: server, in: bench.session) == nil)
        let values = try await observer.credentialValues(for: server.appending(path: "notes/2"), in: bench.session)
        #expect(values?.text(2) == "alice" && values?.text(3) == "wonderland")
        #expect(values?.expirationDate == nil)
    }

    @Test func `stored ones are read without a request, and the store is still read for the first challenge`() async throws {
        let store = MemoryCredentialStore.patient()
        #expect(try await Client(store).bench.get() == 200)
        let second = Client(store)
        let values = try #require(try await second.values())
        #expect(values.text(1) == "s3cret" && values.text(2) == "alice")
        #expect(try await second.values()?.expirationDate == values.expirationDate)
        #expect(second.bench.transport.sent.isEmpty)
        #expect(try await second.bench.get() == 200)
        #expect(second.bench.transport.sent.map { $0["Authorization"] } == [nil, "Bearer s3cret"])
    }

    @Test func `stored ones that have expired and can be renewed are returned with their date`() async throws {
        let (store, expiry) = (MemoryCredentialStore.patient(), Date(timeIntervalSinceReferenceDate: 700_000_000))
        try await save(["token": "old", "user": "alice", "page": "https://app.example/alice"], until: expiry, in: store)
        let values = try #require(try await Client(store).values())
        #expect(values.text(1) == "old")
        #expect(values.url(3)?.path() == "/alice")
        #expect(values.expirationDate == expiry)
    }

    @Test func `stored ones of a version without a field lack it`() async throws {
        let store = MemoryCredentialStore.patient()
        try await save(["token": "old"], until: nil, in: store)
        let client = Client(store)
        let values = try #require(try await client.values())
        #expect(values.text(1) == "old" && values.text(2) == nil)
        #expect(try await client.bench.get() == 200)
        #expect(client.bench.transport.sent.count { $0.url.host() == "login.example" } == 0)
    }

    @Test func `after a logout there are none, even if another process has stored a credential`() async throws {
        let store = MemoryCredentialStore.patient()
        let client = Client(store)
        #expect(try await client.bench.get() == 200)
        try await client.bench.session.logOut()
        #expect(try await client.values() == nil)
        #expect(try await Client(store).bench.get() == 200)
        #expect(try await client.values() == nil)
        #expect(try await client.bench.get() == 200)
        #expect(try await client.values() != nil)
    }

    @Test func `what is read from the store while the user's session ends is not returned`() async throws {
        let content = MemoryCredentialStore.patient()
        try await save(["token": "old", "user": "alice"], until: nil, in: content)
        let gate = Turnstile()
        let store = GatedStore(content, reads: gate)
        let client = Client(store)
        let reading = Task { try await client.values() }
        await gate.arrivals(1)
        client.bench.session.endSession()
        gate.open()
        #expect(try await reading.value == nil)
    }

    @Test(arguments: [true, false])
    func `the wait for a store that does not answer ends with the caller or at the time limit`(_ isCancelled: Bool) async throws {
        let content = MemoryCredentialStore.patient()
        try await save(["token": "old"], until: nil, in: content)
        let gate = Turnstile()
        let client = Client(GatedStore(content, reads: gate))
        let reading = Task { try await client.values() }
        await gate.arrivals(1)
        if isCancelled {
            reading.cancel()
            await #expect(throws: CancellationError.self) { try await reading.value }
        } else {
            await client.bench.clock.sleepers(1)
            client.bench.clock.advance(by: .seconds(60))
            await expectError(.timedOut) { _ = try await reading.value }
        }
        gate.open()
        #expect(try await client.values()?.text(1) == "old")
    }

    @Test func `a store that cannot be read, an observer that is not registered, and a URL without a server throw`() async throws {
        let failing = Client(FailingStore(["read": .inputOutput]))
        await #expect(throws: CredentialStoreError.self) { try await failing.values() }
        let client = Client()
        await expectError(.invalidRequest) { _ = try await client.values("file:///data") }
        client.bench.session.unregister(client.observer)
        await expectError(.invalidRequest) { _ = try await client.values() }
    }

    @Test func `no description shows a value`() async throws {
        let client = Client()
        #expect(try await client.bench.get() == 200)
        let values = try #require(try await client.values())
        var text = "\(values) \(String(reflecting: values))"
        dump(values, to: &text)
        #expect(!text.contains("s3cret") && !text.contains("alice"))
    }
}
