#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension ManagedCredential {
    struct State {
        /// Whether the store has been read before the first request.
        var isRestored = false
        /// The earliest time of that read, after one that has failed.
        var nextRestoring = Duration.zero
        var held: HeldCredential?
        /// A credential from the server that no request carries yet, for example because all waiting requests were cancelled. It
        /// may have replaced the refresh token of the current one.
        var uncommitted: HeldCredential?
        /// The uncommitted credential that an adoption has replaced, so that a logout revokes it too.
        var superseded: HeldCredential?
        /// The credentials from the application whose adoption is running, so that a logout revokes them too.
        var adopted: [UUID: HeldCredential] = [:]
        /// The credentials that logins have brought, and that are not in another place of this state: they are under review, were
        /// rejected by it, or a newer login has come before. No request carries them, and a logout revokes them. Empty if the method
        /// has no revocation.
        var unused: [HeldCredential] = []
        /// The running flights, by their numbers, so that a logout can revoke what their logins still bring; empty if the method has
        /// no revocation.
        var flights: [UInt64: RunningFlight] = [:]
        /// The number of flights that have begun.
        var flightsSoFar: UInt64 = 0
        /// The number of flights that had begun at the last logout.
        var formerFlights: UInt64 = 0
        /// The latest flight that has brought a credential. If an earlier one, which was abandoned, brings another one later, that
        /// is not used.
        var latestFlight: UInt64 = 0
        /// The number of saves that have begun.
        var saves: UInt64 = 0
        /// A credential that has no place in requests any more: it has expired by the session's clock, or was refused, and the next
        /// login is compared with it. Only steps read its values. Its stored entry is not restored again, even if it is still valid
        /// by the wall clock.
        var expired: HeldCredential?
        /// The origins that the user's latest credential names as its recipients.
        var named: Set<Origin> = []
        var generation = Generation.none
        /// The number of the user's session. A result that belongs to an earlier session is discarded.
        var epoch: UInt64 = 0
        /// The first number since the last logout. Since then, the observer may have been unregistered, which keeps what is stored.
        var firstEpoch: UInt64 = 0
        /// The digest of the latest stored entry with the right to revoke its credential. It outlasts a logout, since another one can
        /// have read the same entry; the entry itself has secrets.
        var revocable: (digest: CredentialEntry.Digest, right: RevocationRight)?
        /// The refused logins, which are not repeated for a while.
        var refusedLogins = RefusedLogins()
        /// The generation that was permanently refused, the latest exchange at that time, and the error of all requests that
        /// carried the generation or began by then.
        var refusal: (generation: Generation, latest: ExchangeNumber, error: any Error)?
        /// A challenge that asked for more than the valid credential, and that the steps could not answer.
        var declined: Declined?
        /// The running renewal.
        var renewal: Task<HeldCredential?, any Error>?
        /// The renewals of the same user that were running when the observer was unregistered, by ``epoch``.
        var orphans: [UInt64: Orphan] = [:]
        /// The end of a pause that the server demanded, and the error of renewals until then.
        var pause: (end: Duration, error: any Error)?
        /// The credential that the store has not saved yet.
        var unstored: Unstored?
        /// The earliest time of the next renewal before the credential has expired.
        var nextEarlyRenewal = Duration.zero
    }

    /// The maximum number of unused credentials that are kept for a logout. The oldest ones are dropped.
    static var maximumUnused: Int { 16 }

    /// A flight whose login may still bring a credential.
    struct RunningFlight: Sendable {
        let task: Task<HeldCredential, any Error>
        let scope: FlightScope
    }

    /// A challenge to a valid credential that the steps could not answer.
    struct Declined {
        let generation: Generation
        /// The captured values of the challenge, by slot.
        let values: [Int: ProgramValue]
        /// The latest exchange whose requests get the same error.
        let latest: ExchangeNumber
        let error: any Error
    }

    /// A renewal that an unregistration has separated from the state, or can separate. It continues, and its result belongs to the same
    /// user.
    struct Orphan: Sendable {
        let renewal: Task<HeldCredential?, any Error>
        /// The stored credential that it renews; `nil` if that is not stored.
        let used: CredentialEntry?

        /// The result; `nil` if there is none.
        var result: HeldCredential? { get async { await ManagedCredential.result(of: renewal) } }
    }

    /// A credential that is being saved, or whose save has failed.
    struct Unstored {
        /// The epoch of the credential.
        let epoch: UInt64
        /// The entry to save; `nil` after its refusal. The basis counts as used even then.
        var entry: CredentialEntry?
        /// The content of the store that the entry replaces: a used credential, or nothing.
        let basis: StoredBasis
        /// The time of the next attempt to save; `nil` during an attempt.
        var next: Duration?
    }
}

extension ManagedCredential.State {
    /// Whether a credential is that of a login whose flight was abandoned, and a later flight has brought one before.
    func isOvertaken(_ credential: HeldCredential) -> Bool { credential.flight.map { $0 < latestFlight } ?? false }

    /// Records the newest credential, which no request carries yet.
    ///
    /// - Parameter keepsUnused: Whether a logout revokes credentials that no request has carried.
    mutating func take(_ next: HeldCredential, keepingUnused keepsUnused: Bool) {
        // A login does not continue the result of another one, as a renewal does.
        if keepsUnused, next.flight != nil { keepUncommitted(replacedBy: next) }
        noteUse(of: next)
        uncommitted = next
    }

    /// Keeps the uncommitted credential for its revocation, if a login has brought it and it is another one than its successor.
    mutating func keepUncommitted(replacedBy next: HeldCredential) {
        guard let other = uncommitted, other.flight != nil, other.revocation !== next.revocation, !other.isSent(as: next),
            // The store may have returned the same credential, whose cookies cannot be compared.
            other.stored == nil || other.stored != next.stored
        else { return }
        keepUnused(other)
    }

    /// Records that a credential has its place.
    mutating func noteUse(of credential: HeldCredential) {
        unused.removeAll { $0.revocation === credential.revocation }
        if let flight = credential.flight { latestFlight = max(latestFlight, flight) }
    }

    /// Keeps a credential only for its revocation by a logout, unless it is the application's.
    mutating func keepUnused(_ credential: HeldCredential) {
        guard !credential.isAdopted else { return }
        unused.removeAll { $0.revocation === credential.revocation }
        unused.append(credential)
        if unused.count > ManagedCredential.maximumUnused { unused.removeFirst() }
    }
}
