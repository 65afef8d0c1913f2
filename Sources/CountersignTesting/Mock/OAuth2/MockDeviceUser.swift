public import Countersign

/// A scripted user who enters the code of a device as soon as it is shown.
public struct MockDeviceUser: UserCodePresenter {
    private let name: String?
    private let server: MockAuthorizationServer

    /// Creates a user.
    ///
    /// - Parameters:
    ///   - name: The user's name; `nil` for a user who denies the request.
    ///   - server: The server of the device.
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
