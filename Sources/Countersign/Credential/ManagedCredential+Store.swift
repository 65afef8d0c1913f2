#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
internal import Synchronization

extension ManagedCredential {
    /// The credential in the store, unless it is the one that was refused, which is deleted there. It may have run out if it can be renewed.
    ///
    /// A store that fails leads to a login, as an empty one does.
    ///
    /// - Parameter isSecondLook: Whether it was done before in the same flight: then failures are known.
    func storedCredential(
        insteadOf refused: HeldCredential?, after challenge: ChallengeReading, for exchange: ExchangeContext, epoch: UInt64,
        isSecondLook: Bool = false
    ) async throws -> HeldCredential? {
        guard let store, !method.program.acquire.isEmpty, !isSecondLook || store.isShared else { return nil }
        if refused != nil, !isSecondLook {
            state.withLock { if $0.epoch == epoch { $0.unstored?.entry = nil } }
        }
        if let entry = refused?.stored, !isSecondLook {
            if await store.remove(entry, for: place, while: { self.isCurrent(epoch) }) != nil { report(.notStored) }
        }
        let (outdated, usedUp) = state.withLock { ($0.outdated, $0.unstored?.basis) }
        do throws(CredentialStoreError) {
            guard let entry = try await store.load(place), entry != refused?.stored, entry != outdated, entry != usedUp,
                let found = restored(entry, for: challenge, in: exchange.session), refused.map({ !found.isSent(as: $0) }) ?? true
            else { return nil }
            report(.ran(step: "load"))
            return found
        } catch {
            if !isSecondLook { report(error.code == .corrupt ? .damaged : .notStored) }
            return nil
        }
    }

    /// A credential as it was stored.
    ///
    /// - Parameter challenge: What is answered with it; `nil` for nothing.
    /// - Returns: `nil` if it would not be in the requests as it was, as that of another version of the spec may not; and if it has run out
    ///   and cannot be renewed.
    func restored(
        _ entry: CredentialEntry, for challenge: ChallengeReading?, in session: Session
    ) -> HeldCredential? {
        var values = method.parameters
        for (slot, value) in zip(method.credentialSlots, entry.values) { values[slot] = value }
        for slot in method.program.credential.fields.map(\.slot) where slot != method.program.credential.lifetime {
            guard let text = entry.fields[method.program.slots[slot].name] else { continue }
            values[slot] = method.program.slots[slot].isSecret ? .secret(text) : .text(text)
        }
        var jar: CookieJar?
        if let slot = method.program.credential.cookies {
            guard let cookies = entry.cookies?.map(\.cookie) else { return nil }
            let restored = session.cookies.emptied()
            for cookie in cookies { restored.set(cookie) }
            guard !restored.isEmpty else { return nil }
            values[slot] = .cookies(cookies)
            jar = restored
        }
        let moment = TokenLifetime.Moment(elapsed: now(), date: Date())
        let lifetime = TokenLifetime(until: entry.expires, restoredAt: moment, jitter: .random(in: 0..<1))
        let signer = challenge.flatMap { challenge in
            method.program.attach.lazy.compactMap { try? $0.signer(values, for: challenge.digest) }.first
        }
        guard var found = try? held(values, jar, signer: signer, lifetime: lifetime),
            !entry.values.isEmpty || Set(found.fields.map(\.name.canonicalName)) == entry.attached,
            !found.hasRunOut(at: now()) || found.isRenewable
        else { return nil }
        found.stored = entry
        // It was good for the process that stored it.
        found.isAccepted = true
        return found
    }

    /// Keeps a credential in the store. One that cannot be stored is used all the same.
    ///
    /// - Parameter basis: What has to be there still; `nil` for anything.
    func save(_ next: HeldCredential, insteadOf basis: CredentialEntry? = nil, epoch: UInt64) async -> HeldCredential {
        guard let store, !method.program.acquire.isEmpty else { return next }
        let entry = store.isShared ? entry(of: next) : CredentialEntry(next.values, for: place)
        var next = next
        let isKept = await store.save(entry, for: place, insteadOf: basis, while: { self.isCurrent(epoch) }) == nil
        if isKept {
            next.stored = entry
        } else {
            report(.notStored)
        }
        let again = now() + Self.patience
        state.withLock { state in
            guard state.epoch == epoch else { return }
            // Of several that could not be stored, the first has the basis that is still there.
            let basis = state.unstored?.basis ?? basis
            state.unstored = isKept ? nil : Unstored(entry: entry, basis: basis, next: again)
        }
        return next
    }

    private func entry(of credential: HeldCredential) -> CredentialEntry {
        let names = method.program.credential.fields.map { method.program.slots[$0.slot].name }
        let texts = zip(names, credential.values).compactMap { name, value in value.text.map { (name, $0) } }
        return CredentialEntry(
            server: place.server?.description, separators: place.separators,
            fields: Dictionary(texts) { first, _ in first }, cookies: credential.cookies?.all.map(StoredCookie.init),
            attached: Set(credential.fields.map(\.name.canonicalName)),
            expires: credential.lifetime.expiry.map { Date(timeIntervalSinceNow: ($0 - now()) / .seconds(1)) })
    }

    /// Asks the store once more to keep what it failed to.
    func storeAgain(_ entry: CredentialEntry, insteadOf basis: CredentialEntry?, epoch: UInt64) async {
        guard let store else { return }
        // It may have been refused meanwhile.
        let isWanted: @Sendable () -> Bool = { [self] in state.withLock { $0.epoch == epoch && $0.unstored?.entry == entry } }
        guard await store.save(entry, for: place, insteadOf: basis, while: isWanted) == nil else { return report(.notStored) }
        state.withLock { state in
            guard state.epoch == epoch, state.unstored?.entry == entry else { return }
            state.unstored = nil
            if state.held?.stored == nil { state.held?.stored = entry }
        }
    }
}
