internal import CGSSAPI
@_spi(Generated) internal import Countersign

/// The client side of a security context.
///
/// `@unchecked Sendable`: the library's objects and the mutable state are used only on the queue of `calls`, one call at a time,
/// and in `deinit`, when there is no other reference.
final class GSSContext: SecurityContext, @unchecked Sendable {
    private enum Phase {
        case new, begun, ended
    }

    private let library: GSSLibrary
    private let mechanisms: SecurityMechanisms
    private let service: String
    private let bindings: [UInt8]?
    private let calls: GSSCalls
    private let target: GSSName
    private let user: GSSName?
    /// The credential; `nil` for the default of every mechanism.
    private let credential: GSSCredential?
    private var handle: OpaquePointer?
    private var phase = Phase.new

    /// - Parameter calls: The queue of the library calls, on which this initializer must be called as well.
    init(
        with library: GSSLibrary, mechanisms: SecurityMechanisms, service: String, principal: String?, bindings: [UInt8]?,
        calls: GSSCalls
    ) throws(SecurityContextError) {
        let target = try GSSName(service, type: countersign_gss_name_service(), with: library)
        var user: GSSName?
        if let principal {
            // NTLM accepts user names but not principals, for which it has no credential.
            let type = mechanisms == .kerberos ? countersign_gss_name_principal() : countersign_gss_name_user()
            user = try GSSName(principal, type: type, with: library)
        }
        do throws(GSSStatus) {
            switch mechanisms {
            case .kerberos: credential = try Self.kerberosCredential(of: user, with: library)
            case .all: credential = if let user { try GSSCredential(of: user, for: .spnego, with: library) } else { nil }
            }
        } catch {
            throw Self.reason(of: error, service: service, target: target, user: user, with: library)
        }
        self.library = library
        self.mechanisms = mechanisms
        self.service = service
        self.bindings = bindings
        self.calls = calls
        self.target = target
        self.user = user
    }

    deinit { close() }

    func next(after token: [UInt8]?) async throws -> SecurityContextStep {
        try await calls.perform {
            try self.makeLeg(after: token)
        } discarded: {
            self.close()
        }
    }

    private func makeLeg(after token: [UInt8]?) throws(SecurityContextError) -> SecurityContextStep {
        let isFirst = phase == .new
        switch phase {
        case .new:
            guard token == nil else {
                throw SecurityContextError(.failed, detail: "a context must begin without a token from the server")
            }
        case .begun:
            guard let token, !token.isEmpty else {
                close()
                throw SecurityContextError(
                    .serverNotProven, detail: "the server has sent no token, and so has not proven its identity")
            }
        case .ended: throw SecurityContextError(.failed, detail: "the context has ended")
        }
        let leg = library.makeLeg(of: &handle, for: target, with: credential, by: .spnego, bindings: bindings, input: token)
        if leg.status.isError {
            close()
            throw isFirst
                ? Self.reason(of: leg.status, service: service, target: target, user: user, with: library)
                : SecurityContextError(.serverNotProven, detail: "the server has not proven its identity: \(leg.status.text)")
        }
        if leg.mechanism == .ntlm, mechanisms != .all {
            close()
            throw SecurityContextError(
                .serverNotProven, detail: "the server chose NTLM, which does not prove the server's identity")
        }
        guard leg.status.needsToken else {
            close()
            try checkServer(leg)
            return SecurityContextStep(token: leg.token, isComplete: true)
        }
        phase = .begun
        return SecurityContextStep(token: leg.token, isComplete: false)
    }

    /// Throws unless the server is authenticated, or uses NTLM where that is permitted.
    ///
    /// NTLM never authenticates the server, although the mechanism of Debian's gss-ntlmssp reports that it does.
    private func checkServer(_ leg: GSSLeg) throws(SecurityContextError) {
        if leg.mechanism != .ntlm, !leg.isMutual {
            throw SecurityContextError(.serverNotProven, detail: "the context was completed without mutual authentication")
        }
    }

    private func close() {
        library.delete(&handle)
        phase = .ended
    }

    /// Returns a credential with which SPNEGO negotiates only Kerberos.
    private static func kerberosCredential(of user: GSSName?, with library: GSSLibrary) throws(GSSStatus) -> GSSCredential {
        let credential = try GSSCredential(of: user, for: .spnego, with: library)
        if try !credential.restrict(to: .kerberos) {
            // A library without this function offers Kerberos first if there is a ticket. Without a ticket, nothing must be
            // offered.
            _ = try GSSCredential(of: user, for: .kerberos, with: library)
        }
        return credential
    }

    /// Returns the reason why a context could not be started.
    ///
    /// The minor codes of SPNEGO are arbitrary numbers of the library, so the first leg is repeated with Kerberos directly to get
    /// its error.
    private static func reason(
        of status: GSSStatus, service: String, target: GSSName, user: GSSName?, with library: GSSLibrary
    ) -> SecurityContextError {
        do throws(GSSStatus) {
            let credential = try GSSCredential(of: user, for: .kerberos, with: library)
            var context: OpaquePointer?
            defer { library.delete(&context) }
            let leg = library.makeLeg(of: &context, for: target, with: credential, by: .kerberos, bindings: nil, input: nil)
            return (leg.status.isError ? leg.status : status).error(for: service)
        } catch {
            return error.error(for: service)
        }
    }
}
