#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A check that can reject an authentication after its success and before pending requests resume.
///
/// Often the user's identity is known only after a request with the new credential. Until the review has ended, the credential is
/// provisional: only the review's own requests carry it. If the review throws, the credential is discarded, and all pending
/// requests fail with its error.
///
/// A review is part of the authentication: it shares its time limit, and is cancelled with it when no request waits for an
/// interactive login any more or when the user's session ends.
///
/// **Requests of a review.** Requests from the review's own task and its child tasks are recognised. Requests from elsewhere, such
/// as a queue, must carry the bypass identifier (``SessionRequest/bypassIdentifier``). Without it, such a request is challenged and
/// waits for the authentication, which waits for the review, until the time limit ends both.
///
/// **Credentials of the application.** A user name or certificate that the application has just provided is reviewed before any
/// server has accepted it. A stored one is not reviewed again. If the server refuses the credential in a request of the review, and
/// the review throws because of that, the method continues as after a refused request: usually it asks the application again, and
/// the next credential is reviewed in turn.
public struct AuthenticationReview: Sendable {
    let isWanted: @Sendable () -> Bool
    let review: @Sendable (_ session: Session, _ bypassIdentifier: UUID) async throws -> Void
    let failed: @Sendable (_ session: Session, _ error: any Error) -> Void

    /// Creates a review.
    ///
    /// - Parameters:
    ///   - isWanted: Returns whether a review takes place; called at each login.
    ///   - review: Returns to accept the login; throws to reject it.
    ///   - failed: Called for each failed authentication, including rejected ones.
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

/// The error of a review that throws after the server has refused the credential in its requests.
struct ProvisionalRefusal: Error {
    /// The signature of the challenge.
    let signature: String
}

/// The result of a login that is not accepted yet.
enum ProvisionalCredential: Sendable {
    /// The session's cookies with those of the login.
    case cookies(CookieJar)
    /// A credential in header fields of requests.
    case credential(HeldCredential)
}
