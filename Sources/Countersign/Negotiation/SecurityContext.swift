// Security contexts (GSSAPI, RFC 2743), as the HTTP scheme Negotiate (RFC 4559) uses them: the seam to the module that has the
// system's library.

/// Makes security contexts, in which a client and a server prove to each other who they are (GSSAPI, RFC 2743).
@_spi(Generated) public protocol SecurityContextMaking: Sendable {
    /// Begins a context.
    ///
    /// - Parameters:
    ///   - service: The host-based service name, such as `HTTP@server.example` (RFC 2743, section 4.1).
    ///   - principal: The principal whose tickets are used, such as `alice@REALM.EXAMPLE`; `nil` for those of the default cache.
    ///   - bindings: What the context is bound to (RFC 5929), such as `tls-server-end-point:` and the hash of the server's
    ///     certificate; `nil` for nothing.
    ///   - mechanisms: What both sides may agree on.
    /// - Throws: ``SecurityContextError``; `CancellationError` if the task is cancelled.
    func makeContext(
        for service: String, as principal: String?, bindings: [UInt8]?, mechanisms: SecurityMechanisms
    ) async throws -> any SecurityContext
}

/// What client and server may agree on (RFC 4178).
@_spi(Generated) public enum SecurityMechanisms: Sendable, Hashable {
    /// Kerberos alone.
    case kerberos
    /// Every mechanism that the system has credentials for, Kerberos first.
    ///
    /// One of them may be NTLM, which does not prove who the server is, and whose answer to a hostile server helps it to guess the password.
    /// Use this only with servers that TLS has authenticated, and that need it.
    case all
}

/// One context. Its legs are made one after another; after an error or a cancelled leg, the context cannot be used again.
@_spi(Generated) public protocol SecurityContext: Sendable {
    /// Makes the next token.
    ///
    /// - Parameter token: What the server has sent; `nil` for the first leg. A later leg without a token fails, since a server that
    ///   sends none has proven nothing.
    /// - Returns: The token for the server, `nil` if there is none to send, and whether the context is complete.
    /// - Throws: ``SecurityContextError``, also where the server failed to prove who it is; `CancellationError` if the task is
    ///   cancelled.
    func next(after token: [UInt8]?) async throws -> SecurityContextStep
}

/// What one leg of a context gives.
@_spi(Generated) public struct SecurityContextStep: Sendable, Hashable {
    /// The token for the server, one byte or more; `nil` if there is none to send.
    public let token: [UInt8]?
    /// Whether the context needs no more tokens of the server. Until then, the server has not proven who it is.
    public let isComplete: Bool

    /// Makes a step.
    public init(token: [UInt8]?, isComplete: Bool) {
        self.token = token
        self.isComplete = isComplete
    }
}

@_spi(Generated) extension SecurityContextStep: CustomStringConvertible, CustomDebugStringConvertible {
    /// The token's length, not the token.
    public var description: String {
        "SecurityContextStep(token: \(token.map { "\($0.count) bytes" } ?? "none"), isComplete: \(isComplete))"
    }

    public var debugDescription: String { description }
}

/// Why a context could not be made or completed.
@_spi(Generated) public struct SecurityContextError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The system has no GSSAPI library.
        case noLibrary = "no-library"
        /// The cache has no ticket, or none of the principal's.
        case noTicket = "no-ticket"
        /// The ticket has expired.
        case expiredTicket = "expired-ticket"
        /// The KDC does not know the service.
        case unknownServer = "unknown-server"
        /// The server did not prove who it is: its token is missing, refuses the client, or cannot be verified.
        case serverNotProven = "server-not-proven"
        /// The library failed in another way.
        case failed
    }

    /// What went wrong.
    public let code: Code
    /// A sentence on this occurrence, with what the system says. It may name principals, services and caches, and has neither
    /// secrets nor tokens.
    public let detail: String

    /// Makes an error.
    public init(_ code: Code, detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { "\(detail) [\(code.rawValue)]" }
}
