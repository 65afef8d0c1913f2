#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
internal import Synchronization

/// The credentials of a method in a session, one for each protection space.
///
/// The manager selects the credential of a request (`+Attachment`, `+Negotiation`), recognises and answers challenges
/// (`+Challenges`), obtains credentials without a challenge (`+Unasked`), and ends them with the user's session (`+End`). It decides
/// which credential; ``ManagedCredential`` obtains, renews and stores it.
final class CredentialManager: Sendable {
    let method: PreparedProgram
    let challenges: MethodChallenges
    /// The origins that may receive the credential; `nil` if the session's cookies decide.
    let destinations: CredentialDestinations?
    let store: (any CredentialRepository)?
    /// The observer's name in events.
    let observer: String
    let makeClock: @Sendable (Session) -> TokenClock
    /// The credentials by protection space.
    let spaces = Mutex(CredentialSpaces())
    /// Whether a user has logged out. After that, stored credentials are used only if a server asks for them.
    let hasLoggedOut = Atomic(false)
    /// The names of the header fields that carry the credential, except those that the credential itself names.
    let fieldNames: [HTTPField.Name]
    /// The names of the header fields and query parameters that carry the credential, by the requests that carry them.
    let carriedNames: CarriedNames
    /// Whether the credential itself names a header field that carries it.
    let namesFields: Bool
    /// The names of the query parameters that carry the credential.
    let parameterNames: [String]
    /// The names among them whose values are secret or belong to one signature alone.
    let secretParameterNames: [String]
    /// The place of the credential in bodies; `nil` if it is not in bodies.
    let bodyPlace: BodyPlace?
    /// The terms of the Negotiate scheme; `nil` if the method does not use it.
    let negotiation: NegotiationTerms?
    /// Whether the security contexts of an origin have several legs, as far as known.
    let haveSeveralLegs = Mutex<[Origin: Bool]>([:])
    /// The header fields that announce the client's capabilities.
    let announcements: [HTTPField]
    typealias Answer = ChallengeAnswers.Answer

    /// - Parameter store: The persistent store; `nil` for memory only.
    convenience init(_ method: PreparedProgram, keptIn store: (any CredentialRepository)? = nil) {
        self.init(
            method, keptIn: store, for: method.usesSessionCookies ? nil : CredentialDestinations(method.destinations),
            as: method.program.name)
    }

    /// - Parameters:
    ///   - store: The persistent store; `nil` for memory only.
    ///   - destinations: The origins that may receive the credential; `nil` if the session's cookies decide.
    ///   - observer: The observer's name in events.
    ///   - clock: Creates the clock and random source of a session.
    init(
        _ method: PreparedProgram, keptIn store: (any CredentialRepository)?, for destinations: CredentialDestinations?,
        as observer: String, clock: @escaping @Sendable (Session) -> TokenClock = { TokenClock(elapsed: $0.now) }
    ) {
        self.method = method
        // The system stores Kerberos tickets itself. What is for one request has no later use.
        self.store = method.negotiation == nil && !method.isForOneRequest ? store : nil
        self.observer = observer
        self.destinations = destinations
        makeClock = clock
        challenges = MethodChallenges(method)
        negotiation = method.negotiation?.terms(method.parameters)
        announcements = method.program.announcements.compactMap { $0.field(method.parameters) }
        fieldNames = method.fieldNames
        carriedNames = CarriedNames(of: method)
        namesFields = method.namesFields
        let names = method.program.attach.map { $0.parameterNames(method.parameters) }
        parameterNames = names.flatMap(\.all)
        secretParameterNames = names.flatMap(\.secret)
        bodyPlace = method.bodyPlace
    }

    /// Whether the current origin of an exchange may receive a credential of the method: the current one, or one that is obtained
    /// for a request to it. ``isFor(_:_:)`` decides about each credential.
    func isFor(_ exchange: ExchangeContext) -> Bool {
        guard let destinations, !destinations.includes(exchange) else { return true }
        guard method.namesRecipients else { return false }
        return spaces.withLock { $0.all }.contains { $0.names(exchange.origin) }
    }

    /// Whether the current origin of an exchange may receive a credential, which can itself name recipients.
    func isFor(_ exchange: ExchangeContext, _ credential: PresentCredential) -> Bool {
        guard method.namesRecipients, let destinations else { return true }
        return destinations.includes(exchange) || credential.recipients.contains(exchange.origin)
    }

