import Synchronization

/// What a mock landscape has counted, on the servers' side.
public struct MockStatistics: Sendable, Hashable {
    /// Requests for protected resources that were answered with a challenge.
    public var challenges = 0
    /// Requests for protected resources that were answered with the resource.
    public var resources = 0
    /// Login forms that the identity provider showed, those after a wrong password included.
    public var loginForms = 0
    /// Posted login forms, and requests by HTTP Basic, with a wrong user name or password.
    public var wrongPasswords = 0
    /// Requests with an API key that is not known.
    public var wrongKeys = 0
    /// Logins that were completed: the service provider accepted an assertion and began a session.
    public var logins = 0
    /// Assertions that the service provider refused: forged, used before, expired, or for another login.
    public var refusedAssertions = 0
    /// Sessions that a logout ended.
    public var logouts = 0
    /// Cookies that came to a server which had not set them: the identity provider's at the service provider, or the other way round.
    public var strayCookies = 0
    /// All requests by path, without the query.
    public var sends: [String: Int] = [:]
    /// All requests with an `X-Request-ID` field, by its value.
    public var sendsByRequestID: [String: Int] = [:]

    /// What has been counted about one-time passcodes, for methods that ask for them. Their challenges count among ``challenges``, too.
    public var passcodes = MockPasscodeStatistics()
    /// What authorization servers have counted, for methods whose credential is a token.
    public var oauth2 = MockOAuth2Statistics()

    /// Nothing counted.
    public init() {}
}

/// Where the parts of a mock landscape count.
package final class MockRecorder: Sendable {
    private let statistics = Mutex(MockStatistics())

    var current: MockStatistics { statistics.withLock { $0 } }

    func reset() { statistics.withLock { $0 = MockStatistics() } }

    package func count(_ change: (inout MockStatistics) -> Void) {
        statistics.withLock { change(&$0) }
    }
}
