@_spi(Generated) public import Countersign

/// Makes security contexts with the system's GSSAPI library, for the HTTP scheme Negotiate (RFC 4559).
///
/// The library is loaded when the first context is made: MIT Kerberos on Linux (Debian package `libgssapi-krb5-2`), the GSS
/// framework on Apple systems. Nothing is linked, so that a program runs without the library until it needs it. Tickets come from
/// the user's cache, where `kinit` or the login put them; the configuration and the cache's place are the library's (`KRB5_CONFIG`,
/// `KRB5CCNAME`).
///
/// The mechanism is SPNEGO (RFC 4178). The server must prove who it is (mutual authentication), and tickets are never delegated to
/// it. The library's calls may wait for the KDC, and run on a thread of their own.
///
/// ```swift
/// let security = GSSAPISecurity()
/// let context = try await security.makeContext(for: "HTTP@web.example", as: nil, bindings: nil)
/// let first = try await context.next(after: nil)
/// // Send `Authorization: Negotiate` with the token in base64; the answer has the server's token.
/// let last = try await context.next(after: serverToken)
/// ```
@_spi(Generated) public struct GSSAPISecurity: SecurityContextMaking {
    private let loadLibrary: @Sendable () throws(SecurityContextError) -> GSSLibrary

    /// Makes contexts with the system's library.
    public init() {
        self.init { () throws(SecurityContextError) in try GSSLibrary.load(GSSLibrary.systemPath) }
    }

    /// Makes contexts with another library.
    init(loadLibrary: @escaping @Sendable () throws(SecurityContextError) -> GSSLibrary) {
        self.loadLibrary = loadLibrary
    }

    /// Begins a context.
    ///
    /// - Parameters:
    ///   - service: The host-based service name, such as `HTTP@server.example`.
    ///   - principal: The principal whose tickets are used, such as `alice@REALM.EXAMPLE`: of all caches of the collection, the one
    ///     of this principal. With all mechanisms, a user's name of another mechanism may stand here, such as `DOMAIN\alice`.
    ///     `nil` leaves the choice to the library: the default cache or, of several, the one that fits the service's realm.
    ///   - bindings: What the context is bound to (RFC 5929), such as `tls-server-end-point:` and the hash of the server's
    ///     certificate; `nil` for nothing.
    ///   - mechanisms: What SPNEGO may negotiate.
    /// - Throws: `SecurityContextError` with `noLibrary`, `noTicket` or `failed`; `CancellationError` if the task is cancelled. A
    ///   ticket that is missing or has expired may come to light only in the first leg.
    public func makeContext(
        for service: String, as principal: String?, bindings: [UInt8]?, mechanisms: SecurityMechanisms = .kerberos
    ) async throws -> any SecurityContext {
        let calls = GSSCalls()
        return try await calls.perform {
            try GSSContext(
                with: loadLibrary(), mechanisms: mechanisms, service: service, principal: principal, bindings: bindings,
                calls: calls)
        }
    }
}
