#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
internal import Synchronization

/// The credentials of a method on a session, one for each protection space: which of them goes with a request, and what a challenge leads to.
final class CredentialManager: Sendable {
    private let method: PreparedProgram
    private let challenges: MethodChallenges
    /// Who may receive the credential; `nil` where the session's cookies decide.
    private let destinations: CredentialDestinations?
    private let store: (any CredentialRepository)?
    /// The observer's name in events.
    private let observer: String
    private let makeClock: @Sendable (Session) -> TokenClock
    private let spaces = Mutex(CredentialSpaces())
    /// Whether a user has logged out: from then on what the store has is taken only where a server asks for it.
    private let hasLoggedOut = Atomic(false)
    /// The fields that the credential is in.
    private let fieldNames: [HTTPField.Name]
    /// How requests prove who the user is, by the Negotiate scheme; `nil` if they do not.
    private let negotiation: NegotiationTerms?
    /// Whether servers' security contexts have several legs, as far as they were seen.
    private let haveSeveralLegs = Mutex<[Origin: Bool]>([:])
    /// The fields that say what the client can do.
    private let announcements: [HTTPField]
    private typealias Answer = ChallengeAnswers.Answer

    /// The name of a challenge that the application recognises itself.
    private static var ownSignature: String { "application" }

    /// - Parameter store: Where credentials are kept; `nil` for here alone.
    convenience init(_ method: PreparedProgram, keptIn store: (any CredentialRepository)? = nil) {
        self.init(
            method, keptIn: store, for: method.usesSessionCookies ? nil : CredentialDestinations(method.destinations),
            as: method.program.name)
    }

    /// - Parameters:
    ///   - store: Where credentials are kept; `nil` for here alone.
    ///   - destinations: Who may receive the credential; `nil` where the session's cookies decide.
    ///   - observer: The observer's name in events.
    ///   - clock: Time and chance.
    init(
        _ method: PreparedProgram, keptIn store: (any CredentialRepository)?, for destinations: CredentialDestinations?,
        as observer: String, clock: @escaping @Sendable (Session) -> TokenClock = { TokenClock(elapsed: $0.now) }
    ) {
        self.method = method
        // Tickets are the system's to keep.
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
        // Also where there is no credential, or another observer has attached one; what is to be prepared comes after it.
        if !announcements.isEmpty, isFor(exchange) { for field in announcements { request.headerFields.announce(field) } }
        // The session adds its cookies by itself; what is attached here is the knowledge of which.
        guard !method.usesSessionCookies else { return .ready(cookieSpace(in: exchange.session).carriedGeneration) }
        // Before anything else, so that no answer is kept for another send.
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
        // Where the server has asked for this credential, it takes the place of one that another observer has attached.
        if answered != nil { for name in fieldNames { request.headerFields[fields: name] = [] } }
        let attachment = attach(
            answered?.nonce.map(present.proving) ?? present, signer: answered?.signer, to: &request, in: exchange)
        if attachment == .later, let answered { note(answered, to: exchange) }
        return attachment
    }

    /// - Throws: The method's errors; ``CountersignError``; an error of the application's; `CancellationError`.
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

    /// What is signed of the body, which is read for that where it has to be.
    ///
    /// - Throws: ``CountersignError/Code/bodyNotReplayable``; an error of the body's stream.
    private func payload(
        for credential: PresentCredential, in exchange: ExchangeContext
    ) async throws -> RequestPayload? {
        guard let signature = credential.signature else { return nil }
        if let payload = signature.payload(of: exchange.body, isEncrypted: exchange.origin.scheme == "https") { return payload }
        return try await signature.payload(reading: exchange.body)
    }

    /// What a request without a credential carries: with the generation, so that a challenge to it begins no second login once there is a
    /// credential.
    private func attachmentOfNothing(in space: ManagedCredential?, _ exchange: ExchangeContext) -> Attachment {
        // What is bound to a connection is asked for over it.
        if let negotiation, negotiation.isBound {
            let handshake = NegotiationHandshake(over: ExclusiveConnection(), needsProof: negotiation.mechanisms == .kerberos)
            return .handshake(exchange.handshake ?? handshake, .none)
        }
        guard let space, !method.countsRefusals else { return .nothing }
        return .ready(space.carriedGeneration)
    }

    /// What the next send of an exchange carries, if its challenge was answered.
    private func takeAnswer(for exchange: ExchangeContext) -> Answer? {
        exchange.answers?.take(for: self)
    }

