/// The server side of one method: whom it lets in, how it challenges, and the pages that answer its challenge.
protocol MethodServer: Sendable {
    /// The method's name in the description.
    var name: String { get }
    /// The names of the cookies that the service provider sets.
    var serviceProviderCookies: Set<String> { get }
    /// The names of the cookies that the identity provider sets.
    var identityProviderCookies: Set<String> { get }

    /// The answer of a page of the service provider's that belongs to the method; `nil` if the address is none of them.
    func serviceProviderPage(for request: MockRequest) -> MockResponse?
    /// The answer of a page of the identity provider's; `nil` if the address is none.
    func identityProviderPage(for request: MockRequest) -> MockResponse?
    /// Who sent the request, if its credential is good.
    func user(of request: MockRequest) -> String?
    /// The answer to a request without a good credential.
    func challenge() -> MockResponse
    /// Ends the session that the request belongs to; whether there was one.
    func endSession(of request: MockRequest) -> Bool
    /// Ends every session.
    func endAllSessions()
}
