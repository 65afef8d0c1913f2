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
/// **Where a credential goes.** To the ``origins`` that it is for, if the application names them, also when a redirect leads there. If it
/// names none: to the first origin that the application asks; a redirect leads no credential anywhere. Any other origin receives none, and
/// ``SessionEvent/Kind/withheld`` says so. Nothing is attached to a request that has such a field of the caller's own. Nothing goes
/// unencrypted to another machine: a challenge that would need that ends in ``CountersignError/Code/insecureDestination``.
///
/// **Realms.** A Basic credential belongs to a realm (RFC 7617). It is sent without being asked for to paths at or below one that was
/// challenged for that realm, and to no other.
///
/// **Identities.** One that connections are made with belongs to a whole server, is for `https` alone, and is used for all connections to
/// the server from the first demand on.
///
/// **Reviews.** What the application gives can be reviewed before any other request has it: see ``AuthenticationReview``.
public final class CredentialObserver<Source: CredentialSource>: SessionObserver {
    public let name: String
    /// The origins that may receive the credential; `nil` for the first that the application asks.
    public var origins: ProtectedOrigins? { destinations.origins }
    private let destinations: CredentialDestinations
    private let method: CredentialMethod
    private let source: Source
    /// Whether a challenge is answered; otherwise it is the business of other observers, and the credential only attached.
    private let answersChallenges: Bool
    private let review: AuthenticationReview?
    private let signatures: [CompiledSignature]
    private let ownComparison: (@Sendable (HTTPResponse, ExchangeContext) -> Bool)?
    private let spaces = Mutex(CredentialSpaces<CredentialSpace<Source>>())

    /// Makes an observer.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - method: What is executed.
    ///   - source: Where credentials come from and are kept.
    ///   - origins: The origins that may receive the credential; `nil` for the first that the application asks.
    ///   - answersChallenges: `false` leaves challenges to other observers.
    ///   - isChallenge: Replaces the native comparison of heads by the application's own; asked once per response.
    ///   - review: Has a say on each credential that the application gives, before the requests that wait for it go on.
    public init(
        name: String, method: CredentialMethod, source: Source, origins: ProtectedOrigins? = nil,
        answersChallenges: Bool = true, isChallenge: (@Sendable (HTTPResponse, ExchangeContext) -> Bool)? = nil,
        review: AuthenticationReview? = nil
    ) {
        self.name = name
        self.method = method
        self.source = source
        destinations = CredentialDestinations(origins)
        self.answersChallenges = answersChallenges
        self.review = review
        signatures = method.compiledSignatures
        ownComparison = isChallenge
    }

    public func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Attachment {
        guard mayConcern(exchange), exchange.origin.isPrivate else {
            noteWithheldField(in: exchange)
            return .nothing
        }
        guard !isInsideAuthentication else {
            guard let (credential, generation) = reviewed?.provisional, space(attachedTo: exchange) === reviewed else {
                return .nothing
            }
            return attach(credential, generation, to: &request)
        }
        guard let space = space(attachedTo: exchange) else { return .nothing }
        switch space.readiness {
        case .credential(let credential, let generation):
            space.tend()
            return attach(credential, space.carried(generation), to: &request)
        case .nothing: return isProactive ? .later : .nothing
        }
    }

    public func prepare(_ request: inout HTTPRequest, in exchange: ExchangeContext) async throws -> Attachment {
        guard let space = space(attachedTo: exchange) else { return .nothing }
        let question = CredentialQuestion(place: space.place, url: exchange.url)
        try await translating(space) { try await space.ensureOther(than: .none, signature: nil, question, for: exchange) }
        guard case .credential(let credential, let generation) = space.readiness else { return .nothing }
        return attach(credential, space.carried(generation), to: &request)
    }

