internal import HTTPTypes

/// What of an application replaces a part of a method, or reviews its credentials, for one observer.
struct ApplicationHooks: Sendable {
    /// Replaces the steps to a credential, and leaves that in the session.
    var authenticate: (@Sendable (Session) async throws -> Void)?
    /// Replaces the comparison with patterns; asked once for each response.
    var isChallenge: (@Sendable (HTTPResponse, ExchangeContext) -> Bool)?
    /// Reviews each credential that is obtained by a login or from the application.
    var review: AuthenticationReview?
}
