/// What a failed token request means for the credential that it was made with.
package enum OAuth2FailureClass: Sendable, Hashable {
    /// The server takes the credential no more: the session has ended. The only class that may clear a credential.
    case terminal
    /// It may work later; the credential stays, and the user is not asked to log in.
    case transient(retryAfter: Duration?)
    /// It will not work before something is changed; the credential stays.
    case configuration
    /// The request may have been carried out, and its result is lost: one repetition with the same credential is due at once.
    case ambiguous
}