    private func mayAttach(to request: HTTPRequest, in exchange: ExchangeContext) -> Bool {
        mayTravel(exchange) && hasPlace(in: request, exchange) && isFor(exchange)
    }

    /// Whether the credential is for the server that an exchange is with.
    private func isFor(_ exchange: ExchangeContext) -> Bool { destinations?.includes(exchange) ?? true }

    /// Replaces the comparison with patterns.
    private func ownComparison(in exchange: ExchangeContext) -> (@Sendable (HTTPResponse, ExchangeContext) -> Bool)? {
        (exchange.hooks ?? method.hooks).isChallenge
    }

    private func mayTravel(_ exchange: ExchangeContext) -> Bool { !method.isSecret || exchange.origin.isPrivate }

    /// Whether the credential has a place in a request: not in place of the caller's own, or another observer's.
    private func hasPlace(in request: HTTPRequest, _ exchange: ExchangeContext) -> Bool {
        !fieldNames.contains(where: request.headerFields.contains) && (!method.usesConnection || exchange.origin.scheme == "https")
            // No token for a request for one.
            && !(method.isToken && TokenRequest.isUnderWay)
    }

    /// Reports a request that goes without a credential only because another origin was the first: its server need not ask for it.
    private func noteWithheldField(of request: HTTPRequest, in exchange: ExchangeContext, by observer: String) {
        guard method.program.credential.isEager, let destinations, destinations.origins == nil, exchange.isDirect,
            mayTravel(exchange), hasPlace(in: request, exchange), !destinations.includes(exchange), !isInsideAuthentication
        else { return }
        destinations.reportWithheld(in: exchange, by: observer)
    }

    /// - Parameter payload: What is known of the body, where that takes a while to find out.
    private func attach(
        _ present: PresentCredential, signer: DigestSigner?, _ payload: RequestPayload? = nil,
        to request: inout HTTPRequest, in exchange: ExchangeContext
    ) -> Attachment {
        guard negotiation == nil else { return .later }
        let known = payload ?? present.signature?.payload(of: exchange.body, isEncrypted: exchange.origin.scheme == "https")
        if present.signature != nil, known == nil { return .later }
        // What is attached is there to be signed.
        for field in present.fields { request.headerFields.append(field) }
        if let signature = present.signature, let known { signature.sign(&request, payload: known, at: Date()) }
        if let signer = signer ?? present.signer { request.headerFields.append(signer.field(for: request)) }
        if let identity = present.identity { return .connection(identity, present.generation) }
        return present.cookies.map { .cookies($0, present.generation) } ?? .ready(present.generation)
    }

    /// The next leg of the security context that the exchange is in.
    ///
    /// - Throws: The method's error where there is no ticket; ``CountersignError``; `CancellationError`.
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

    /// What a response is to the security context that the exchange is in; `nil` if it is none of its legs.
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

    /// Whether it depends on a response's body whether it is a challenge that would be answered.
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
            // Nothing is wrong with the token.
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

    /// The name of the challenge that a connection was refused by, if it is one that is answered.
    func classify(refusal: TransportError, in exchange: ExchangeContext, by observer: String) -> String? {
        guard let challenge = challenges.refusal else { return nil }
        return isAnswered(challenge, in: exchange, by: observer) { ChallengeReading(refusal: challenge) } ? challenge : nil
    }

    /// Whether a challenge is answered.
    ///
    /// One to a request of a review is, where the server asks for what is reviewed. Where the request had that, it was refused, which is
    /// noted, and the review gets the response.
    ///
    /// - Parameter reading: Returns what the challenge says.
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

    /// The space whose credential the present task reviews.
    private var reviewed: ManagedCredential? {
        guard FlightScope.current != nil, method.countsRefusals else { return nil }
        return spaces.withLock { $0.all.first { $0.provisional != nil } }
    }

    /// The challenge that a response is; `nil` if it is none.
    private func recognised(_ response: HTTPResponse, in exchange: ExchangeContext) -> RecognisedChallenge? {
        guard let ownComparison = ownComparison(in: exchange), !challenges.isEmpty else {
            return challenges.recognised(response, in: exchange)
        }
        // The application is asked about responses alone that could be answered.
        guard hasPlace(in: exchange.request, exchange), !isInsideAuthentication || reviewed != nil,
            ownComparison(response, exchange)
        else { return nil }
        return RecognisedChallenge(name: Self.ownSignature, pattern: nil, response: ResponseReading(response, in: exchange))
    }

