@_spi(Generated) public import Countersign

/// Creates security contexts with the system's GSSAPI library, for the HTTP scheme Negotiate (RFC 4559).
///
/// The library is loaded when the first context is created: MIT Kerberos on Linux (Debian package `libgssapi-krb5-2`), the GSS
/// framework on Apple systems. It is not linked, so a program starts without it. Tickets come from the user's credential cache. The
/// library's own settings apply (`KRB5_CONFIG`, `KRB5CCNAME`).
///
/// The mechanism is SPNEGO (RFC 4178) with mutual authentication. Tickets are never delegated. Calls of the library can wait for
/// the KDC and run on a separate thread.
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

    /// Creates an instance that uses the system's library.
    public init() {
        self.init { () throws(SecurityContextError) in try GSSLibrary.load(GSSLibrary.systemPath) }
    }

    /// Creates an instance that uses another library.
    init(loadLibrary: @escaping @Sendable () throws(SecurityContextError) -> GSSLibrary) {
        self.loadLibrary = loadLibrary
    }

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - service: The host-based service name, such as `HTTP@server.example`.
    ///   - principal: The principal whose tickets are used, such as `alice@REALM.EXAMPLE`, from any cache of the collection. With
    ///     all mechanisms, it can be a user name of another mechanism, such as `DOMAIN\alice`. `nil` leaves the choice to the
    ///     library: the default cache or, of several, the one for the service's realm.
    ///   - bindings: The channel bindings (RFC 5929), such as `tls-server-end-point:` and the hash of the server's certificate;
    ///     `nil` for none.
    ///   - mechanisms: The mechanisms that SPNEGO may negotiate.
    /// - Throws: `SecurityContextError` with `noLibrary`, `noTicket` or `failed`; `CancellationError` if the task is cancelled. A
    ///   missing or expired ticket may be reported only by the first leg.
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
