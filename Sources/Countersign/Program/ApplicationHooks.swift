internal import HTTPTypes

/// What of an application replaces a part of a method, or reviews its credentials, for one observer. A class, since each
/// exchange passes it on.
final class ApplicationHooks: Sendable {
    /// Replaces the steps to a credential, and leaves that in the session.
    let authenticate: (@Sendable (Session) async throws -> Void)?
    /// Replaces the comparison with patterns; asked once for each response.
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
