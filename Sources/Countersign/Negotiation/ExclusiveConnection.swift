internal import Synchronization

/// A connection that only the requests of one exchange use, one after another. Connection-based authentication schemes and channel
/// bindings require it.
///
/// A transport sends all requests with the same value in ``SessionRequest/connection`` over one HTTP/1.1 connection that no other
/// request uses, and opens another one if it was closed. It keeps its state in ``resource(_:)``. When the exchange releases this
/// object, the connection can be closed.
public final class ExclusiveConnection: Sendable {
    private struct State {
        var serverCertificate: [UInt8]?
        var count = 0
        var resource: (any AnyObject & Sendable)?
    }

    private let state = Mutex(State())

    /// Creates a connection that is not established yet.
    public init() {}

    /// The server's certificate in DER; `nil` before the connection is established, and without TLS.
    public var serverCertificate: [UInt8]? { state.withLock(\.serverCertificate) }

    /// The number of connections that were established. It exceeds one if a connection was closed between requests.
    public var count: Int { state.withLock(\.count) }

    /// Records the server's certificate of each new connection, after the transport has verified it.
    ///
    /// - Parameter certificate: The certificate in DER; `nil` for a connection without TLS.
    public func noteConnection(serverCertificate certificate: [UInt8]?) {
        state.withLock { state in
            state.serverCertificate = certificate
            state.count += 1
        }
    }

    /// Returns the transport's state for this connection, created at the first call.
    public func resource<Resource: AnyObject & Sendable>(_ make: () throws -> Resource) rethrows -> Resource {
        try state.withLock { state in
            if let resource = state.resource as? Resource { return resource }
            let resource = try make()
            state.resource = resource
            return resource
        }
    }
}

extension ExclusiveConnection: CustomReflectable {
    /// Empty: the transport's state contains requests of all clients of an event loop.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
