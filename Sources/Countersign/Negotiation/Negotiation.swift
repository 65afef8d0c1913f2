internal import Crypto
internal import HTTPTypes
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The configuration of the Negotiate scheme (RFC 4559).
public struct Negotiation: Sendable, Hashable {
    /// The service class of the server's principal, such as `HTTP`.
    public let service: ProgramTemplate
    /// The principal whose tickets are used; `nil` or an absent value for the default.
    public let principal: ProgramTemplate?
    /// The slot that tells whether contexts are bound to the TLS channel (RFC 5929, section 4); `nil` for unbound contexts.
    public let bound: Int?
    /// The slot that tells whether all mechanisms are allowed; `nil` for Kerberos only.
    public let anyMechanism: Int?

    /// Creates the configuration.
    public init(service: ProgramTemplate = "HTTP", principal: ProgramTemplate? = nil, bound: Int? = nil, anyMechanism: Int? = nil) {
        self.service = service
        self.principal = principal
        self.bound = bound
        self.anyMechanism = anyMechanism
    }

    /// Returns the configuration with the values of the parameters.
    func terms(_ values: [ProgramValue]) -> NegotiationTerms {
        NegotiationTerms(
            service: service.text(values) ?? "HTTP", principal: principal?.text(values).flatMap { $0.isEmpty ? nil : $0 },
            isBound: bound.map { values[$0] != .absent } ?? false,
            mechanisms: anyMechanism.map { values[$0] != .absent } ?? false ? .all : .kerberos)
    }
}

/// A ``Negotiation`` with the values of the parameters. It creates the header field of a request.
struct NegotiationTerms: Sendable {
    let service: String
    let principal: String?
    let isBound: Bool
    let mechanisms: SecurityMechanisms

    /// Returns the field of the next leg; `nil` if the server's certificate must be known first.
    ///
    /// - Parameters:
    ///   - maker: Creates security contexts; `nil` if no linked module does.
    ///   - handshake: The state of the exchange's security context.
    ///   - origin: The server.
    /// - Throws: `SecurityContextError`; ``CountersignError``; `CancellationError`.
    func field(
        by maker: (any SecurityContextMaking)?, in handshake: NegotiationHandshake, for origin: Origin
    ) async throws -> HTTPField? {
        guard let maker else {
            throw CountersignError(.credentialMissing, detail: "no module that creates security contexts is linked")
        }
        var bindings: [UInt8]?
        if isBound {
            guard origin.scheme == "https" else {
                throw CountersignError(
                    .insecureDestination, detail: "the context must be bound to a TLS connection, and this one does not use TLS")
            }
            guard let certificate = handshake.connection?.serverCertificate else {
                guard handshake.isAsked else { return nil }
                throw CountersignError(
                    .credentialMissing,
                    detail: "the context must be bound to the connection, but the transport does not provide its certificate")
            }
            bindings = ChannelBinding.serverEndPoint(certificate)
        }
        let token = try await handshake.token { [bindings] in
            try await maker.makeContext(for: "\(service)@\(origin.host)", as: principal, bindings: bindings, mechanisms: mechanisms)
        }
        return token.map { token in
            var field = HTTPField(name: .authorization, value: "Negotiate \(Data(token).base64EncodedString())")
            field.indexingStrategy = .disallow
            return field
        }
    }
}
