internal import Synchronization

/// One connection for the requests of one exchange, one after another, as schemes need whose challenges belong to a connection, or which are
/// bound to one.
///
/// A transport sends all requests that have the same one in ``SessionRequest/connection`` over a connection that no other request uses, over
/// HTTP/1.1, and makes another where it was closed. It keeps what that takes in ``resource(_:)``: when the exchange lets go of it, the
/// connection can be closed.
public final class ExclusiveConnection: Sendable {
    private struct State {
        var serverCertificate: [UInt8]?
        var count = 0
        var resource: (any AnyObject & Sendable)?
    }

    private let state = Mutex(State())

    /// Makes a connection that is not there yet.
    public init() {}

    /// The certificate that the server of the connection has shown, in DER; `nil` before it was made, and where it is not over TLS.
    public var serverCertificate: [UInt8]? { state.withLock(\.serverCertificate) }

    /// How often a connection was made: more than once where one was closed between requests.
    public var count: Int { state.withLock(\.count) }

    /// Takes the certificate that a server has shown, from a transport that has verified it, for each connection that it has made.
    ///
    /// - Parameter certificate: In DER; `nil` for a connection without TLS.
    public func noteConnection(serverCertificate certificate: [UInt8]?) {
        state.withLock { state in
            state.serverCertificate = certificate
            state.count += 1
        }
    }

    /// What a transport keeps of it; made once.
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
    /// Nothing: what a transport keeps has the requests of all clients that share an event loop.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
