#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes
internal import Synchronization

/// Attaches credentials of the application, and has them replaced where they are refused: what a generated observer for
/// `credential: basic` and `credential: api-key` is made of.
///
/// **Where a credential goes.** To the ``origins`` that it is for, if the application names them, whoever leads there. If it does not: to
/// each origin that the application asks directly; a redirect leads no credential anywhere. Nothing is attached to a request that has such
/// a field of the caller's own. Nothing goes unencrypted to another machine: a challenge that would need that ends in
/// ``CountersignError/Code/insecureDestination``.
///
/// **Realms.** A Basic credential belongs to a realm (RFC 7617). It is sent without being asked for to paths at or below one that was
/// challenged for that realm, and to no other.
///
/// **Identities.** One that connections are made with belongs to a whole server, is for `https` alone, and is used for all connections to
/// the server from the first demand on.
public final class CredentialObserver<Source: CredentialSource>: SessionObserver {
    public let name: String
    /// The origins that credentials are for; `nil` for each that the application asks directly.
    public let origins: Set<Origin>?
    private let method: CredentialMethod
    private let source: Source
    /// Whether a challenge is answered; otherwise it is the business of other observers, and the credential only attached.
    private let answersChallenges: Bool
    private let signatures: [CompiledSignature]
    private let ownComparison: (@Sendable (HTTPResponse, ExchangeContext) -> Bool)?
    private let spaces = Mutex(CredentialSpaces<Source>())

    /// Makes an observer.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - method: What is executed.
    ///   - source: Where credentials come from and are kept.
    ///   - origins: The origins that credentials are for, also when a redirect leads there; `nil` for each that the application asks
    ///     directly.
    ///   - answersChallenges: `false` leaves challenges to other observers.
    ///   - isChallenge: Replaces the native comparison of heads by the application's own; asked once per response.
    public init(
        name: String, method: CredentialMethod, source: Source, origins: Set<Origin>? = nil, answersChallenges: Bool = true,
        isChallenge: (@Sendable (HTTPResponse, ExchangeContext) -> Bool)? = nil
    ) {
        self.name = name
        self.method = method
        self.source = source
        self.origins = origins
        self.answersChallenges = answersChallenges
        signatures = method.compiledSignatures
        ownComparison = isChallenge
    }

    public func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Attachment {
        guard concerns(exchange), exchange.origin.isPrivate else { return .nothing }
        guard let space = space(attachedTo: exchange) else { return .nothing }
        switch space.readiness {
        case .credential(let credential, let generation):
            if method.attachment == .connection {
                return credential.connectionIdentity.map { .connection($0, space.carried(generation)) } ?? .nothing
            }
            return attach(credential, space.carried(generation), to: &request)
        case .nothing: return isProactive ? .later : .nothing
        }
    }

    public func prepare(_ request: inout HTTPRequest, in exchange: ExchangeContext) async throws -> Attachment {
        guard let space = space(attachedTo: exchange) else { return .nothing }
        let question = CredentialQuestion(place: space.place, url: exchange.url)
        try await translating(space) { try await space.ensureOther(than: .none, signature: nil, question) }
        guard case .credential(let credential, let generation) = space.readiness else { return .nothing }
        return attach(credential, space.carried(generation), to: &request)
    }

    public func classify(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict {
        guard answersChallenges, concerns(exchange) else { return .pass }
        if let ownComparison { return ownComparison(response, exchange) ? .challenge(signature: "application") : .pass }
        let signature = signatures.first(matching: response, from: exchange.url, bodyPrefix: exchange.bodyPrefix)
        if let signature { return .challenge(signature: signature.name) }
        if method.attachment == .connection, exchange.carried != .none {
            space(attachedTo: exchange)?.noteAccepted(exchange.carried)
        }
        return .pass
    }

    public func needsBody(of response: HTTPResponse, in exchange: ExchangeContext) -> Bool {
        answersChallenges && ownComparison == nil && signatures.needBody(of: response, from: exchange.url) && concerns(exchange)
    }

    public func classify(refusal: TransportError, in exchange: ExchangeContext) -> String? {
        guard answersChallenges, concerns(exchange) else { return nil }
        return signatures.first { $0.isRefusedConnection }?.name
    }

    public func recover(_ challenge: ChallengeOccurrence, in exchange: ExchangeContext) async throws {
        guard exchange.origin.isPrivate else {
            throw CountersignError(
                .insecureDestination, detail: "\(exchange.origin) asks for a credential, which would be sent unencrypted",
                authenticationMethod: method.name, origin: exchange.origin)
        }
        guard let space = space(challengedBy: challenge.response, in: exchange) else { return }
        let question = CredentialQuestion(
            place: space.place, url: exchange.url, response: challenge.response)
        try await translating(space) {
            try await space.ensureOther(than: challenge.generation, signature: challenge.signature, question)
        }
    }

    public func didEndSession(_ session: Session) {
        let isRegistered = session.isRegistered(self)
        for space in spaces.withLock({ $0.all }) { space.end(deletes: isRegistered) }
    }

    public func forget(at origin: Origin?, in session: Session) async throws {
        var failure: (any Error)?
        for space in spaces.withLock({ $0.all }) {
            do { try await space.forget() } catch { failure = failure ?? error }
        }
        guard let failure else { return }
        // What a store says of itself stays with it: its texts are an application's own.
        throw CountersignError(
            .credentialNotDeleted, detail: "the store failed to delete a credential: \(type(of: failure))",
            authenticationMethod: method.name)
    }

    private func attach(
        _ credential: Source.Credential, _ generation: Generation, to request: inout HTTPRequest
    ) -> Attachment {
        // What cannot be attached was refused when it was given.
        guard (try? credential.attach(to: &request.headerFields, as: method.attachment)) != nil else { return .nothing }
        return .ready(generation)
    }
}

// MARK: - Spaces

extension CredentialObserver {
    /// Whether requests carry a credential before a server has asked for one.
    private var isProactive: Bool {
        if case .field = method.attachment { true } else { false }
    }

