import Synchronization

/// The counts of a mock landscape's servers.
public struct MockStatistics: Sendable, Hashable {
    /// Requests for protected resources that were answered with a challenge.
    public var challenges = 0
    /// Requests for protected resources that were answered with the resource.
    public var resources = 0
    /// Login forms that the identity provider showed, including those after a wrong password.
    public var loginForms = 0
    /// Submitted login forms, and HTTP Basic requests, with a wrong user name or password.
    public var wrongPasswords = 0
    /// Requests with an unknown API key.
    public var wrongKeys = 0
    /// Completed logins: the service provider accepted an assertion and created a session.
    public var logins = 0
    /// Assertions that the service provider refused: forged, already used, expired, or for another login.
    public var refusedAssertions = 0
    /// Sessions that a logout ended.
    public var logouts = 0
    /// Cookies sent to a server that had not set them: the identity provider's at the service provider, or vice versa.
    public var strayCookies = 0
    /// All requests by path, without the query.
    public var sends: [String: Int] = [:]
    /// All requests with an `X-Request-ID` field, by its value.
    public var sendsByRequestID: [String: Int] = [:]

    /// The counts of one-time passcodes. Their challenges are also included in ``challenges``.
    public var passcodes = MockPasscodeStatistics()
    /// The counts of authorization servers.
    public var oauth2 = MockOAuth2Statistics()

    /// Creates statistics with zero counts.
    public init() {}
}

/// The recorder of a mock landscape's counts.
package final class MockRecorder: Sendable {
    private let statistics = Mutex(MockStatistics())

    var current: MockStatistics { statistics.withLock { $0 } }

    func reset() { statistics.withLock { $0 = MockStatistics() } }

    package func count(_ change: (inout MockStatistics) -> Void) {
        statistics.withLock { change(&$0) }
    }
}