    /// - Throws: ``CountersignError``; an error of the application's; `CancellationError`.
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

    // What does not wait is apart: the frame of what waits would have room for all that it has.

    /// The space that a challenge wants another credential of, and what it says; `nil` if it is none that is known, or is answered already.
    @inline(never)
    private func wanting(
        _ challenge: ChallengeOccurrence, in exchange: ExchangeContext
    ) throws -> (ManagedCredential, ChallengeReading)? {
        guard mayTravel(exchange) else { throw unencrypted(exchange) }
        guard let reading = try reading(of: challenge, in: exchange) else { return nil }
        let space = space(challengedBy: reading, in: exchange)
        return answersAtOnce(reading, to: challenge.generation, by: space, in: exchange) ? nil : (space, reading)
    }

    private func unencrypted(_ exchange: ExchangeContext) -> CountersignError {
        CountersignError(
            .insecureDestination, detail: "\(exchange.origin) asks for a credential, which would be sent unencrypted",
            authenticationMethod: method.program.name, origin: exchange.origin)
    }

    /// Notes an answer that needs no other credential.
    ///
    /// - Returns: Whether there is one.
    private func answersAtOnce(
        _ reading: ChallengeReading, to generation: Generation, by space: ManagedCredential, in exchange: ExchangeContext
    ) -> Bool {
        if space.provisional != nil {
            // What is reviewed goes with the request from now on; to wait for the review's end is not for its own requests.
            note(Answer(space: space, origin: exchange.origin), to: exchange)
            return true
        }
        guard let digest = reading.digest, digest.isStale, let present = space.present, let signer = present.signer,
            present.generation == generation
        else { return false }
        // Name and password are not refused: only the nonce is too old, and there is a new one.
        let renewed = signer.renewed(by: digest)
        space.replaceSigner(by: renewed, in: present.generation)
        note(Answer(space: space, origin: exchange.origin, signer: renewed), to: exchange)
        return true
    }

    /// Notes that the next send has the credential that a space has now.
    @inline(never)
    private func noteOther(_ space: ManagedCredential, after reading: ChallengeReading, for exchange: ExchangeContext) {
        let other = reading.digest.flatMap { digest in
            space.present?.signer.flatMap { $0.isFor(digest) ? nil : $0.renewed(by: digest) }
        }
        note(Answer(space: space, origin: exchange.origin, signer: other), to: exchange)
    }

    @inline(never)
    private func translated(_ error: any Error, at origin: Origin) -> any Error { method.error(of: error, at: origin) }

    /// The access key that requests are signed with now.
    var accessKey: AccessKey? { spaces.withLock { $0.all }.lazy.compactMap(\.accessKey).first }

    /// Where its login pages end.
    var redirects: [AuthorizationRedirect] { method.redirects }

    /// What tells servers that the present credentials are no longer used.
    func revocations() -> [Revocation] { spaces.withLock { $0.all }.compactMap { $0.revocation() } }

    /// The same of those that are stored and were not used in this process.
    func storedRevocations(in session: Session) async throws -> [Revocation] {
        // Without a word to a server there is no reason to read the store.
        let entries = method.program.end.isEmpty ? [] : try await store?.all() ?? []
        return entries.compactMap { entry in
            let space = spaces.withLock { spaces in self.space(for: entry.place, among: &spaces, in: session) }
            return space.revocation(of: entry, in: session)
        }
    }

