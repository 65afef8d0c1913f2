/// The failure of a step after the one that has obtained a token.
struct IncompleteGrant: Error {
    /// The token, which no request carries.
    let issued: OAuth2IssuedToken
    /// The failure of the step.
    let error: any Error
}

extension TokenSource {
    /// Returns an error of ``obtain(in:clock:)`` or ``renew(_:in:clock:)`` with the method's error in place of a failed token request.
    func translated(_ error: any Error) -> any Error {
        switch error {
        case let failure as OAuth2TokenFailure: self.error(for: failure)
        case let incomplete as IncompleteGrant:
            IncompleteGrant(issued: incomplete.issued, error: translated(incomplete.error))
        default: error
        }
    }
}
