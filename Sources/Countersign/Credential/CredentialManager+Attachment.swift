#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
internal import Synchronization

extension CredentialManager {
    /// Adds the current credential to a request, or returns ``Attachment/later`` if it has to be obtained or computed first.
    func attach(to request: inout HTTPRequest, in exchange: ExchangeContext, by observer: String) -> Attachment {
        // Added even if there is no credential, or if another observer has attached one. ``prepare(_:in:)`` runs after this, so
        // it adds them only for a server that was not known here as a recipient.
        if !announcements.isEmpty, isFor(exchange) { for field in announcements { request.headerFields.announce(field) } }
        // The session adds its cookies itself. Only their generation is attached here.
        guard !method.usesSessionCookies else { return .ready(cookieSpace(in: exchange.session).carriedGeneration) }
        // Taken first, so that the answer is never kept for a later send.
        let answer = takeAnswer(for: exchange)
        let answered = answer?.origin == exchange.origin ? answer : nil
        guard mayAttach(to: answered == nil ? request : exchange.request, in: exchange) else {
            if answered == nil, unreadSpace(for: request, in: exchange) != nil { return .later }
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
        if answered != nil {
            carriedNames.remove(from: &request)
            if namesFields { present.removeFields(from: &request) }
        }
        let attachment = attach(
            answered?.nonce.map(present.proving) ?? present, signer: answered?.signer, to: &request, in: exchange)
        if attachment == .later, let answered { note(answered, to: exchange) }
        return attachment
    }

    /// - Throws: The method's errors; ``CountersignError``; an error of the application; `CancellationError`.
    func prepare(_ request: inout HTTPRequest, in exchange: ExchangeContext) async throws -> Attachment {
        let answer = takeAnswer(for: exchange)
        if answer == nil, let unread = unreadSpace(for: request, in: exchange) {
            do { try await unread.restore(for: exchange) } catch { throw translated(error, at: exchange.origin) }
        }
        // The stored credential names the server, which was not known before. Perhaps another request has restored it since.
        if method.namesRecipients, !announcements.isEmpty, isFor(exchange) {
            for field in announcements { request.headerFields.announce(field) }
        }
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
        let body = credential.body(of: exchange)
        if let payload = signature.payload(of: body, isEncrypted: exchange.origin.scheme == "https") { return payload }
        return try await signature.payload(reading: body)
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

    /// Whether a request can carry the credential.
    private func mayAttach(to request: HTTPRequest, in exchange: ExchangeContext) -> Bool {
        mayTravel(exchange) && hasPlace(in: request, exchange) && isFor(exchange)
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
        // Checked for the credential that is attached: another one may have replaced it since the request was found to be for it.
        guard isFor(exchange, present) else { return .nothing }
        // The name that a new credential gives its field was not known then.
        guard !namesFields || !present.hasField(in: request) else { return .nothing }
        guard negotiation == nil else { return .later }
        let known =
            payload ?? present.signature?.payload(of: present.body(of: exchange), isEncrypted: exchange.origin.scheme == "https")
        if present.signature != nil, known == nil { return .later }
        if !method.program.updates.isEmpty { exchange.answers?.note(revision: present.revision, for: self) }
        // The fields, parameters and members are added before the signature, which covers them.
        present.add(to: &request, body: exchange.body)
        if let signature = present.signature, let known { signature.sign(&request, payload: known, at: Date()) }
        if let signer = signer ?? present.signer { request.headerFields.append(signer.field(for: request)) }
        if let identity = present.identity { return present.attachment(.connection(identity, present.generation)) }
        return present.attachment(present.cookies.map { .cookies($0, present.generation) } ?? .ready(present.generation))
    }

    /// Returns the space whose credential a request carries, and creates it if requests carry the credential without a challenge, at
    /// least a stored one.
    private func space(attachedTo exchange: ExchangeContext) -> ManagedCredential? {
        // Such a credential is only attached to the request that was challenged, to all of its sends from then on.
        guard !method.isForOneRequest else { return spaces.withLock { $0.space(of: method.ownPlace(in: exchange)) } }
        if let space = spaces.withLock({ $0.space(covering: exchange.address, at: exchange.origin) }) { return space }
        guard method.program.credential.isEager || method.isToken || method.namesRecipients else { return nil }
        return space(challengedBy: .none, in: exchange)
    }
}
