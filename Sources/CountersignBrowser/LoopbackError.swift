public import Countersign

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The reason why a ``LoopbackPresenter`` has no result.
///
/// It names methods and addresses of this machine, and contains nothing of a URL.
public enum LoopbackError: SecretFreeError, Sendable, Hashable {
    /// The login ends at a URL of the server, as SAML's does.
    case fixedFinish(authenticationMethod: String)
    /// The redirect URL is not at `http://127.0.0.1` or `http://[::1]`.
    case redirectElsewhere(authenticationMethod: String)
    /// The redirect URL is at `localhost`, a name in place of an address (RFC 8252, section 8.3).
    case redirectToLocalhost(authenticationMethod: String)
    /// Listening failed on both loopback addresses, or on the given port.
    case cannotListen(addresses: [String])
    /// The system closed the port before the response arrived.
    case listenerClosed
    /// The response did not arrive within the time limit.
    case timedOut(Duration)
}

extension LoopbackError {
    public var description: String {
        switch self {
        case .fixedFinish(let method):
            """
            \(method) ends at an address of the server, which a loopback presenter cannot see; use a presenter that has a browser \
            of its own, such as ChromiumPresenter, or FormFillingPresenter where no user is needed
            """
        case .redirectElsewhere(let method):
            """
            \(method) does not come back to this machine; register a redirect URL such as http://127.0.0.1/callback with the \
            server, or use a presenter that has a browser of its own, such as ChromiumPresenter
            """
        case .redirectToLocalhost(let method):
            """
            \(method) comes back to localhost, a name that may lead to another program or machine; register a redirect URL with \
            the address, such as http://127.0.0.1/callback, with the server
            """
        case .cannotListen(let addresses):
            "cannot listen on \(addresses.joined(separator: " or ")); the address does not exist, or the port is in use or denied"
        case .listenerClosed: "the system closed the port before the response arrived"
        case .timedOut(let timeout): "no response arrived from the browser within \(timeout)"
        }
    }
}

extension LoopbackError: LocalizedError {
    public var errorDescription: String? { description }
}
