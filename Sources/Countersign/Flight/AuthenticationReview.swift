#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Can reject an authentication between its success and the release of the requests that wait for it.
///
/// Which user logged in is often known only once the server is asked with the new credential. Until the review has ended, the
/// credential is provisional: the requests that the review itself sends carry it, and no other request does. If the review throws,
/// nothing of the login is kept, and all requests that wait fail with its error.
///
/// A review belongs to the authentication: it shares its limit of time, and ends with it when no request waits for an interactive
/// login any more, or when the user's session ends.
///
/// **Requests of a review.** What is sent from the review's own task, or from tasks that it starts, is known to be the review's. What is
/// sent from elsewhere, such as a queue, carries the bypass identifier (``SessionRequest/bypassIdentifier``); without it such a request
/// is challenged and waits for the authentication, which waits for the review: the limit of time ends both.
///
/// **Credentials of the application.** A user name or a certificate that the application has just given is reviewed before a server has
/// seen it; one that a store had is not, for it was reviewed before it was stored. If the server refuses it to the requests of the review,
/// and the review throws for that, the credential was wrong and no user was refused: the method goes on as it does where a waiting
/// request is refused, which most often means to ask again, and what is given next is reviewed in turn.
public struct AuthenticationReview: Sendable {
    let isWanted: @Sendable () -> Bool
    let review: @Sendable (_ session: Session, _ bypassIdentifier: UUID) async throws -> Void
    let failed: @Sendable (_ session: Session, _ error: any Error) -> Void

    /// Makes a review.
    ///
    /// - Parameters:
    ///   - isWanted: Whether a review takes place; called at each login.
    ///   - review: Returns to let the login stand; throws to refuse it.
    ///   - failed: Called for each authentication that failed, the refused ones included.
    public init(
        isWanted: @escaping @Sendable () -> Bool = { true },
        review: @escaping @Sendable (_ session: Session, _ bypassIdentifier: UUID) async throws -> Void,
        failed: @escaping @Sendable (_ session: Session, _ error: any Error) -> Void = { _, _ in }
    ) {
        self.isWanted = isWanted
        self.review = review
        self.failed = failed
    }
}

/// What a review ends with if it throws after the server has refused the credential to its requests.
struct ProvisionalRefusal: Error {
    /// The signature of the challenge.
    let signature: String
}

/// What a login has brought, before it stands.
enum ProvisionalCredential: Sendable {
    /// The session's cookies with those of the login.
    case cookies(CookieJar)
    /// What requests carry in fields of their own.
    case credential(HeldCredential)
}
