import Foundation
import HTTPTypes
import Synchronization
import Testing

@_spi(Generated) @testable import Countersign

/// The attachment of an application's credential, and the number of refusals in a row after which another one is requested.
protocol StubKind: Sendable {
    static var placement: CredentialPlacement { get }
    static var isEager: Bool { get }
    static var retries: Int { get }
}

extension StubKind {
    static var isEager: Bool { false }
    static var retries: Int { 3 }
}

/// A method whose credential the application supplies.
struct StubParameters<Kind: StubKind>: ProgramParameters {
    var servers: ProtectedOrigins?

    static var program: MethodProgram {
        MethodProgram(
            name: "Stub", summary: "A credential.",
            slots: [.parameter("servers"), .credential("name", isSecret: true)],
            challenges: [ChallengePattern("unauthorized", statuses: [401])],
            credential: CredentialShape(
                fields: [.slot(1)], destinations: [0], isForRequested: true, isEager: Kind.isEager),
            acquire: [.prompt(0, slots: [1])], attach: [Kind.placement],
            rejections: [RejectionRule(.acquire, retries: Kind.retries)])
    }

    var slotValues: [ProgramValue] { [servers.map(ProgramValue.origins) ?? .absent] }
}

enum StubAttachment: CaseIterable, Sendable {
    /// In a field, after a challenge.
    case challenged
    /// In a field, from the first request on.
    case eager
    /// On connections.
    case connection
    /// Like ``challenged``, but the first refusal is final.
    case single

    private enum Challenged: StubKind {
        static var placement: CredentialPlacement { .header("Authorization", ProgramTemplate(.slot(1))) }
    }
    private enum Eager: StubKind {
        static var placement: CredentialPlacement { .header("X-Key", ProgramTemplate(.slot(1))) }
        static var isEager: Bool { true }
    }
    private enum Connection: StubKind {
        static var placement: CredentialPlacement { .connection(1) }
    }
    private enum Single: StubKind {
        static var placement: CredentialPlacement { .header("Authorization", ProgramTemplate(.slot(1))) }
        static var retries: Int { 0 }
    }

    func value(_ name: String) -> ProgramValue {
        guard self == .connection else { return .secret(name) }
        return .identity(ConnectionIdentity(certificateChain: [Array(name.utf8)], privateKey: SecretBytes(utf8: name)))
    }

    func observer(_ servers: ProtectedOrigins?, _ prompter: any ProgramPrompting, _ store: any PlaceCredentialStore)
        -> any SessionObserver
    {
        func make<Kind: StubKind>(_ kind: Kind.Type) -> any SessionObserver {
            ProgramObserver(parameters: StubParameters<Kind>(servers: servers), prompter: prompter, places: store)
        }
        return switch self {
        case .challenged: make(Challenged.self)
        case .eager: make(Eager.self)
        case .connection: make(Connection.self)
        case .single: make(Single.self)
        }
    }
}

extension ProgramValue {
    /// The name of a stub credential.
    fileprivate var name: String? {
        switch self {
        case .identity(let identity): identity.certificateChain.first.map { String(decoding: $0, as: UTF8.self) }
        default: text
        }
    }
}

/// An application that supplies credentials, and a store for them.
final class StubSource: PlaceCredentialStore {
    typealias Ask = @Sendable (_ number: Int, CredentialPrompt) async throws -> String?

    private struct State {
        var asked = 0
        var stored: [ProgramValue]?
        var writes: [String] = []
        var failsToStore = false
        var failsToDelete = false
    }

    struct Full: Error {}

    private let answer: Ask
    private let beforeStoring: @Sendable (String) async -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - answer: Returns the name of the application's credential.
    ///   - beforeStoring: Called before a credential is stored, to delay that.
    init(
        answer: @escaping Ask = { number, _ in "user\(number)" },
        beforeStoring: @escaping @Sendable (String) async -> Void = { _ in }
    ) {
        self.beforeStoring = beforeStoring
        self.answer = answer
    }

