/// A server of a landscape beside those of its methods, such as one that says who a user is.
package protocol MockService: Sendable {
    /// The names of the cookies that it sets at the identity provider's host.
    var identityProviderCookies: Set<String> { get }

    /// The answer to a request at the service provider's host; `nil` if the address is none of its own.
    func serviceProviderPage(for request: MockRequest) -> MockResponse?
    /// The answer to a request at the identity provider's host; `nil` if the address is none of its own.
    func identityProviderPage(for request: MockRequest) -> MockResponse?
    /// Counts from zero again.
    func resetStatistics()
    /// Takes back all faults that are left.
    func removeFaults()
}

extension MockService {
    package var identityProviderCookies: Set<String> { [] }
    package func identityProviderPage(for request: MockRequest) -> MockResponse? { nil }
    package func resetStatistics() {}
    package func removeFaults() {}
}

/// How a ``MockService`` behaves: what ``ServerRules`` and ``MockOptions`` have of it until the mock is started.
package protocol MockServiceOptions: Sendable {
    /// Makes the server; `nil` if these options, or the landscape's methods, have no use for it.
    func makeService(in context: MockServiceContext) throws -> (any MockService)?
}

/// The mock that a ``MockService`` is made for.
package struct MockServiceContext: Sendable {
    /// The addresses of the two hosts.
    package let hosts: MockHosts
    /// The options of the mock.
    package let options: MockOptions
    /// The servers of the landscape's methods.
    package let methods: MethodServers
    /// Where the landscape counts.
    package let recorder: MockRecorder
}
