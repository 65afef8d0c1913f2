public import Countersign

/// A user who types the code of a device as soon as it is shown, for tests.
public struct MockDeviceUser: UserCodePresenter {
    private let name: String?
    private let server: MockAuthorizationServer

    /// Makes a user.
    ///
    /// - Parameters:
    ///   - name: The user's name; `nil` for one who does not want to.
    ///   - server: The server that the device asks.
    public init(_ name: String?, at server: MockAuthorizationServer) {
        self.name = name
        self.server = server
    }

    public func present(_ presentation: UserCodePresentation) async throws {
        server.settle(userCode: presentation.userCode, by: name)
    }
}

extension MockDeviceUser: CustomStringConvertible {
    /// The name.
    public var description: String { "MockDeviceUser(\(name ?? "none"))" }
}
