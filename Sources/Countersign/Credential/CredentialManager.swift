#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
internal import Synchronization

/// The credentials of a method in a session, one for each protection space. The manager selects the credential of a request and
/// answers challenges.
final class CredentialManager: Sendable {
    let method: PreparedProgram
    private let challenges: MethodChallenges
    /// The origins that may receive the credential; `nil` if the session's cookies decide.
    private let destinations: CredentialDestinations?
    private let store: (any CredentialRepository)?
    /// The observer's name in events.
    private let observer: String
    private let makeClock: @Sendable (Session) -> TokenClock
    let spaces = Mutex(CredentialSpaces())
    /// Whether a user has logged out. After that, stored credentials are used only if a server asks for them.
    private let hasLoggedOut = Atomic(false)
    /// The names of the header fields that carry the credential.
    private let fieldNames: [HTTPField.Name]
    /// The terms of the Negotiate scheme; `nil` if the method does not use it.
    private let negotiation: NegotiationTerms?
    /// Whether the security contexts of an origin have several legs, as far as known.
    private let haveSeveralLegs = Mutex<[Origin: Bool]>([:])
    /// The header fields that announce the client's capabilities.
    private let announcements: [HTTPField]
    private typealias Answer = ChallengeAnswers.Answer

    /// The name of a challenge that the application recognises itself.
    private static var ownSignature: String { "application" }

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
        // The system stores Kerberos tickets itself.
        self.store = method.negotiation == nil ? store : nil
        self.observer = observer
        self.destinations = destinations
        makeClock = clock
        challenges = MethodChallenges(method)
        negotiation = method.negotiation?.terms(method.parameters)
        announcements = method.program.announcements.compactMap { $0.field(method.parameters) }
        fieldNames =
            method.program.attach.flatMap { $0.fieldNames(method.parameters) }
            + (method.program.credential.cookies == nil ? [] : [.cookie]) + (method.isToken ? [.authorization] : [])
    }

    func attach(to request: inout HTTPRequest, in exchange: ExchangeContext, by observer: String) -> Attachment {
        // Added even if there is no credential, or if another observer has attached one. ``prepare(_:in:)`` runs after this, so
        // it does not add them.
        if !announcements.isEmpty, isFor(exchange) { for field in announcements { request.headerFields.announce(field) } }
        // The session adds its cookies itself. Only their generation is attached here.
        guard !method.usesSessionCookies else { return .ready(cookieSpace(in: exchange.session).carriedGeneration) }
        // Taken first, so that the answer is never kept for a later send.
        let answer = takeAnswer(for: exchange)
        let answered = answer?.origin == exchange.origin ? answer : nil
        guard mayAttach(to: answered == nil ? request : exchange.request, in: exchange) else {
            noteWithheldField(of: request, in: exchange, by: observer)
            return .nothing
        }
        guard let space = answered?.space ?? space(attachedTo: exchange) else { return attachmentOfNothing(in: nil, exchange) }
        guard !isInsideAuthentication else {
            return space.provisional.map { attach($0, signer: nil, to: &request, in: exchange) } ?? .nothing
        }
        space.tend(for: exchange)
        guard let present = space.present(ofAnyAge: answered != nil, for: exchange.epoch) else {
            return space.canPrepare ? .later : attachmentOfNothing(in: space, exchange)
        }
        // If the server has asked for this credential, it replaces one that another observer has attached.
        if answered != nil { for name in fieldNames { request.headerFields[fields: name] = [] } }
        let attachment = attach(
            answered?.nonce.map(present.proving) ?? present, signer: answered?.signer, to: &request, in: exchange)
        if attachment == .later, let answered { note(answered, to: exchange) }
        return attachment
    }

    /// - Throws: The method's errors; ``CountersignError``; an error of the application; `CancellationError`.
    func prepare(_ request: inout HTTPRequest, in exchange: ExchangeContext) async throws -> Attachment {
        let answer = takeAnswer(for: exchange)
        guard mayAttach(to: request, in: exchange), let space = answer?.space ?? space(attachedTo: exchange) else {
            return .nothing
        }
        guard !isInsideAuthentication else {
            guard let provisional = space.provisional else { return .nothing }
            return attach(provisional, signer: nil, try await payload(for: provisional, in: exchange), to: &request, in: exchange)
        }
        do { try await space.prepare(for: exchange) } catch { throw translated(error, at: exchange.origin) }
        guard let present = space.present(ofAnyAge: true, for: exchange.epoch) else {
            return attachmentOfNothing(in: space, exchange)
        }
        if let negotiation {
            return try await attachLeg(by: negotiation, of: present, to: &request, in: exchange)
        }
        return attach(present, signer: nil, try await payload(for: present, in: exchange), to: &request, in: exchange)
    }

    /// Returns the body's part of the signature, and reads the body if necessary; `nil` if requests are not signed.
    ///
    /// - Throws: ``CountersignError/Code/bodyNotReplayable``; an error of the body's stream.
    private func payload(
        for credential: PresentCredential, in exchange: ExchangeContext
    ) async throws -> RequestPayload? {
        guard let signature = credential.signature else { return nil }
        if let payload = signature.payload(of: exchange.body, isEncrypted: exchange.origin.scheme == "https") { return payload }
        return try await signature.payload(reading: exchange.body)
    }

    /// Returns the attachment of a request without a credential. It has the generation, so that a challenge does not start a
    /// second login if a credential has been obtained meanwhile.
    private func attachmentOfNothing(in space: ManagedCredential?, _ exchange: ExchangeContext) -> Attachment {
        // A security context with a channel binding needs an exclusive connection, over which its challenge is received too.
        if let negotiation, negotiation.isBound {
            let handshake = NegotiationHandshake(over: ExclusiveConnection(), needsProof: negotiation.mechanisms == .kerberos)
            return .handshake(exchange.handshake ?? handshake, .none)
        }
        guard let space, !method.countsRefusals else { return .nothing }
        return .ready(space.carriedGeneration)
    }

    /// Takes the answer for the next send of an exchange; `nil` if no challenge was answered.
    private func takeAnswer(for exchange: ExchangeContext) -> Answer? {
        exchange.answers?.take(for: self)
    }

    private func mayAttach(to request: HTTPRequest, in exchange: ExchangeContext) -> Bool {
        mayTravel(exchange) && hasPlace(in: request, exchange) && isFor(exchange)
    }

    /// Whether the current origin of an exchange may receive the credential.
    func isFor(_ exchange: ExchangeContext) -> Bool { destinations?.includes(exchange) ?? true }

    /// Returns the application's own recognition of challenges, which replaces the patterns; `nil` if there is none.
    private func ownComparison(in exchange: ExchangeContext) -> (@Sendable (HTTPResponse, ExchangeContext) -> Bool)? {
        (exchange.hooks ?? method.hooks).isChallenge
    }

    func mayTravel(_ exchange: ExchangeContext) -> Bool { !method.isSecret || exchange.origin.isPrivate }

    /// Whether the credential can be added to a request without replacing one of the caller or of another observer.
    private func hasPlace(in request: HTTPRequest, _ exchange: ExchangeContext) -> Bool {
        !fieldNames.contains(where: request.headerFields.contains) && (!method.usesConnection || exchange.origin.scheme == "https")
            // A token request carries no token.
            && !(method.isToken && TokenRequest.isUnderWay)
    }

    /// Reports a request that carries no credential only because another origin was the first. A challenge would be reported too,
    /// but the server may send none.
    private func noteWithheldField(of request: HTTPRequest, in exchange: ExchangeContext, by observer: String) {
        guard method.program.credential.isEager, let destinations, destinations.origins == nil, exchange.isDirect,
            mayTravel(exchange), hasPlace(in: request, exchange), !destinations.includes(exchange), !isInsideAuthentication
        else { return }
        destinations.reportWithheld(in: exchange, by: observer)
    }

    /// - Parameter payload: The body's part of the signature if the body had to be read for it; otherwise `nil`.
    private func attach(
        _ present: PresentCredential, signer: DigestSigner?, _ payload: RequestPayload? = nil,
        to request: inout HTTPRequest, in exchange: ExchangeContext
    ) -> Attachment {
        guard negotiation == nil else { return .later }
        let known = payload ?? present.signature?.payload(of: exchange.body, isEncrypted: exchange.origin.scheme == "https")
        if present.signature != nil, known == nil { return .later }
        // The fields are added before the signature, which covers them.
        for field in present.fields { request.headerFields.append(field) }
        if let signature = present.signature, let known { signature.sign(&request, payload: known, at: Date()) }
        if let signer = signer ?? present.signer { request.headerFields.append(signer.field(for: request)) }
        if let identity = present.identity { return .connection(identity, present.generation) }
        return present.cookies.map { .cookies($0, present.generation) } ?? .ready(present.generation)
    }

    /// Attaches the next leg of the exchange's security context.
    ///
    /// - Throws: The method's error if there is no ticket; ``CountersignError``; `CancellationError`.
    private func attachLeg(
        by negotiation: NegotiationTerms, of present: PresentCredential, to request: inout HTTPRequest, in exchange: ExchangeContext
    ) async throws -> Attachment {
        let hasSeveralLegs = haveSeveralLegs.withLock { $0[exchange.origin] } ?? (negotiation.mechanisms == .all)
        let handshake =
            exchange.handshake
            ?? NegotiationHandshake(
                over: negotiation.isBound || hasSeveralLegs ? ExclusiveConnection() : nil,
                needsProof: negotiation.mechanisms == .kerberos)
        do {
            let field = try await negotiation.field(
                by: method.tools.contexts, in: handshake, for: exchange.origin)
            guard let field else { return .handshake(handshake, .none) }
            for field in present.fields { request.headerFields.append(field) }
            request.headerFields.append(field)
            return .handshake(handshake, present.generation)
        } catch let error as SecurityContextError {
            throw method.error(of: error, at: exchange.origin)
        }
    }

    /// Classifies a response as a leg of the exchange's security context; `nil` if it is not one.
    func classifyLeg(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict? {
        guard let handshake = exchange.handshake else { return nil }
        let isMoving = handshake.connection == nil
        switch await handshake.receive(response) {
        case .settled:
            if handshake.hasOneLeg, response.status != .unauthorized { haveSeveralLegs.withLock { $0[exchange.origin] = false } }
            return nil
        case .failed(let error):
            return .refuse((error as? SecurityContextError).map { method.error(of: $0, at: exchange.origin) } ?? error)
        case .next:
            guard let space = spaces.withLock({ $0.space(of: exchange.carried) }) else { return nil }
            if isMoving { haveSeveralLegs.withLock { $0[exchange.origin] = true } }
            note(Answer(space: space, origin: exchange.origin), to: exchange)
            return .resend(signature: "negotiate-leg")
        }
    }

    /// Whether the response's body is needed to recognise a challenge that would be answered.
    func needsBody(of response: HTTPResponse, in exchange: ExchangeContext) -> Bool {
        guard challenges.compareBodies, ownComparison(in: exchange) == nil, hasPlace(in: exchange.request, exchange),
            isFor(exchange)
        else { return false }
        return challenges.needBody(of: response, in: exchange) && (!isInsideAuthentication || reviewed != nil)
    }

    func classify(_ response: HTTPResponse, in exchange: ExchangeContext, by observer: String) -> Verdict {
        let carried =
            exchange.carried == .none || method.usesSessionCookies ? nil : spaces.withLock { $0.space(of: exchange.carried) }
        if method.usesDigest { carried?.present?.signer?.note(response) }
        if method.provesPossession, isFor(exchange) {
            let nonce = method.nonces.note(response, from: exchange.origin)
            // The server refuses the proof and not the token.
            if let carried, let error = response.proofError {
                guard error == proofNonceError, let nonce else {
                    return .refuse(
                        CountersignError(
                            .refusedByServer, detail: "the server refuses the proof that goes with the token: \(error)",
                            authenticationMethod: method.program.name, status: response.status.code))
                }
                note(Answer(space: carried, origin: exchange.origin, nonce: nonce), to: exchange)
                return .resend(signature: error)
            }
        }
        guard let challenge = recognised(response, in: exchange) else {
            if let carried, response.status.saysThatCredentialsAreGood { carried.noteAccepted(exchange.carried) }
            return .pass
        }
        let isAnswered = isAnswered(challenge.name, in: exchange, by: observer) { try challenges.reading(of: challenge) }
        guard isAnswered else { return .pass }
        exchange.answers?.note(Result { () throws(CountersignError) in try challenges.reading(of: challenge) }, for: self)
        return .challenge(signature: challenge.name)
    }

    /// Returns the name of the challenge for a refused connection; `nil` if it is not answered.
    func classify(refusal: TransportError, in exchange: ExchangeContext, by observer: String) -> String? {
        guard let challenge = challenges.refusal else { return nil }
        return isAnswered(challenge, in: exchange, by: observer) { ChallengeReading(refusal: challenge) } ? challenge : nil
    }

    /// Whether a challenge is answered.
    ///
    /// A challenge to a request of a review is answered if the server asks for the credential under review. If the request
    /// carried that credential already, the refusal is recorded, and the review gets the response.
    ///
    /// - Parameter reading: Returns the reading of the challenge.
    private func isAnswered(
        _ challenge: String, in exchange: ExchangeContext, by observer: String, reading: () throws -> ChallengeReading
    ) -> Bool {
        guard hasPlace(in: exchange.request, exchange) else { return false }
        let isInside = isInsideAuthentication
        guard isFor(exchange) else {
            if !isInside { destinations?.reportWithheld(in: exchange, by: observer) }
            return false
        }
        guard isInside else { return true }
        guard let reviewed, let provisional = reviewed.provisional else { return false }
        guard exchange.carried != provisional.generation else {
            FlightScope.noteRefusal(of: reviewed.coordinator, signature: challenge)
            return false
        }
        return (try? reading()).map { method.place(of: $0, at: exchange.origin) } == reviewed.place
    }

    /// The space whose credential the current task reviews; `nil` if there is none.
    private var reviewed: ManagedCredential? {
        guard FlightScope.current != nil, method.countsRefusals else { return nil }
        return spaces.withLock { $0.all.first { $0.provisional != nil } }
    }

    /// Returns the challenge in a response; `nil` if the response is not a challenge.
    private func recognised(_ response: HTTPResponse, in exchange: ExchangeContext) -> RecognisedChallenge? {
        guard let ownComparison = ownComparison(in: exchange), !challenges.isEmpty else {
            return challenges.recognised(response, in: exchange)
        }
        // The application is asked only about responses that could be answered.
        guard hasPlace(in: exchange.request, exchange), !isInsideAuthentication || reviewed != nil,
            ownComparison(response, exchange)
        else { return nil }
        return RecognisedChallenge(name: Self.ownSignature, pattern: nil, response: ResponseReading(response, in: exchange))
    }

    /// - Throws: ``CountersignError``; an error of the application; `CancellationError`.
    func recover(_ challenge: ChallengeOccurrence, in exchange: ExchangeContext) async throws {
        do {
            guard let (space, reading) = try wanting(challenge, in: exchange) else { return }
            try await space.ensureOther(
                than: challenge.generation, after: reading, isRepeated: challenge.isRepeated, for: exchange)
            noteOther(space, after: reading, for: exchange)
        } catch {
            throw translated(error, at: exchange.origin)
        }
    }

    // Code that does not wait is in separate functions, since the frames of waiting functions would otherwise reserve space for
    // all its variables.

    /// Returns the space that needs another credential and the reading of its challenge; `nil` if the challenge is unknown or was
    /// answered at once.
    @inline(never)
    private func wanting(
        _ challenge: ChallengeOccurrence, in exchange: ExchangeContext
    ) throws -> (ManagedCredential, ChallengeReading)? {
        guard mayTravel(exchange) else { throw unencrypted(exchange) }
        guard let reading = try reading(of: challenge, in: exchange) else { return nil }
        let space = space(challengedBy: reading, in: exchange)
        return answersAtOnce(reading, to: challenge.generation, by: space, in: exchange) ? nil : (space, reading)
    }

    func unencrypted(_ exchange: ExchangeContext) -> CountersignError {
        CountersignError(
            .insecureDestination, detail: "\(exchange.origin) asks for a credential, which would be sent unencrypted",
            authenticationMethod: method.program.name, origin: exchange.origin)
    }

    /// Records an answer that requires no other credential.
    ///
    /// - Returns: Whether there is such an answer.
    private func answersAtOnce(
        _ reading: ChallengeReading, to generation: Generation, by space: ManagedCredential, in exchange: ExchangeContext
    ) -> Bool {
        if space.provisional != nil {
            // The request carries the credential under review from now on. Requests of a review must not wait for its end.
            note(Answer(space: space, origin: exchange.origin), to: exchange)
            return true
        }
        guard let digest = reading.digest, digest.isStale, let present = space.present, let signer = present.signer,
            present.generation == generation
        else { return false }
        // User name and password were not refused. Only the nonce is stale, and the challenge has a new one.
        let renewed = signer.renewed(by: digest)
        space.replaceSigner(by: renewed, in: present.generation)
        note(Answer(space: space, origin: exchange.origin, signer: renewed), to: exchange)
        return true
    }

    /// Records that the next send carries the current credential of a space.
    @inline(never)
    private func noteOther(_ space: ManagedCredential, after reading: ChallengeReading, for exchange: ExchangeContext) {
        let other = reading.digest.flatMap { digest in
            space.present?.signer.flatMap { $0.isFor(digest) ? nil : $0.renewed(by: digest) }
        }
        note(Answer(space: space, origin: exchange.origin, signer: other), to: exchange)
    }

    @inline(never)
    func translated(_ error: any Error, at origin: Origin) -> any Error { method.error(of: error, at: origin) }

    /// The access key that currently signs requests; `nil` if there is none.
    var accessKey: AccessKey? { spaces.withLock { $0.all }.lazy.compactMap(\.accessKey).first }

    /// The redirects that end the method's login pages.
    var redirects: [AuthorizationRedirect] { method.redirects }

    /// Returns the revocations of the current credentials.
    func revocations() -> [Revocation] { spaces.withLock { $0.all }.compactMap { $0.revocation() } }

    /// Returns the revocations of stored credentials that this process does not hold.
    func storedRevocations(in session: Session) async throws -> [Revocation] {
        // Without a revocation, the store need not be read.
        let entries = method.program.end.isEmpty ? [] : try await store?.all() ?? []
        return entries.compactMap { entry in
            let space = spaces.withLock { spaces in self.space(for: entry.place, among: &spaces, in: session) }
            return space.revocation(of: entry, in: session)
        }
    }

    /// Ends the credentials when the user's session has ended or the observer was unregistered.
    func end(isRegistered: Bool, in session: Session) {
        if isRegistered {
            hasLoggedOut.store(true, ordering: .relaxed)
            store?.disown()
        }
        for space in spaces.withLock({ $0.all }) { space.end(isLogout: isRegistered) }
        // An unregistered observer may be registered again and use its stored credentials.
        guard isRegistered else {
            destinations?.reset()
            return
        }
        guard let store else { return }
        store.discard(at: session.now())
        Task { [observer, weak session] in
            do { try await store.waitForDeletion() } catch { session?.report(SessionEvent(.notStored, observer: observer)) }
        }
    }

    /// Waits until the stored credentials of the user who has logged out are deleted.
    ///
    /// - Parameter origin: An origin that may have a stored credential although this process has sent it no request.
    /// - Throws: ``CountersignError/Code/credentialNotDeleted``.
    func forget(at origin: Origin?, in session: Session) async throws {
        if let origin, destinations?.origins?.origins == nil { store?.discard(origin, at: session.now()) }
        do {
            try await store?.waitForDeletion()
        } catch {
            // The text of a store's error is not passed on, since it is the application's own.
            let reason = (error as? CredentialStoreError)?.code.rawValue ?? "\(type(of: error))"
            throw CountersignError(
                .credentialNotDeleted, detail: "the store failed to delete a credential: \(reason)",
                authenticationMethod: method.program.name)
        }
    }

    private func note(_ answer: Answer, to exchange: ExchangeContext) {
        // A method with the session's cookies attaches nothing.
        guard !method.usesSessionCookies else { return }
        exchange.answers?.note(answer, for: self)
    }

    /// Whether the current task is part of an authentication of this method, so that its requests cannot wait for one.
    private var isInsideAuthentication: Bool {
        FlightScope.current != nil && spaces.withLock { $0.all.contains { FlightScope.isInside($0.coordinator) } }
    }

    /// Returns the reading of a challenge, which the exchange has kept since the recognition; `nil` if it is not a challenge of
    /// the method.
    ///
    /// - Throws: ``CountersignError/Code/unusableChallenge``, ``CountersignError/Code/addressRefused``.
    private func reading(
        of challenge: ChallengeOccurrence, in exchange: ExchangeContext
    ) throws(CountersignError) -> ChallengeReading? {
        guard let response = challenge.response else { return ChallengeReading(refusal: challenge.signature) }
        if let reading = exchange.answers?.takeReading(for: self) { return try reading.get() }
        // Outside of an exchange, no reading is kept, so the response is read again.
        let challenge =
            ownComparison(in: exchange) == nil
            ? challenges.recognised(response, in: exchange, named: challenge.signature)
            : RecognisedChallenge(
                name: challenge.signature, pattern: nil, response: ResponseReading(response, in: exchange))
        guard let challenge else { return nil }
        return try challenges.reading(of: challenge)
    }

    /// Returns the space whose credential a request carries, and creates it if requests always carry the credential.
    private func space(attachedTo exchange: ExchangeContext) -> ManagedCredential? {
        if let space = spaces.withLock({ $0.space(covering: exchange.address, at: exchange.origin) }) { return space }
        guard method.program.credential.isEager || method.isToken else { return nil }
        return space(challengedBy: .none, in: exchange)
    }

    func space(
        for place: ProtectionSpace, among spaces: inout CredentialSpaces, in session: Session
    ) -> ManagedCredential {
        spaces.space(for: place) { place, number in
            ManagedCredential(
                place, number: number, of: method, store: store, isRestored: hasLoggedOut.load(ordering: .relaxed),
                observer: observer, clock: makeClock(session), in: session)
        }
    }

    /// Returns the space of a challenge, and creates it if necessary. From then on it covers the addresses to which the challenge
    /// applies.
    func space(challengedBy challenge: ChallengeReading, in exchange: ExchangeContext) -> ManagedCredential {
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

extension HTTPResponse.Status {
    /// Whether the status code means that the server has checked and accepted the credential. Refusals, server errors and
    /// overload do not.
    fileprivate var saysThatCredentialsAreGood: Bool { code < 500 && ![401, 407, 408, 421, 425, 429].contains(code) }
}