    /// Whether an exchange is one that the credential may be in.
    private func concerns(_ exchange: ExchangeContext) -> Bool {
        let isAllowed = origins.map { $0.contains(exchange.origin) } ?? (exchange.origin == exchange.firstOrigin)
        guard isAllowed else { return false }
        switch method.attachment.fieldName {
        case let name?: if exchange.request.headerFields.contains(name) { return false }
        case nil: if exchange.origin.scheme != "https" { return false }
        }
        // A request that an authentication of this observer sends cannot wait for one.
        guard FlightScope.current != nil else { return true }
        return !spaces.withLock { $0.all.contains { FlightScope.isInside($0.coordinator) } }
    }

    /// The space whose credential goes with a request.
    private func space(attachedTo exchange: ExchangeContext) -> CredentialSpace<Source>? {
        spaces.withLock { spaces in
            if isProactive { return spaces.space(for: CredentialPlace(origin: exchange.origin)) { make($0, $1, exchange.session) } }
            if method.attachment == .connection { return spaces.known(CredentialPlace(origin: exchange.origin)) }
            return spaces.space(covering: exchange.url, at: exchange.origin)
        }
    }

    /// The space that a challenge is about.
    private func space(challengedBy response: HTTPResponse?, in exchange: ExchangeContext) -> CredentialSpace<Source>? {
        guard method.attachment == .basic, let response else {
            return spaces.withLock { spaces in
                spaces.space(for: CredentialPlace(origin: exchange.origin)) { make($0, $1, exchange.session) }
            }
        }
        let challenge = AuthenticationChallenge.challenges(in: response.headerFields).first { $0.hasScheme("Basic") }
        let place = CredentialPlace(origin: exchange.origin, realm: challenge?["realm"])
        return spaces.withLock { spaces in
            let space = spaces.space(for: place) { make($0, $1, exchange.session) }
            spaces.note(exchange.url, belongsTo: place)
            return space
        }
    }

    private func make(_ place: CredentialPlace, _ number: UInt64, _ session: Session) -> CredentialSpace<Source> {
        let configuration = session.configuration
        let limits = FlightCoordinator.Limits(
            // The application may ask a person.
            timeout: configuration.interactiveTimeout, isInteractive: true,
            maximumAttempts: configuration.maximumAuthentications, window: configuration.authenticationWindow,
            isShared: configuration.sharesAuthentications)
        return CredentialSpace(
            place, number: number, method: method, source: source, limits: limits, clock: configuration.clock
        ) { [weak session, name] kind in
            session?.report(SessionEvent(kind, observer: name, origin: place.origin))
        }
    }

    private func translating(_ space: CredentialSpace<Source>, _ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let failure as FlightFailure {
            throw CountersignError(failure, authenticationMethod: method.name, origin: space.place.origin)
        } catch let error as CountersignError {
            throw error.completed(authenticationMethod: method.name)
        }
    }
}

extension CredentialMethod {
    /// Whether a response that came from `url` is a challenge.
    public func matches(_ response: HTTPResponse, url: URL) -> Bool {
        compiledSignatures.first(matching: response, from: url) != nil
    }

    var compiledSignatures: [CompiledSignature] { challenges.map { CompiledSignature($0.description(for: ())) } }
}

extension CredentialAttachment {
    /// The field that holds the credential; `nil` if it is in none.
    var fieldName: HTTPField.Name? {
        switch self {
        case .connection: nil
        case .basic: .authorization
        // A spec's name was checked when it was read; what is no name is in no request.
        case .field(let name): HTTPField.Name(name) ?? .authorization
        }
    }
}