    /// The user's session has ended, or the observer was taken off its session.
    func end(isRegistered: Bool, in session: Session) {
        if isRegistered {
            hasLoggedOut.store(true, ordering: .relaxed)
            store?.disown()
        }
        for space in spaces.withLock({ $0.all }) { space.end(isLogout: isRegistered) }
        // One that is taken off its session may come back to what it has stored.
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

    /// Returns when nothing is stored of the user who has logged out.
    ///
    /// - Parameter origin: One that may have something in the store, although nothing was asked of it in this process.
    /// - Throws: ``CountersignError/Code/credentialNotDeleted``.
    func forget(at origin: Origin?, in session: Session) async throws {
        if let origin, destinations?.origins?.origins == nil { store?.discard(origin, at: session.now()) }
        do {
            try await store?.waitForDeletion()
        } catch {
            // What a store says of itself stays with it: its texts are an application's own.
            let reason = (error as? CredentialStoreError)?.code.rawValue ?? "\(type(of: error))"
            throw CountersignError(
                .credentialNotDeleted, detail: "the store failed to delete a credential: \(reason)",
                authenticationMethod: method.program.name)
        }
    }

    private func note(_ answer: Answer, to exchange: ExchangeContext) {
        // With the session's cookies, nothing is attached.
        guard !method.usesSessionCookies else { return }
        exchange.answers?.note(answer, for: self)
    }

    /// Whether the present task is a part of an authentication of this method, so that its requests cannot wait for one.
    private var isInsideAuthentication: Bool {
        FlightScope.current != nil && spaces.withLock { $0.all.contains { FlightScope.isInside($0.coordinator) } }
    }

    /// What a challenge says, which the exchange knows since it was recognised; `nil` if it is none of the method's.
    ///
    /// - Throws: ``CountersignError/Code/unusableChallenge``, ``CountersignError/Code/addressRefused``.
    private func reading(
        of challenge: ChallengeOccurrence, in exchange: ExchangeContext
    ) throws(CountersignError) -> ChallengeReading? {
        guard let response = challenge.response else { return ChallengeReading(refusal: challenge.signature) }
        if let reading = exchange.answers?.takeReading(for: self) { return try reading.get() }
        // Outside of an exchange, nothing is kept.
        let challenge =
            ownComparison(in: exchange) == nil
            ? challenges.recognised(response, in: exchange, named: challenge.signature)
            : RecognisedChallenge(
                name: challenge.signature, pattern: nil, response: ResponseReading(response, in: exchange))
        guard let challenge else { return nil }
        return try challenges.reading(of: challenge)
    }

    /// The space whose credential goes with a request; made if requests have it from the first one on.
    private func space(attachedTo exchange: ExchangeContext) -> ManagedCredential? {
        if let space = spaces.withLock({ $0.space(covering: exchange.address, at: exchange.origin) }) { return space }
        guard method.program.credential.isEager || method.isToken else { return nil }
        return space(challengedBy: .none, in: exchange)
    }

    private func space(
        for place: ProtectionSpace, among spaces: inout CredentialSpaces, in session: Session
    ) -> ManagedCredential {
        spaces.space(for: place) { place, number in
            ManagedCredential(
                place, number: number, of: method, store: store, isRestored: hasLoggedOut.load(ordering: .relaxed),
                observer: observer, clock: makeClock(session), in: session)
        }
    }

    /// The space that a challenge is about, made if there is none; from now on it has the addresses that the challenge is about.
    private func space(challengedBy challenge: ChallengeReading, in exchange: ExchangeContext) -> ManagedCredential {
        let place = method.place(of: challenge, at: exchange.origin)
        let isWhole = method.program.credential.space != .directory
        let folder = isWhole ? "/" : CredentialSpaces.folder(of: exchange.address.path)
        return spaces.withLock { spaces in
            // As with all challenges but the first.
            if let space = spaces.space(of: place, owning: folder) { return space }
            let space = self.space(for: place, among: &spaces, in: exchange.session)
            spaces.note(folder: folder, belongsTo: place)
            return space
        }
    }
}

// MARK: - Without a challenge

extension CredentialManager {
    /// Authenticates although no server has asked for it.
    ///
    /// - Throws: The method's errors; ``CountersignError``; an error of the application's; `CancellationError`.
    func authenticate(in session: Session) async throws {
        do {
            try await cookieSpace(in: session).acquireUnasked(in: session)
        } catch {
            throw method.error(of: error, at: nil)
        }
    }

    /// The one space of a method whose credential is the session's cookies.
    private func cookieSpace(in session: Session) -> ManagedCredential {
        spaces.withLock { space(for: ProtectionSpace(server: nil, separators: []), among: &$0, in: session) }
    }

    /// Ends what is under way; all who wait for it get the method's error for a login that was dismissed.
    func cancel() {
        for space in spaces.withLock({ $0.all }) { space.coordinator.cancel() }
    }
}

extension HTTPResponse.Status {
    /// Whether the server has looked at the credential and taken it: not where it refuses, is in trouble, or has no time.
    fileprivate var saysThatCredentialsAreGood: Bool { code < 500 && ![401, 407, 408, 421, 425, 429].contains(code) }
}
