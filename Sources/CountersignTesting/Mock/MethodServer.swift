/// The server side of one method: which users it lets in, how it challenges, and the pages that answer its challenge.
protocol MethodServer: Sendable {
    /// Whether its credential is a cookie, which opens every page of the service provider.
    var usesCookies: Bool { get }
    /// The method's name in the description.
    var name: String { get }
    /// The names of the cookies that the service provider sets.
    var serviceProviderCookies: Set<String> { get }
    /// The names of the cookies that the identity provider sets.
    var identityProviderCookies: Set<String> { get }

    /// The answer of a page of the service provider's that belongs to the method; `nil` if the address is none of them.
    func serviceProviderPage(for request: MockRequest) async -> MockResponse?
    /// The answer of a page of the identity provider's; `nil` if the address is none.
    func identityProviderPage(for request: MockRequest) -> MockResponse?
    /// Looks at the credential of a request for a resource.
    func admit(_ request: MockRequest) -> MockAdmission
    /// The answer to a request without a credential.
    func challenge() -> MockResponse
    /// Ends the session that the request belongs to; whether there was one.
    func endSession(of request: MockRequest) -> Bool
    /// Ends every session.
    func endAllSessions()
    /// The user whose session or token the request carries.
    func user(of request: MockRequest) -> String?
    /// Makes the refresh tokens of a user worthless; access tokens live on until they expire.
    func revokeRefreshTokens(of user: String)
}

extension MethodServer {
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
