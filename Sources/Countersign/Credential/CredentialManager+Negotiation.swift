internal import HTTPTypes
internal import Synchronization

extension CredentialManager {
    /// Attaches the next leg of the exchange's security context.
    ///
    /// - Throws: The method's error if there is no ticket; ``CountersignError``; `CancellationError`.
    func attachLeg(
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
            present.add(to: &request, body: exchange.body)
            request.headerFields.append(field)
            return present.attachment(.handshake(handshake, present.generation))
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
}
