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
    private let challenges: [CompiledChallenge]
    private let destinations: CredentialDestinations
    private let store: StoredCredentials?
    private let spaces = Mutex(CredentialSpaces<ManagedCredential>())
    /// The fields that the credential is in.
    private let fieldNames: [HTTPField.Name]
    /// What the next send of an exchange carries, whose challenge was answered: that of the space which challenged, wherever other challenges
    /// have moved its folder meanwhile.
    private let answers = Mutex<[ExchangeNumber: Answer]>([:])

    /// More than so many exchanges are not between a challenge and the next send.
    private static var mostAnswers: Int { 1_000 }

    /// An answered challenge.
    private struct Answer {
        let space: ManagedCredential
        /// The server that challenged.
        let origin: Origin
        /// For a challenge with a nonce of its own: a server may take each only once.
        let signer: DigestSigner?
    }

    /// - Parameter store: Where credentials are kept; `nil` for here alone.
    init(_ method: PreparedProgram, keptIn store: (any CredentialStore)?) {
        self.method = method
        self.store = store.map { StoredCredentials($0, of: method) }
        challenges = method.program.challenges.compactMap { CompiledChallenge($0, method.parameters) }
        destinations = CredentialDestinations(method.destinations)
        fieldNames = method.program.attach.map(\.fieldName) + (method.program.credential.cookies == nil ? [] : [.cookie])
    }

    func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Attachment {
        // Before anything else, so that no answer is kept for another send.
        let answer = answers.withLock { $0.removeValue(forKey: exchange.number) }
        let answered = answer?.origin == exchange.origin ? answer : nil
        guard mayAttach(to: request, in: exchange), let space = answered?.space ?? space(attachedTo: exchange) else {
            return .nothing
        }
        guard let present = space.present(ofAnyAge: answered != nil) else { return space.canPrepare ? .later : .nothing }
        space.tend(for: exchange)
        return Self.attach(present, signer: answered?.signer, to: &request)
    }

    /// - Throws: ``CountersignError``; an error of the application's; `CancellationError`.
    func prepare(_ request: inout HTTPRequest, in exchange: ExchangeContext) async throws -> Attachment {
        guard mayAttach(to: request, in: exchange), let space = space(attachedTo: exchange) else { return .nothing }
        try await translating(at: exchange.origin) { try await space.prepare(for: exchange) }
        return space.present(ofAnyAge: true).map { Self.attach($0, signer: nil, to: &request) } ?? .nothing
    }

    private func mayAttach(to request: HTTPRequest, in exchange: ExchangeContext) -> Bool {
        // Not in place of the caller's own, or another observer's.
        (exchange.origin.isPrivate || !method.isSecret) && destinations.includes(exchange) && !isInsideAuthentication
            && !fieldNames.contains(where: request.headerFields.contains)
    }

    private static func attach(_ present: PresentCredential, signer: DigestSigner?, to request: inout HTTPRequest) -> Attachment {
        for field in present.fields { request.headerFields.append(field) }
        if let signer = signer ?? present.signer { request.headerFields.append(signer.field(for: request)) }
        return present.cookies.map { .cookies($0, present.generation) } ?? .ready(present.generation)
    }

    /// Whether it depends on a response's body whether it is a challenge that would be answered.
    func needsBody(of response: HTTPResponse, in exchange: ExchangeContext) -> Bool {
        guard destinations.includes(exchange) else { return false }
        var reading = ResponseReading(response, in: exchange)
        return challenges.contains { $0.needsBody(of: &reading) } && !isInsideAuthentication
    }

    func classify(_ response: HTTPResponse, in exchange: ExchangeContext, by observer: String) -> Verdict {
        var reading = ResponseReading(response, in: exchange)
        let carried = exchange.carried == .none ? nil : spaces.withLock { $0.space(of: exchange.carried) }
        if method.usesDigest { carried?.present?.signer?.note(response) }
        guard let challenge = challenges.first(where: { $0.matches(&reading) }) else {
            if let carried, response.status.saysThatCredentialsAreGood { carried.noteAccepted(exchange.carried) }
            return .pass
        }
        guard !fieldNames.contains(where: exchange.request.headerFields.contains), !isInsideAuthentication else { return .pass }
        guard destinations.includes(exchange) else {
            destinations.reportWithheld(in: exchange, by: observer)
            return .pass
        }
        return .challenge(signature: challenge.signature.name)
    }

    /// - Throws: ``CountersignError``; an error of the application's; `CancellationError`.
    func recover(_ challenge: ChallengeOccurrence, in exchange: ExchangeContext) async throws {
        guard exchange.origin.isPrivate || !method.isSecret else {
            throw CountersignError(
                .insecureDestination, detail: "\(exchange.origin) asks for a credential, which would be sent unencrypted",
                authenticationMethod: method.program.name, origin: exchange.origin)
        }
        try await translating(at: exchange.origin) {
            guard let reading = try reading(of: challenge, in: exchange) else { return }
            let space = space(challengedBy: reading, in: exchange)
            if let digest = reading.digest, digest.isStale, let present = space.present, let signer = present.signer,
                present.generation == challenge.generation
            {
                // Name and password are not refused: only the nonce is too old, and there is a new one.
                let renewed = signer.renewed(by: digest)
                space.replaceSigner(by: renewed, in: present.generation)
                note(Answer(space: space, origin: exchange.origin, signer: renewed), to: exchange)
            } else {
                try await space.ensureOther(
                    than: challenge.generation, after: reading, isRepeated: challenge.isRepeated, for: exchange)
                let other = reading.digest.flatMap { digest in
                    space.present?.signer.flatMap { $0.isFor(digest) ? nil : $0.renewed(by: digest) }
                }
                note(Answer(space: space, origin: exchange.origin, signer: other), to: exchange)
            }
        }
    }

    private func translating(at origin: Origin, _ work: () async throws -> Void) async throws {
        let name = method.program.name
        do {
            try await work()
        } catch let failure as FlightFailure {
            throw CountersignError(failure, authenticationMethod: name, origin: origin)
        } catch let error as TransportError {
            // On the way to the credential, not of the request.
            throw CountersignError(
                .unreachable, detail: "a server that the credential comes from could not be asked: \(error.detail)",
                authenticationMethod: name, origin: error.origin ?? origin)
        } catch let error as CountersignError {
            throw error.completed(authenticationMethod: name, origin: origin)
        }
    }

    /// Where its login pages end.
    var redirects: [AuthorizationRedirect] { method.redirects }

    /// What tells servers that the present credentials are no longer used.
    func revocations() -> [Revocation] { spaces.withLock { $0.all }.compactMap { $0.revocation() } }

    /// The user's session has ended, or the observer was taken off its session.
    func end(isRegistered: Bool) {
        if isRegistered { store?.disown() }
        for space in spaces.withLock({ $0.all }) { space.end() }
        answers.withLock { $0.removeAll() }
        // One that is taken off its session may come back to what it has stored.
        if isRegistered { store?.discard() } else { destinations.reset() }
    }

    /// Returns when nothing is stored of the user who has logged out.
    ///
    /// - Throws: ``CountersignError/Code/credentialNotDeleted``.
    func forget() async throws {
        do throws(CredentialStoreError) {
            try await store?.waitForDeletion()
        } catch {
            throw CountersignError(
                .credentialNotDeleted, detail: "the store failed to delete a credential: \(error.code.rawValue)",
                authenticationMethod: method.program.name)
        }
    }

    private func note(_ answer: Answer, to exchange: ExchangeContext) {
        guard exchange.number != .none else { return }
        answers.withLock { answers in
            if answers.count >= Self.mostAnswers, let oldest = answers.keys.min() { answers[oldest] = nil }
            answers[exchange.number] = answer
        }
    }

    /// Whether the present task is a part of an authentication of this method, so that its requests cannot wait for one.
    private var isInsideAuthentication: Bool {
        FlightScope.current != nil && spaces.withLock { $0.all.contains { FlightScope.isInside($0.coordinator) } }
    }

    private func reading(of occurrence: ChallengeOccurrence, in exchange: ExchangeContext) throws -> ChallengeReading? {
        guard let response = occurrence.response else { return nil }
        var reading = ResponseReading(response, in: exchange)
        let name = occurrence.signature
        guard let challenge = challenges.first(where: { $0.signature.name == name && $0.matches(&reading) }) else { return nil }
        let values = try challenge.values(&reading)
        guard method.usesDigest else { return ChallengeReading(name: name, values: values, digest: nil) }
        guard let digest = DigestChallenge.strongest(reading.head.challenges(in: .wwwAuthenticate)) else {
            throw CountersignError(
                .unusableChallenge, detail: "the challenge '\(name)' has no Digest algorithm that is known here, or no nonce")
        }
        return ChallengeReading(name: name, values: values, digest: digest)
    }

    /// The space whose credential goes with a request.
    private func space(attachedTo exchange: ExchangeContext) -> ManagedCredential? {
        spaces.withLock { $0.space(covering: exchange.url, at: exchange.origin) }
    }

    /// The space that a challenge is about, made if there is none; from now on it has the addresses that the challenge is about.
    private func space(challengedBy challenge: ChallengeReading, in exchange: ExchangeContext) -> ManagedCredential {
        let place = method.place(of: challenge, at: exchange.origin)
        return spaces.withLock { spaces in
            let space = spaces.space(for: place) {
                ManagedCredential($0, number: $1, of: method, store: store, in: exchange.session)
            }
            switch method.program.credential.space {
            case .origin, .servers: spaces.noteWhole(place)
            case .directory: spaces.note(exchange.url, belongsTo: place)
            }
            return space
        }
    }
}

extension HTTPResponse.Status {
    /// Whether the server has looked at the credential and taken it: not where it refuses, is in trouble, or has no time.
    fileprivate var saysThatCredentialsAreGood: Bool { code < 500 && ![401, 407, 408, 421, 425, 429].contains(code) }
}
