// Security contexts (GSSAPI, RFC 2743) for the HTTP scheme Negotiate (RFC 4559): the interface to the module that uses the
// system's library.

/// Creates security contexts for mutual authentication of client and server (GSSAPI, RFC 2743).
@_spi(Generated) public protocol SecurityContextMaking: Sendable {
    /// Creates a context.
    ///
    /// - Parameters:
    ///   - service: The host-based service name, such as `HTTP@server.example` (RFC 2743, section 4.1).
    ///   - principal: The principal whose tickets are used, such as `alice@REALM.EXAMPLE`; `nil` for those of the default cache.
    ///   - bindings: The channel bindings (RFC 5929), such as `tls-server-end-point:` and the hash of the server's certificate;
    ///     `nil` for none.
    ///   - mechanisms: The mechanisms that may be negotiated.
    /// - Throws: ``SecurityContextError``; `CancellationError` if the task is cancelled.
    func makeContext(
        for service: String, as principal: String?, bindings: [UInt8]?, mechanisms: SecurityMechanisms
    ) async throws -> any SecurityContext
}

/// The mechanisms that client and server may negotiate (RFC 4178).
@_spi(Generated) public enum SecurityMechanisms: Sendable, Hashable {
    /// Only Kerberos.
    case kerberos
    /// Every mechanism with credentials on this system, Kerberos first.
    ///
    /// This may include NTLM, which does not authenticate the server, and whose response lets a hostile server guess the password
    /// offline. Use it only with servers that require it and that TLS has authenticated.
    case all
}

/// A security context. Its legs run one after another. After an error or a cancelled leg, the context cannot be used again.
@_spi(Generated) public protocol SecurityContext: Sendable {
    /// Returns the next token.
    ///
    /// - Parameter token: The server's token; `nil` for the first leg. A later leg without a token fails, since the server has not
    ///   been authenticated.
    /// - Returns: The token for the server, or `nil` if there is none to send, and whether the context is complete.
    /// - Throws: ``SecurityContextError``, also if the server could not be authenticated; `CancellationError` if the task is
    ///   cancelled.
    func next(after token: [UInt8]?) async throws -> SecurityContextStep
}

/// The result of one leg of a context.
@_spi(Generated) public struct SecurityContextStep: Sendable, Hashable {
    /// The token for the server, at least one byte; `nil` if there is none to send.
    public let token: [UInt8]?
    /// Whether the context needs no more tokens from the server. Before that, the server is not authenticated.
    public let isComplete: Bool

    /// Creates a step.
    public init(token: [UInt8]?, isComplete: Bool) {
        self.token = token
        self.isComplete = isComplete
    }
}

@_spi(Generated) extension SecurityContextStep: CustomStringConvertible, CustomDebugStringConvertible {
    /// The length of the token.
    public var description: String {
        "SecurityContextStep(token: \(token.map { "\($0.count) bytes" } ?? "none"), isComplete: \(isComplete))"
    }

    public var debugDescription: String { description }
}

/// An error of a security context.
@_spi(Generated) public struct SecurityContextError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The system has no GSSAPI library.
        case noLibrary = "no-library"
        /// The credential cache has no ticket, or none of the principal.
        case noTicket = "no-ticket"
        /// The ticket has expired.
        case expiredTicket = "expired-ticket"
        /// The KDC does not know the service.
        case unknownServer = "unknown-server"
        /// The server was not authenticated: its token is missing, rejects the client, or is invalid.
        case serverNotProven = "server-not-proven"
        /// The library failed in another way.
        case failed
    }

    /// The kind of error.
    public let code: Code
    /// A sentence about this occurrence with the system's message. It may name principals, services and caches, and contains
    /// neither secrets nor tokens.
    public let detail: String

    /// Creates an error.
    public init(_ code: Code, detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { "\(detail) [\(code.rawValue)]" }
}