    /// The number of prompts.
    var asked: Int { state.withLock { $0.asked } }
    /// The name of the stored credential.
    var stored: String? { state.withLock { $0.stored?.first?.name } }
    /// The stored credentials, and "-" for each deletion, in order.
    var writes: [String] { state.withLock { $0.writes } }
    func failToStore(_ fails: Bool) { state.withLock { $0.failsToStore = fails } }
    func failToDelete(_ fails: Bool) { state.withLock { $0.failsToDelete = fails } }
    /// Stores a credential, as another session would.
    func put(_ name: String) { state.withLock { $0.stored = [.secret(name)] } }

    func load(for place: CredentialPlace) -> [ProgramValue]? { state.withLock { $0.stored } }

    fileprivate func ask(_ prompt: CredentialPrompt) async throws -> String? {
        let number = state.withLock { state in
            state.asked += 1
            return state.asked
        }
        return try await answer(number, prompt)
    }

    func store(_ values: [ProgramValue], for place: CredentialPlace) async throws {
        let name = values.first?.name ?? ""
        await beforeStoring(name)
        try state.withLock { state in
            guard !state.failsToStore else { throw Full() }
            state.stored = values
            state.writes.append(name)
        }
    }

    func delete(for place: CredentialPlace) throws {
        try state.withLock { state in
            guard !state.failsToDelete else { throw Full() }
            state.stored = nil
            state.writes.append("-")
        }
    }
}

/// Passes prompts on to the application of a source.
private struct StubPrompts: ProgramPrompting {
    let source: StubSource
    let attachment: StubAttachment

    func answer(prompt number: Int, _ prompt: CredentialPrompt) async throws -> [ProgramValue]? {
        try await source.ask(prompt).map { [attachment.value($0)] }
    }
}

/// A session with an observer of an application's credential, and a server that accepts some credentials.
struct StubBench: Sendable {
    static let origin = "https://app.example"

    let source: StubSource
    let clock = ManualClock()
    let events = EventRecorder()
    let transport: ScriptedTransport
    let session: Session

    /// - Parameters:
    ///   - attachment: The attachment of the credential.
    ///   - first: An observer that is registered before that of the credential.
    ///   - before: Called before the server answers.
    ///   - accepts: Whether the server accepts a credential, by its name.
    init(
        _ source: StubSource, _ attachment: StubAttachment = .challenged, behind first: (any SessionObserver)? = nil,
        before: @escaping @Sendable (ScriptedTransport.Sent) async throws -> Void = { _ in },
        accepts: @escaping @Sendable (String, ScriptedTransport.Sent) -> Bool = { _, _ in true }
    ) throws {
        self.source = source
        transport = ScriptedTransport { sent in
            try await before(sent)
            return sent.credential.map { accepts($0, sent) } == true
                ? .text("data") : Reply(401, [("WWW-Authenticate", #"Basic realm="Stub""#)])
        }
        let clock = clock
        session = Session(
            configuration: .test(events: events) { $0.clock = clock }, transport: transport)
        let url = try #require(URL(string: Self.origin))
        let origin = try #require(Origin(url))
        if let first { session.register(first) }
        session.register(
            attachment.observer(
                ProtectedOrigins(origins: [origin]), StubPrompts(source: source, attachment: attachment), source))
    }

    func get(_ path: String = "/data") async throws -> String { try await session.send(.to(Self.origin + path)).text() }

    /// The credentials that were sent, in order.
    var credentials: [String?] { transport.sent.map(\.credential) }
}

extension ScriptedTransport.Sent {
    /// The name of the credential that the request carried.
    fileprivate var credential: String? {
        if let chain = request.identity?.certificateChain.first { return String(decoding: chain, as: UTF8.self) }
        return self["Authorization"] ?? self["X-Key"]
    }
}