    public func classify(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict {
        guard isAsked(exchange) else {
            if isWithheld(exchange), signature(of: response, in: exchange) != nil {
                destinations.reportWithheld(in: exchange, by: name)
            }
            return .pass
        }
        if let signature = signature(of: response, in: exchange) {
            let isAnswered = isAnswered(signature, in: exchange) { space(challengedBy: response, in: exchange) }
            return isAnswered ? .challenge(signature: signature) : .pass
        }
        if method.attachment == .connection, ownComparison == nil, exchange.carried != .none {
            space(attachedTo: exchange)?.noteAccepted(exchange.carried)
        }
        return .pass
    }

    public func needsBody(of response: HTTPResponse, in exchange: ExchangeContext) -> Bool {
        ownComparison == nil && signatures.needBody(of: response, from: exchange.url) && isAsked(exchange)
    }

    public func classify(refusal: TransportError, in exchange: ExchangeContext) -> String? {
        guard let signature = signatures.first(where: { $0.isRefusedConnection })?.name else { return nil }
        guard isAsked(exchange) else {
            if isWithheld(exchange) { destinations.reportWithheld(in: exchange, by: name) }
            return nil
        }
        return isAnswered(signature, in: exchange) { space(challengedBy: nil, in: exchange) } ? signature : nil
    }

    public func recover(_ challenge: ChallengeOccurrence, in exchange: ExchangeContext) async throws {
        guard exchange.origin.isPrivate else {
            throw CountersignError(
                .insecureDestination, detail: "\(exchange.origin) asks for a credential, which would be sent unencrypted",
                authenticationMethod: method.name, origin: exchange.origin)
        }
        guard let space = space(challengedBy: challenge.response, in: exchange) else { return }
        // What is reviewed goes with the request from now on; to wait for the review's end is not for its own requests.
        guard space.provisional == nil else { return }
        let question = CredentialQuestion(
            place: space.place, url: exchange.url, response: challenge.response)
        try await translating(space) {
            try await space.ensureOther(
                than: challenge.generation, signature: challenge.signature, question, for: exchange)
        }
    }

    public func didEndSession(_ session: Session) {
        let isRegistered = session.isRegistered(self)
        for space in spaces.withLock({ $0.all }) { space.end(deletes: isRegistered) }
        if !isRegistered { destinations.reset() }
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
        if method.attachment == .connection {
            return credential.connectionIdentity.map { .connection($0, generation) } ?? .nothing
        }
        // What cannot be attached was refused when it was given.
        guard (try? credential.attach(to: &request.headerFields, as: method.attachment)) != nil else { return .nothing }
        return .ready(generation)
    }
}

// MARK: - Challenges

extension CredentialObserver {
    /// Whether an exchange is one that the credential may be in.
    private func mayConcern(_ exchange: ExchangeContext) -> Bool { hasPlace(exchange) && destinations.includes(exchange) }

    /// Whether an exchange has a place for the credential, wherever it goes.
    private func hasPlace(_ exchange: ExchangeContext) -> Bool {
        switch method.attachment.fieldName {
        case let name?: !exchange.request.headerFields.contains(name)
        case nil: exchange.origin.scheme == "https"
        }
    }

    /// Whether a challenge would be answered if the origin were among those that may receive the credential.
    private func isWithheld(_ exchange: ExchangeContext) -> Bool {
        answersChallenges && hasPlace(exchange) && !destinations.includes(exchange) && !isInsideAuthentication
    }

    /// Reports a request that goes without a field only because another origin was the first: its server need not ask for the field.
    private func noteWithheldField(in exchange: ExchangeContext) {
        guard isProactive, origins == nil, exchange.isDirect, exchange.origin.isPrivate, hasPlace(exchange),
            !destinations.includes(exchange)
        else { return }
        destinations.reportWithheld(in: exchange, by: name)
    }

    /// Whether the response to an exchange may be a challenge: one that can be answered, or the refusal of what is reviewed.
    private func isAsked(_ exchange: ExchangeContext) -> Bool {
        answersChallenges && mayConcern(exchange) && (!isInsideAuthentication || reviewed != nil)
    }

    /// Whether the present task is a part of an authentication of this observer, so that its requests cannot wait for one.
    private var isInsideAuthentication: Bool {
        FlightScope.current != nil && spaces.withLock { $0.all.contains { FlightScope.isInside($0.coordinator) } }
    }

    /// The space whose credential the present task reviews.
    private var reviewed: CredentialSpace<Source>? {
        guard review != nil, FlightScope.current != nil else { return nil }
        return spaces.withLock { $0.all.first { $0.provisional != nil } }
    }

    private func signature(of response: HTTPResponse, in exchange: ExchangeContext) -> String? {
        guard let ownComparison else {
            return signatures.first(matching: response, from: exchange.url, bodyPrefix: exchange.bodyPrefix)?.name
        }
        return ownComparison(response, exchange) ? "application" : nil
    }

    /// Whether a challenge is answered, which outside of reviews each is.
    ///
    /// A request of a review is answered where the server asks for what is reviewed. Where it had that, it was refused, which is noted, and
    /// the review gets the response.
    private func isAnswered(
        _ signature: String, in exchange: ExchangeContext, space: () -> CredentialSpace<Source>?
    ) -> Bool {
        guard let reviewed, let generation = reviewed.provisional?.generation else { return true }
        if exchange.carried == generation {
            FlightScope.noteRefusal(of: reviewed.coordinator, signature: signature)
            return false
        }
        return space() === reviewed
    }
}

// MARK: - Spaces

extension CredentialObserver {
    /// Whether requests carry a credential before a server has asked for one.
    private var isProactive: Bool {
        if case .field = method.attachment { true } else { false }
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
            // One request can need several, which the method itself limits.
            maximumAttempts: configuration.maximumAuthentications * method.mostFlightsOfARequest,
            window: configuration.authenticationWindow, dismissalCoolDown: configuration.dismissalCoolDown,
            isShared: configuration.sharesAuthentications)
        return CredentialSpace(
            place, number: number, method: method, source: source, limits: limits, clock: configuration.clock, review: review,
            failed: { [weak session, review, method] error in
                guard let session, let review else { return }
                let failure = error as? FlightFailure
                review.failed(
                    session,
                    failure.map { CountersignError($0, authenticationMethod: method.name, origin: place.origin) } ?? error)
            }
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
