internal import HTTPTypes
internal import Synchronization

/// The fields of the current credential that responses change.
///
/// The credential stays the same: a change is neither a login nor stored. Of several responses, the last one that arrives counts.
extension ManagedCredential {
    /// Changes the fields by the values in the response to a request with the credential.
    ///
    /// - Parameter carried: The generation that the request carried.
    func update(from response: HTTPResponse, to carried: Generation, in exchange: ExchangeContext) {
        let found = method.program.updates.compactMap { update -> (slot: Int, value: ProgramValue)? in
            guard let text = update.value(in: response, of: exchange) else { return nil }
            let value: ProgramValue = method.program.slots[update.slot].isSecret ? .secret(text) : .text(text)
            return (slot: update.slot, value: value)
        }
        guard !found.isEmpty else { return }
        state.withLock { state in
            guard let held = state.held, held.generation == carried.own(ofSpace: number), let next = updated(held, by: found) else {
                return
            }
            state.held = next
        }
    }

    /// Whether the current credential has changed since a request carried it.
    ///
    /// - Parameters:
    ///   - revision: The number of changes when the request carried it.
    ///   - carried: The generation that the request carried.
    func hasUpdate(since revision: Int, to carried: Generation) -> Bool {
        state.withLock { state in
            guard let held = state.held, held.generation == carried.own(ofSpace: number) else { return false }
            return held.revision > revision
        }
    }

    /// Returns a credential with other values; `nil` if they are the same, or if no request can carry them.
    private func updated(_ held: HeldCredential, by found: [(slot: Int, value: ProgramValue)]) -> HeldCredential? {
        var values = method.parameters
        for (slot, value) in zip(method.credentialSlots, held.values) { values[slot] = value }
        guard found.contains(where: { values[$0.slot] != $0.value }) else { return nil }
        for (slot, value) in found { values[slot] = value }
        let next = try? self.held(
            values, held.cookies, signer: held.signer, after: held.refusals, lifetime: held.lifetime)
        return next.map { held.changed(as: $0) }
    }
}
