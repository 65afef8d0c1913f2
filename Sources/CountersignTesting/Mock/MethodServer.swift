/// The server side of one method: it admits users, sends challenges, and serves the pages of the login.
protocol MethodServer: Sendable {
    /// Whether its credential is a cookie, which is valid for every path of the service provider.
    var usesCookies: Bool { get }
    /// The method's name in the description.
    var name: String { get }
    /// The names of the cookies that the service provider sets.
    var serviceProviderCookies: Set<String> { get }
    /// The names of the cookies that the identity provider sets.
    var identityProviderCookies: Set<String> { get }

    /// Returns the response of the method's page at the service provider; `nil` if the method has no page with this path.
    func serviceProviderPage(for request: MockRequest) async -> MockResponse?
    /// Returns the response of the method's page at the identity provider; `nil` if the method has no page with this path.
    func identityProviderPage(for request: MockRequest) -> MockResponse?
    /// Checks the credential of a request for a resource.
    func admit(_ request: MockRequest) -> MockAdmission
    /// Counts a request that was refused.
    func noteRefusal(of request: MockRequest)
    /// Returns the response to a request without a credential.
    func challenge() -> MockResponse
    /// Ends the session of the request, and returns whether there was one.
    func endSession(of request: MockRequest) -> Bool
    /// Ends every session.
    func endAllSessions()
    /// Returns the user of the request's session or token.
    func user(of request: MockRequest) -> String?
    /// Revokes the refresh tokens of a user. Access tokens remain valid until they expire.
    func revokeRefreshTokens(of user: String)
}

extension MethodServer {
    func noteRefusal(of request: MockRequest) {}

    func user(of request: MockRequest) -> String? {
        if case .user(let user) = admit(request) { user } else { nil }
    }
    func revokeRefreshTokens(of user: String) {}
}

/// The decision of a method's server on a request for a resource.
package enum MockAdmission: Sendable {
    /// The credential is valid and belongs to this user.
    case user(String)
    /// The request has no valid credential.
    case challenged(MockResponse)
    /// The credential is valid, but not for this resource.
    case refused(MockResponse)
}
