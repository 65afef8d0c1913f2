#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
internal import Synchronization

extension ManagedCredential {
    /// Whether the store still has to be read before the first request is sent.
    ///
    /// A stored token is sent without a challenge. A stored credential may name the server of that request as its recipient.
    func needsRestoring(_ state: State, at now: Duration) -> Bool {
        (method.isToken || method.namesRecipients) && store != nil && !state.isRestored && now >= state.nextRestoring
    }

    /// Whether the store still has to be read before the first request is sent.
    var needsRestoring: Bool {
        let now = now()
        return state.withLock { needsRestoring($0, at: now) }
    }

    /// Reads the store before the first request is sent.
    ///
    /// Without a token, a failing store is like an empty one for a while, since the request may be to a server that has nothing to do
    /// with the method. A challenge reads the store again in any case.
    ///
    /// - Throws: ``CredentialStoreError``; an error of the application's store;
    ///   ``CountersignError/Code/timedOut``; `CancellationError`.
    func restore(for exchange: ExchangeContext) async throws {
        let now = now()
        guard let store, let epoch = state.withLock({ needsRestoring($0, at: now) ? $0.epoch : nil }) else { return }
        let entry: CredentialEntry?
        do {
            entry = try await exchange.session.untilClosed { [place] in try await store.load(place) }
        } catch let error where error.isDamage {
            // A damaged entry does not become readable later. The credential of a login replaces it.
            report(.damaged)
            entry = nil
        } catch _ where !method.isToken && !Task.isCancelled && !exchange.session.isClosed {
            report(.notStored)
            let again = self.now() + Self.patience
            state.withLock { if $0.epoch == epoch { $0.nextRestoring = again } }
            return
        }
        var found = entry.flatMap { restored($0, for: nil, in: exchange.session) }
        found?.epoch = exchange.epoch
        state.withLock { state in
            guard !state.isRestored, state.epoch == epoch else { return }
            state.isRestored = true
            found?.generation = state.generation
            state.held = found
            state.named = found?.recipients ?? []
        }
    }

    /// The result of reading the store.
    struct Stored: Sendable {
        /// The usable credential; `nil` if there is none. It may have expired if it can be renewed.
        var credential: HeldCredential?
        /// The content of the store, as the basis of a later change.
        var basis: StoredBasis
    }

    /// Returns the stored credential, unless it is the refused one. If the method counts refusals, the refused one is deleted.
    ///
    /// A failing store leads to a login, like an empty one, unless the store must be readable.
    ///
    /// - Parameter isSecondLook: Whether the store was read before in the same flight, so that a failure has already been
    ///   reported.
    func storedCredential(
        insteadOf refused: HeldCredential?, after challenge: ChallengeReading, for exchange: ExchangeContext, epoch: UInt64,
        isSecondLook: Bool = false
    ) async throws -> Stored {
        guard let store, method.obtains, !isSecondLook || store.isShared || method.isToken else {
            return Stored(credential: nil, basis: .anything)
        }
        let isGivenUp = method.countsRefusals && !isSecondLook
        if refused != nil, isGivenUp {
            state.withLock { if $0.epoch == epoch { $0.unstored?.entry = nil } }
        }
        if let entry = refused?.stored, isGivenUp {
            if await store.remove(entry, for: place, while: { self.isCurrent(epoch) }) != nil { report(.notStored) }
        }
        let (held, outdated, unstored) = state.withLock { ($0.held, $0.expired?.stored, $0.unstored) }
        do {
            let entry = try await store.load(place)
            var stored = Stored(credential: nil, basis: StoredBasis(found: entry))
            guard let entry, ![refused?.stored, held?.stored, outdated, unstored?.basis.entry].contains(entry),
                let found = restored(entry, for: challenge, in: exchange.session), refused.map({ !found.isSent(as: $0) }) ?? true
            else { return stored }
            report(.ran(step: "load"))
            stored.credential = found
            return stored
        } catch let error where !Task.isCancelled && (!store.mustBeRead || store.isDamage(error)) {
            // An unreadable store of tokens already fails the first request, in ``restore(for:)``.
            if !isSecondLook, !method.isToken {
                report((error as? CredentialStoreError)?.code == .corrupt ? .damaged : .notStored)
            }
            // The store most likely has the content that was last read.
            return Stored(credential: nil, basis: unstored?.basis ?? held?.stored.map { .entry($0) } ?? .anything)
        }
    }

