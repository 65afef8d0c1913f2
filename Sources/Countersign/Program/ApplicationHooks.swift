internal import HTTPTypes

/// The application's hooks for one observer, which replace parts of a method or review its credentials. A class, because each
/// exchange passes it on.
final class ApplicationHooks: Sendable {
    /// Replaces the steps that obtain a credential, and leaves the credential in the session.
    let authenticate: (@Sendable (Session) async throws -> Void)?
    /// Replaces the comparison with challenge patterns. Called once for each response.
    let isChallenge: (@Sendable (HTTPResponse, ExchangeContext) -> Bool)?
    /// Reviews each credential that is obtained by a login or from the application.
    let review: AuthenticationReview?

    init(
        authenticate: (@Sendable (Session) async throws -> Void)? = nil,
        isChallenge: (@Sendable (HTTPResponse, ExchangeContext) -> Bool)? = nil, review: AuthenticationReview? = nil
    ) {
        self.authenticate = authenticate
        self.isChallenge = isChallenge
        self.review = review
    }
}
