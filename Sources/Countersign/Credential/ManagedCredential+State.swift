#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension ManagedCredential {
    struct State {
        /// Whether the store has been read before the first request.
        var isRestored = false
        var held: HeldCredential?
        /// A credential from the server that no request carries yet, for example because all waiting requests were cancelled. It
        /// may have replaced the refresh token of the current one.
        var uncommitted: HeldCredential?
        /// The uncommitted credential that an adoption has replaced, so that a logout revokes it too.
        var superseded: HeldCredential?
        /// The credentials from the application whose adoption is running, so that a logout revokes them too.
        var adopted: [UUID: HeldCredential] = [:]
        /// The number of saves that have begun.
        var saves: UInt64 = 0
        /// A credential that has no place in requests any more: it has expired by the session's clock, or was refused, and the next
        /// login is compared with it. Only steps read its values. Its stored entry is not restored again, even if it is still valid
        /// by the wall clock.
        var expired: HeldCredential?
        var generation = Generation.none
        /// The number of the user's session. A result that belongs to an earlier session is discarded.
        var epoch: UInt64 = 0
        /// The first number since the last logout. Since then, the observer may have been unregistered, which keeps what is stored.
        var firstEpoch: UInt64 = 0
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

    /// A challenge to a valid credential that the steps could not answer.
    struct Declined {
        let generation: Generation
        /// The captured values of the challenge, by slot.
        let values: [Int: ProgramValue]
        /// The latest exchange whose requests get the same error.
        let latest: ExchangeNumber
        let error: any Error
    }

    /// A renewal that an unregistration has separated from the state. It continues, and its result belongs to the same user.
    struct Orphan: Sendable {
        let renewal: Task<HeldCredential?, any Error>
        /// The stored credential that it renews; `nil` if that is not stored.
        let used: CredentialEntry?

        /// The result; `nil` if it has failed.
        var result: HeldCredential? { get async { try? await renewal.value } }
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
