/// The order of the renewals of one stored credential in this process, for stores without locks.
///
/// A server that rotates refresh tokens accepts each one once. It takes a second use for theft, and revokes all tokens of the login
/// (RFC 9700, section 4.14.2). A renewal continues after its observer was unregistered, and the store has the used token until the
/// renewal has ended. So the renewal of the next registration, or that of another session with the same store, waits for this end
/// and then reads the store, as processes do with the lock of a shared store.
enum RenewalTurns {
    fileprivate static let turns = KeyedLocks()

    /// Returns the name of a stored credential that no other store of this process has.
    ///
    /// - Parameters:
    ///   - entry: The name of the credential in the store.
    ///   - owner: The only user of a store that is a value, which has no identity of its own.
    static func key(of entry: String, in store: any Sendable, usedBy owner: AnyObject) -> CredentialKey {
        let object = type(of: store) is AnyClass ? store as AnyObject : owner
        return CredentialKey("\(ObjectIdentifier(object))\n\(entry)")
    }

    /// Returns the number of renewals that wait, for tests.
    static func waiterCount(for key: CredentialKey) -> Int { turns.waiterCount(for: key) }
}

extension ManagedCredential {
    /// Runs a renewal after those of the same stored credential that other sessions and former registrations have begun.
    ///
    /// - Throws: ``CountersignError/Code/busy`` if they do not end in time; the errors of the renewal.
    func inTurn(_ renewal: @Sendable () async throws -> HeldCredential?) async throws -> HeldCredential? {
        guard let turn = store?.turn(of: place) else { return try await renewal() }
        // The time is that of a store's lock.
        let (clock, limit) = (ContinuousClock(), flightTimeout - flightTimeout / 10)
        guard let renewed = try await RenewalTurns.turns.withLock(on: turn, until: clock.now + limit, clock: clock, renewal) else {
            throw CountersignError(.busy, detail: "another renewal of the credential has not ended", origin: place.server)
        }
        return renewed
    }
}