    /// Returns the space of a request whose store must be read first, since a stored credential may name the request's server as
    /// its recipient; `nil` if it need not be read.
    func unreadSpace(for request: HTTPRequest, in exchange: ExchangeContext) -> ManagedCredential? {
        guard method.namesRecipients, hasPlace(in: request, exchange) else { return nil }
        return unreadSpace(in: exchange)
    }

    /// Returns the space of an exchange whose store must be read first, whether or not its request has a place for the credential.
    func unreadSpace(in exchange: ExchangeContext) -> ManagedCredential? {
        guard method.namesRecipients, store != nil, !isFor(exchange), mayTravel(exchange), !isInsideAuthentication else {
            return nil
        }
        let space = space(challengedBy: .none, in: exchange)
        return space.needsRestoring ? space : nil
    }

    /// Whether the exchange's connection is safe enough for the credential.
    func mayTravel(_ exchange: ExchangeContext) -> Bool { !method.isSecret || exchange.origin.isPrivate }

    /// Whether the credential can be added to a request without replacing one of the caller or of another observer.
    func hasPlace(in request: HTTPRequest, _ exchange: ExchangeContext) -> Bool {
        carriedNames.areFree(in: request) && !(namesFields && hasNamedField(request))
            && (bodyPlace?.isFree(in: request, body: exchange.body) ?? true)
            && (!method.usesConnection || exchange.origin.scheme == "https")
            // A token request carries no token.
            && !(method.isToken && TokenRequest.isUnderWay)
    }

    /// Whether a request has a header field that one of the credentials names.
    private func hasNamedField(_ request: HTTPRequest) -> Bool {
        spaces.withLock { $0.all }.contains { $0.present(ofAnyAge: true)?.hasField(in: request) == true }
    }

    /// Whether the current task is part of an authentication of this method, so that its requests cannot wait for one.
    var isInsideAuthentication: Bool {
        FlightScope.current != nil && spaces.withLock { $0.all.contains { FlightScope.isInside($0.coordinator) } }
    }

    /// Returns the method's own error for a failure, or else a ``CountersignError``.
    @inline(never)
    func translated(_ error: any Error, at origin: Origin) -> any Error { method.error(of: error, at: origin) }

    /// The names of the header fields that carry the current credentials, including those that a credential itself names. None if
    /// the credential names one of them and there is none yet.
    var currentFieldNames: Set<HTTPField.Name> {
        guard namesFields else { return Set(fieldNames) }
        let carried = spaces.withLock { $0.all }.flatMap { $0.present(ofAnyAge: true)?.fieldNames ?? [] }
        return carried.isEmpty ? [] : Set(fieldNames + carried)
    }

    /// The access key that currently signs requests; `nil` if there is none.
    var accessKey: AccessKey? { spaces.withLock { $0.all }.lazy.compactMap(\.accessKey).first }

    /// The store, with the time limits of a session.
    func store(in session: Session) -> (any CredentialRepository)? { store.map { TimedRepository($0, session.configuration) } }

    /// The redirects that end the method's login pages.
    var redirects: [AuthorizationRedirect] { method.redirects }

    /// Returns the space of a place, and creates it if necessary.
    func space(
        for place: ProtectionSpace, among spaces: inout CredentialSpaces, in session: Session
    ) -> ManagedCredential {
        spaces.space(for: place) { place, number in
            ManagedCredential(
                place, number: number, of: method, store: store(in: session), isRestored: hasLoggedOut.load(ordering: .relaxed),
                observer: observer, clock: makeClock(session), in: session)
        }
    }

    /// Removes the space of an exchange that has ended.
    func remove(_ place: ProtectionSpace) {
        // Released after the lock, since other exchanges may end with it.
        let removed = spaces.withLock { $0.remove(place) }
        _ = consume removed
    }

    /// Returns the space of a challenge, and creates it if necessary. From then on it covers the addresses to which the challenge
    /// applies.
    func space(challengedBy challenge: ChallengeReading, in exchange: ExchangeContext) -> ManagedCredential {
        if method.isForOneRequest {
            let place = method.ownPlace(in: exchange)
            exchange.answers?.own(place, of: self)
            return spaces.withLock { space(for: place, among: &$0, in: exchange.session) }
        }
        let place = method.place(of: challenge, at: exchange.origin)
        let isWhole = method.program.credential.space != .directory
        let folder = isWhole ? "/" : CredentialSpaces.folder(of: exchange.address.path)
        return spaces.withLock { spaces in
            // This is the case for all challenges of a folder except the first.
            if let space = spaces.space(of: place, owning: folder) { return space }
            let space = self.space(for: place, among: &spaces, in: exchange.session)
            spaces.note(folder: folder, belongsTo: place)
            return space
        }
    }
}
