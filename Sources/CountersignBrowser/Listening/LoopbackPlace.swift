internal import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The addresses and the port to listen on for a redirect URL.
struct LoopbackPlace: Sendable, Hashable {
    /// The addresses to try, in order of preference.
    let addresses: [LoopbackAddress]
    /// The port to listen on; `nil` for one that the system chooses.
    let port: UInt16?
    /// The path and the query of the redirect URL.
    let rest: String

    init(addresses: [LoopbackAddress], port: UInt16? = nil, rest: String) {
        self.addresses = addresses
        self.port = port
        self.rest = rest
    }

    /// Creates a place for a redirect URL.
    ///
    /// The URL's own port is ignored, since servers must accept any port, and both loopback addresses are tried, since a machine
    /// may lack one of them (RFC 8252, section 7.3). A given port is for a server that compares complete URLs, so only the URL's
    /// own address is used then.
    ///
    /// - Parameters:
    ///   - redirectURL: The redirect URL that is registered with the server.
    ///   - port: The port to listen on; `nil` for one that the system chooses.
    ///   - method: The name of the method for errors.
    init(_ redirectURL: URL, port: UInt16? = nil, authenticationMethod method: String) throws(LoopbackError) {
        guard let origin = Origin(redirectURL), origin.scheme == "http", redirectURL.user == nil, redirectURL.password == nil,
            redirectURL.fragment == nil
        else { throw .redirectElsewhere(authenticationMethod: method) }
        let host = origin.host.withoutBrackets
        guard host != "localhost", !host.hasSuffix(".localhost") else { throw .redirectToLocalhost(authenticationMethod: method) }
        guard let named = [LoopbackAddress.ipv4, .ipv6].first(where: { $0.literal == host }) else {
            throw .redirectElsewhere(authenticationMethod: method)
        }
        // For a socket, port 0 means any free port.
        self.port = port == 0 ? nil : port
        addresses = self.port == nil ? [named, named == .ipv4 ? .ipv6 : .ipv4] : [named]
        rest = redirectURL.path(percentEncoded: true) + (redirectURL.query(percentEncoded: true).map { "?\($0)" } ?? "")
    }
}

extension String {
    fileprivate var withoutBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
}
