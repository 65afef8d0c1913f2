import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A credential of an application, whatever way it is attached.
struct StubCredential: ApplicationCredential {
    let name: String

    func attach(to fields: inout HTTPFields, as attachment: CredentialAttachment) throws(CredentialFailure) {
        guard let field = attachment.fieldName else { return }
        fields[fields: field] = [HTTPField(name: field, value: name)]
    }

    var connectionIdentity: ConnectionIdentity? {
        ConnectionIdentity(certificateChain: [Array(name.utf8)], privateKey: SecretBytes(utf8: name))
    }
}

/// An application that gives credentials, and a store for them.
final class StubSource: CredentialSource {
    typealias Ask = @Sendable (_ number: Int, CredentialQuestion) async throws -> StubCredential?

    private struct State {
        var asked = 0
        var stored: StubCredential?
        var writes: [String] = []
        var failsToStore = false
    }

    struct Full: Error {}

    private let answer: Ask
    private let beforeStoring: @Sendable (StubCredential) async -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - answer: The application.
    ///   - beforeStoring: Holds up what is stored.
    init(
        answer: @escaping Ask = { number, _ in StubCredential(name: "user\(number)") },
        beforeStoring: @escaping @Sendable (StubCredential) async -> Void = { _ in }
    ) {
        self.beforeStoring = beforeStoring
        self.answer = answer
    }

    /// How often the application was asked.
    var asked: Int { state.withLock { $0.asked } }
    /// The name of the stored credential.
    var stored: String? { state.withLock { $0.stored?.name } }
    /// What was stored, and "-" for each deletion, in order.
    var writes: [String] { state.withLock { $0.writes } }
    func failToStore(_ fails: Bool) { state.withLock { $0.failsToStore = fails } }

    func load(for place: CredentialPlace) -> StubCredential? { state.withLock { $0.stored } }

    func ask(_ question: CredentialQuestion) async throws -> StubCredential? {
        let number = state.withLock { state in
            state.asked += 1
            return state.asked
        }
        return try await answer(number, question)
    }

    func store(_ credential: StubCredential, for place: CredentialPlace) async throws {
        await beforeStoring(credential)
        try state.withLock { state in
            guard !state.failsToStore else { throw Full() }
            state.stored = credential
            state.writes.append(credential.name)
        }
    }

    func delete(for place: CredentialPlace) {
        state.withLock { state in
            state.stored = nil
            state.writes.append("-")
        }
    }
}

/// A session with an observer of an application's credential, and a server that accepts some of them.
struct StubBench: Sendable {
    static let origin = "https://app.example"

    let source: StubSource
    let clock = ManualClock()
    let events = EventRecorder()
    let transport: ScriptedTransport
    let session: Session

    /// - Parameters:
    ///   - attachment: How the credential is attached.
    ///   - afterResend: The steps after a refusal.
    ///   - before: What the server does before it answers.
    ///   - accepts: Whether the server accepts a credential, by its name.
    init(
        _ source: StubSource, _ attachment: CredentialAttachment = .basic,
        afterResend: [CredentialStep] = [.delete, .again(atMost: 3)],
        before: @escaping @Sendable (ScriptedTransport.Sent) async throws -> Void = { _ in },
        accepts: @escaping @Sendable (String, ScriptedTransport.Sent) -> Bool = { _, _ in true }
    ) throws {
        self.source = source
        transport = ScriptedTransport { sent in
            try await before(sent)
            return sent.credential.map { accepts($0, sent) } == true
                ? .text("data") : Reply(401, [("WWW-Authenticate", #"Basic realm="Stub""#)])
        }
        let method = CredentialMethod(
            name: "Stub", summary: "A credential.",
            challenges: [ChallengeSignature(name: "unauthorized", statuses: [401], fields: [])], attachment: attachment,
            authenticate: [.load, .ask(failure: { _ in nil }), .store], afterResend: afterResend, errors: [],
            mock: MockDescription())
        let clock = clock
        session = Session(
            configuration: .test(events: events) { $0.clock = clock }, transport: transport)
        let url = try #require(URL(string: Self.origin))
        let origin = try #require(Origin(url))
        session.register(
            CredentialObserver(name: "StubObserver", method: method, source: source, origins: ProtectedOrigins(origins: [origin])))
    }

    func get(_ path: String = "/data") async throws -> String { try await session.send(.to(Self.origin + path)).text() }

    /// The credentials that were sent, in order.
    var credentials: [String?] { transport.sent.map(\.credential) }
}

extension ScriptedTransport.Sent {
    /// The name of the credential that the request came with.
    fileprivate var credential: String? {
        if let chain = request.identity?.certificateChain.first { return String(decoding: chain, as: UTF8.self) }
        return self["Authorization"] ?? self["X-Key"]
    }
}
