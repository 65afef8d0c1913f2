@_spi(Generated) import Countersign
import Foundation
import Synchronization
import Testing

/// The choice among an application's keys.
@Suite("API keys of an application", .timeLimit(.minutes(10)))
struct APIKeySourceTests {
    /// Returns one list of keys after another, and the last one from then on.
    private final class Rotation: APIKeyCredentialDiscovery {
        private let lists: Mutex<[[String]]>
        init(_ lists: [String]...) { self.lists = Mutex(lists) }

        func provideAPIKeyCredential(for appplicationId: String?, user: String?) -> APIKeyCredential? {
            lists.withLock { APIKeyCredential(apikeys: $0.count > 1 ? $0.removeFirst() : $0[0]) }
        }
    }

    /// Returns a key for a URL asynchronously.
    private final class Vault: AsyncAPIKeyCredentialDiscovery {
        private let answer: @Sendable (URL) async throws -> APIKeyCredential?
        private let addresses = Mutex<[URL]>([])
        init(_ answer: @escaping @Sendable (URL) async throws -> APIKeyCredential?) { self.answer = answer }

        var asked: [URL] { addresses.withLock { $0 } }

        func obtainAPIKeyCredential(for url: URL) async throws -> APIKeyCredential? {
            addresses.withLock { $0.append(url) }
            return try await answer(url)
        }
    }

    /// Makes a session that sends the keys of a discovery to a server that accepts one of them.
    private func session(
        _ discovery: any APIKeyCredentialDiscovery, accepting good: String = "good"
    ) throws -> (session: Session, transport: ScriptedTransport) {
        let transport = ScriptedTransport { sent in sent["X-Key"] == good ? .text("data") : Reply(401) }
        var configuration = SessionConfiguration()
        configuration.clock = ManualClock()
        let session = Session(configuration: configuration, transport: transport)
        let url = try #require(URL(string: "https://app.example"))
        let origin = try #require(Origin(url))
        session.register(
            ProgramObserver(
                parameters: Parameters(servers: ProtectedOrigins(origins: [origin])), prompter: APIKeySource(discovery), places: nil
            ))
        return (session, transport)
    }

    private struct Parameters: ProgramParameters {
        var servers: ProtectedOrigins

        static let program = MethodProgram(
            name: "Key", summary: "A key.",
            slots: [.parameter("servers"), .credential("key", isSecret: true)],
            challenges: [ChallengePattern("unauthorized", statuses: [401])],
            credential: CredentialShape(fields: [.slot(1)], destinations: [0], isEager: true),
            acquire: [.prompt(0, slots: [1])], attach: [.header("X-Key", ProgramTemplate(.slot(1)))],
            rejections: [RejectionRule(.acquire, retries: 4, error: 0)],
            errors: [ErrorTable("Key", [ErrorDescription(type: "KeyError", code: "refused", summary: "The key was refused.")])])

        var slotValues: [ProgramValue] { [.origins(servers)] }
        static func error(_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)? {
            CountersignKeyError.refused
        }
    }

    private enum CountersignKeyError: AuthenticationError {
        case refused
        static var authenticationMethod: String { "Key" }
        var code: String { "refused" }
        var errorDescription: String? { "The key was refused." }
        var failureReason: String? { nil }
    }

    private func get(_ session: Session) async throws -> String {
        try await session.send(.to("https://app.example/orders")).text()
    }

    @Test func `a fresh key is sent after the refusal of the only one that there was`() async throws {
        let (session, transport) = try session(Rotation(["old"], ["good"]))
        #expect(try await get(session) == "data")
        #expect(transport.sent.map { $0["X-Key"] } == ["old", "good"])
    }

    @Test func `a fresh key at the head of the list is sent, and no refused one again`() async throws {
        let (session, transport) = try session(Rotation(["a", "b"], ["fresh", "a", "b"], ["good", "fresh", "a", "b"]))
        #expect(try await get(session) == "data")
        #expect(transport.sent.map { $0["X-Key"] } == ["a", "fresh", "good"])
    }

    @Test func `a key that is listed twice is sent once`() async throws {
        let (session, transport) = try session(Rotation(["a", "a", "good"]))
        #expect(try await get(session) == "data")
        #expect(transport.sent.map { $0["X-Key"] } == ["a", "good"])
    }

    @Test func `a discovery whose keys have all been refused ends in the method's error`() async throws {
        let (session, transport) = try session(Rotation(["a", "b"]))
        await #expect(throws: CountersignKeyError.refused) { try await get(session) }
        #expect(transport.sent.map { $0["X-Key"] } == ["a", "b"])
    }

    @Test func `keys can come asynchronously, once for all requests that wait`() async throws {
        let answer = Turnstile()
        let vault = Vault { _ in
            try await answer.pass()
            return APIKeyCredential(apikeys: ["good"])
        }
        defer { answer.open() }
        let (session, transport) = try session(vault)
        let requests = (0..<10).map { _ in Task { try await get(session) } }
        try await awaitCondition { answer.arrivals == 1 }
        #expect(transport.sent.isEmpty)
        answer.open()
        for request in requests { #expect(try await request.value == "data") }
        #expect(vault.asked.map(\.absoluteString) == ["https://app.example/orders"])
    }

    @Test func `an error of an asynchronous discovery is that of the request, and giving up a cancellation`() async throws {
        struct Locked: Error {}
        let (locked, _) = try session(Vault { _ in throw Locked() })
        await #expect(throws: Locked.self) { try await get(locked) }
        let (dismissed, _) = try session(Vault { _ in throw CancellationError() })
        let error = await #expect(throws: CountersignError.self) { try await get(dismissed) }
        #expect(error?.code == .cancelled)
    }

    @Test func `an asynchronous discovery ends when no request waits for it any more`() async throws {
        let (answer, ended) = (Turnstile(), Gate())
        let vault = Vault { _ in
            defer { ended.open() }
            try await answer.pass()
            return nil
        }
        let (session, _) = try session(vault)
        let request = Task { try await get(session) }
        try await awaitCondition { answer.arrivals == 1 }
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        await ended.pass()
    }
}