    /// Restores a credential from its stored entry.
    ///
    /// - Parameters:
    ///   - challenge: The challenge to answer; `nil` if there is none.
    ///   - isEnding: Whether the credential is restored only for its revocation.
    /// - Returns: The credential; `nil` if it has expired and cannot be renewed, or if requests would not carry it in the same
    ///   header fields as before, or to other named recipients, for example after a change of the spec.
    func restored(
        _ entry: CredentialEntry, for challenge: ChallengeReading?, in session: Session, isEnding: Bool = false
    ) -> HeldCredential? {
        if let token = entry.token?.token {
            var found = held(clock.restored(token))
            found.stored = entry
            found.isAccepted = true
            found.revocation = revocationRight(of: entry, isEnding: isEnding)
            return found
        }
        var values = method.parameters
        for (slot, value) in zip(method.credentialSlots, entry.values) { values[slot] = value }
        for slot in method.program.credential.fields.map(\.slot) where slot != method.program.credential.lifetime {
            let field = method.program.slots[slot]
            if let stored = entry.identities?[field.name] { values[slot] = .identity(stored.identity) }
            guard let text = entry.fields[field.name] else { continue }
            values[slot] = field.isSecret ? .secret(text) : .text(text)
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
        let lifetime = TokenLifetime(until: entry.expires, restoredAt: clock.moment, jitter: clock.jitter())
        let signer = challenge.flatMap { challenge in
            method.program.attach.lazy.compactMap { try? $0.signer(values, for: challenge.digest) }.first
        }
        guard var found = try? held(values, jar, signer: signer, lifetime: lifetime),
            !entry.values.isEmpty || found.attachedPlaces == entry.attached,
            found.identity != nil || !method.usesConnection, !found.hasRunOut(at: now()) || found.isRenewable
        else { return nil }
        found.stored = entry
        found.expirationDate = entry.expires
        // The credential counts as accepted, since it was valid for the process that stored it.
        found.isAccepted = true
        found.revocation = revocationRight(of: entry, isEnding: isEnding)
        return found
    }

    /// Returns the right to revoke the credential of a stored entry. All copies that are restored from the entry share it, so that
    /// only one of several logouts revokes the credential.
    ///
    /// - Parameter isEnding: Whether the credential is restored only for its revocation. Otherwise it is of use, so a right that was
    ///   exercised was that of an equal credential before.
    private func revocationRight(of entry: CredentialEntry, isEnding: Bool) -> RevocationRight {
        let digest = CredentialEntry.Digest(entry)
        return state.withLock { state in
            if let known = state.revocable, known.digest == digest, isEnding || !known.right.isTaken { return known.right }
            let right = RevocationRight()
            state.revocable = (digest, right)
            return right
        }
    }

    /// Saves a credential in the store. If that fails, the credential is used nevertheless.
    ///
    /// - Parameters:
    ///   - basis: The content that the store must still have.
    ///   - later: The content that the store must still have if the credential can be saved only later.
    ///   - used: The stored content that a renewal has used, which must be replaced even if the observer was unregistered or the
    ///     session invalidated meanwhile.
    func save(
        _ next: HeldCredential, insteadOf basis: StoredBasis, later: StoredBasis, used: StoredBasis = .nothing,
        in session: Session, epoch: UInt64
    ) async -> HeldCredential {
        guard let store, method.obtains else {
            state.withLock { state in
                if state.epoch == epoch, !state.isOvertaken(next) {
                    state.take(next, keepingUnused: method.revokesUnused)
                } else if method.revokesUnused, state.isOfUser(epoch) {
                    state.keepUnused(next)
                }
            }
            return next
        }
        let entry = entry(of: next, in: store)
        let digest = CredentialEntry.Digest(entry)
        // Recorded before anything can fail, since the server may no longer accept the previous credential, which is not saved
        // any more either.
        let (number, former) = state.withLock { state -> (UInt64?, CredentialEntry?) in
            let former = state.unstored?.entry ?? (state.uncommitted ?? state.held)?.stored
            let number = state.beginSave(
                of: next, as: entry, insteadOf: later, used: used.entry, epoch: epoch, keepingUnused: method.revokesUnused)
            if number != nil { state.revocable = (digest, next.revocation) }
            return (number, number == nil ? nil : former)
        }
        let outcome = await store.save(for: place) {
            self.requiredContent(of: next, basis, used: used, in: session, epoch: epoch).map {
                StoredChange(entry: entry, basis: $0, former: former)
            }
        }
        var next = next
        if case .kept = outcome { next.stored = entry }
        let again = now() + Self.patience
        state.withLock { [next] state in
            if state.saves == number { state.endSave(of: entry, with: outcome, epoch: epoch, repeatingAt: again) }
            // Neither this state nor the store has it.
            if method.revokesUnused, number == nil, next.stored == nil, state.isOfUser(epoch) { state.keepUnused(next) }
        }
        // After the save is recorded: what an observer does then may be another request, or a repetition of the save.
        switch outcome {
        case .kept: break
        case .declined: if number != nil, isCurrent(epoch), !isAbandoned(by: session) { report(.superseded) }
        case .failed: report(.notStored)
        }
        return next
    }

    /// Returns the content that the store must have when a credential is saved; `nil` if the credential must not be saved.
    ///
    /// A renewal is saved although the observer was unregistered or the session invalidated meanwhile: the stored refresh token has
    /// been used, and the next process or observer would send it again. A logout prevents it. The store must still have that token
    /// then, since the next observer may have logged in or out meanwhile, or the application may have deleted the token.
    ///
    /// - Parameter used: The stored content that a renewal has used.
    func requiredContent(
        of next: HeldCredential, _ basis: StoredBasis, used: StoredBasis, in session: Session, epoch: UInt64
    ) -> StoredBasis? {
        let isAbandoned = isAbandoned(by: session)
        return state.withLock { state -> StoredBasis? in
            // The result of a later login may have been stored since.
            if state.isOvertaken(next) { return nil }
            if state.epoch == epoch, !isAbandoned { return basis }
            return epoch >= state.firstEpoch && used.entry != nil ? used : nil
        }
    }

    private func entry(of credential: HeldCredential, in store: any CredentialRepository) -> CredentialEntry {
        if let token = credential.token { return CredentialEntry(token, for: place) }
        guard store.isShared else { return CredentialEntry(credential.values, for: place) }
        let names = method.program.credential.fields.map { method.program.slots[$0.slot].name }
        let texts = zip(names, credential.values).compactMap { name, value in value.text.map { (name, $0) } }
        let identities = zip(names, credential.values).compactMap { name, value in
            if case .identity(let identity) = value { (name, StoredIdentity(identity)) } else { nil }
        }
        return CredentialEntry(
            server: place.server?.description, separators: place.separators,
            fields: Dictionary(texts) { first, _ in first }, cookies: credential.cookies?.all.map(StoredCookie.init),
            identities: identities.isEmpty ? nil : Dictionary(identities) { first, _ in first },
            attached: credential.attachedPlaces,
            expires: credential.expirationDate)
    }
}
