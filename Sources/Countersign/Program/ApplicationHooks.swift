internal import HTTPTypes

/// What of an application takes the place of a part of a method, or has a say in it, for one observer.
struct ApplicationHooks: Sendable {
    /// Replaces the steps to a credential, and leaves that in the session.
    var authenticate: (@Sendable (Session) async throws -> Void)?
    /// Replaces the comparison with patterns; asked once for each response.
    var isChallenge: (@Sendable (HTTPResponse, ExchangeContext) -> Bool)?
    /// Has a say on each credential that is got by a login or from the application.
    var review: AuthenticationReview?
}
