internal import Synchronization

/// A renewal that has failed after a server has replaced what the next one needs, such as a refresh token: the new one is valid, and
/// the used one would be taken for a stolen one (RFC 9700, section 4.14).
struct InterruptedRenewal: Error {
    /// The credential as before, with what its next renewal needs.
    let kept: HeldCredential
    let error: any Error
}

extension ManagedCredential {
    /// Returns a credential with what its next renewal needs; `nil` if the interrupted one has not replaced that.
    ///
    /// - Parameters:
    ///   - values: The values of the credential by slot.
    ///   - others: The values after the interrupted renewal.
    func continued(
        _ basis: HeldCredential, _ values: [ProgramValue], by others: [ProgramValue]
    ) throws -> HeldCredential? {
        var values = values
        let replaced = (method.program.renewal?.needs ?? []).filter { others[$0] != .absent && others[$0] != values[$0] }
        guard !replaced.isEmpty else { return nil }
        for slot in replaced { values[slot] = others[slot] }
        var kept = try held(
            values, basis.cookies, signer: basis.signer, after: basis.refusals, lifetime: basis.lifetime)
        kept.isAccepted = basis.isAccepted
        kept.isRenewed = basis.isRenewed
        return kept
    }

    /// Does the same for a token.
    ///
    /// - Parameter other: The token of the interrupted renewal.
    func continued(_ basis: HeldCredential, _ token: OAuth2Token, by other: OAuth2Token) -> HeldCredential? {
        guard let refreshToken = other.refreshToken, refreshToken != token.refreshToken else { return nil }
        let next = OAuth2Token(
            accessToken: token.accessToken, tokenType: token.tokenType, expiryDate: token.expiryDate, scopes: token.scopes,
            refreshToken: refreshToken)
        var kept = held(OAuth2IssuedToken(token: next, lifetime: basis.lifetime))
        kept.isAccepted = basis.isAccepted
        kept.isRenewed = basis.isRenewed
        return kept
    }

    /// Keeps a credential that a renewal has brought and that no request will carry, so that a logout revokes it.
    ///
    /// - Throws: ``LateCredential`` if the user has logged out.
    func note(unused credential: HeldCredential, epoch: UInt64) throws {
        guard method.revokesUnused else { return }
        let isLate = state.withLock { state in
            guard state.isOfUser(epoch) else { return true }
            state.keepUnused(credential)
            return false
        }
        if isLate { throw LateCredential(credential: credential) }
    }

    /// Throws ``LateCredential`` if the user has logged out during a renewal, so that the logout revokes the credential.
    func requireUser(_ epoch: UInt64, revoking credential: HeldCredential) throws {
        guard method.revokesUnused, !state.withLock({ $0.isOfUser(epoch) }) else { return }
        throw LateCredential(credential: credential)
    }
}
