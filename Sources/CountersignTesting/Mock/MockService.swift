/// An additional server of a landscape, such as a user information service.
package protocol MockService: Sendable {
    /// The names of its cookies at the identity provider's host.
    var identityProviderCookies: Set<String> { get }

    /// Returns the response to a request at the service provider's host; `nil` if the path belongs to another server.
    func serviceProviderPage(for request: MockRequest) -> MockResponse?
    /// Returns the response to a request at the identity provider's host; `nil` if the path belongs to another server.
    func identityProviderPage(for request: MockRequest) -> MockResponse?
    /// Resets all counts to zero.
    func resetStatistics()
    /// Removes all remaining faults.
    func removeFaults()
}

extension MockService {
    package var identityProviderCookies: Set<String> { [] }
    package func identityProviderPage(for request: MockRequest) -> MockResponse? { nil }
    package func resetStatistics() {}
    package func removeFaults() {}
}

/// The options of a ``MockService``, in ``ServerRules`` and ``MockOptions`` before the mock is started.
package protocol MockServiceOptions: Sendable {
    /// Returns the server; `nil` if it is not needed with these options or the landscape's methods.
    func makeService(in context: MockServiceContext) throws -> (any MockService)?
}

/// The mock for which a ``MockService`` is created.
package struct MockServiceContext: Sendable {
    /// The URLs of the two hosts.
    package let hosts: MockHosts
    /// The options of the mock.
    package let options: MockOptions
    /// The servers of the landscape's methods.
    package let methods: MethodServers
    /// The recorder of the landscape's counts.
    package let recorder: MockRecorder
}
