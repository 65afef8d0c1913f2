internal import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Where to listen for a redirect URL.
struct LoopbackPlace: Sendable, Hashable {
    /// The addresses to try, the best first.
    let addresses: [LoopbackAddress]
    /// The port to listen on; `nil` leaves the choice to the system.
    let port: UInt16?
    /// What follows host and port in the redirect URL: path and query.
    let rest: String

    init(addresses: [LoopbackAddress], port: UInt16? = nil, rest: String) {
        self.addresses = addresses
        self.port = port
        self.rest = rest
    }

    /// Reads a redirect URL.
    ///
    /// Its own port counts for nothing, since servers have to let any port through. Both addresses are tried then, as no machine
    /// has to have both (RFC 8252, section 7.3). A given port is for a server that compares whole URLs, so there the address has to
    /// be right too.
    ///
    /// - Parameters:
    ///   - redirectURL: The redirect URL that is registered with the server.
    ///   - port: The port to listen on; `nil` leaves the choice to the system.
    ///   - method: The method's name, for an error.
    init(_ redirectURL: URL, port: UInt16? = nil, authenticationMethod method: String) throws(LoopbackError) {
        guard let origin = Origin(redirectURL), origin.scheme == "http", redirectURL.user == nil, redirectURL.password == nil,
            redirectURL.fragment == nil
        else { throw .redirectElsewhere(authenticationMethod: method) }
        let host = origin.host.withoutBrackets
        guard host != "localhost", !host.hasSuffix(".localhost") else { throw .redirectToLocalhost(authenticationMethod: method) }
        guard let named = [LoopbackAddress.ipv4, .ipv6].first(where: { $0.literal == host }) else {
            throw .redirectElsewhere(authenticationMethod: method)
        }
        // Port 0 tells a socket that any will do.
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
