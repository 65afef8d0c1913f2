#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// The lifetime of a client assertion in seconds. It is short, since the assertion is sent at once.
private let assertionLifetime: TimeInterval = 60

extension HTTPCall.Client {
    /// Adds the client identifier to a request, and authenticates the client if it has a key or a secret.
    ///
    /// - Throws: ``CountersignError``; the method's error for an unusable parameter.
    func authenticate(
        _ fields: inout HTTPFields, _ form: inout FormParameters, with values: [ProgramValue], of method: PreparedProgram
    ) async throws {
        guard let identifier = identifier.text(values) else { return }
        let proof = try await proof(identifier, with: values, of: method)
        do {
            try OAuth2Client(identifier: identifier, authentication: proof).authenticate(&fields, &form)
        } catch {
            let detail =
                switch error {
                case .colonInIdentifier: "the client's identifier has a colon, which HTTP Basic cannot carry unencoded"
                case .controlCharacter: "the client's identifier or secret has a control character, which HTTP Basic cannot carry"
                }
            throw CountersignError(.invalidRequest, detail: detail)
        }
    }

    private func proof(
        _ identifier: String, with values: [ProgramValue], of method: PreparedProgram
    ) async throws -> OAuth2Client.Authentication {
        if let key = key?.text(values), let audience = audience?.text(values) {
            return .assertion(try await assertion(of: identifier, for: audience, signedBy: key, with: values, of: method))
        }
        guard let secret = secret?.text(values) else { return .none }
        switch authentication.text(values) {
        case "client_secret_basic": return .basic(secret: secret, encoding: .form)
        case "none": return .none
        case "client_secret_post": return .body(secret: secret)
        case "raw_basic": return .basic(secret: secret, encoding: .raw)
        default:
            throw CountersignError(
                .invalidRequest,
                detail: "a client with a secret authenticates by client_secret_basic, client_secret_post or raw_basic")
        }
    }

    /// Returns a signed token that authenticates the client to one server, for a single use (RFC 7523, section 3).
    private func assertion(
        of identifier: String, for audience: String, signedBy key: String, with values: [ProgramValue], of method: PreparedProgram
    ) async throws -> String {
        guard let signer = method.tools.signer else {
            throw CountersignError(.invalidRequest, detail: "no module that signs tokens is linked")
        }
        let now = Date().timeIntervalSince1970
        let claims = JSONTemplate.object([
            .init("iss", .text(.text(identifier))), .init("sub", .text(.text(identifier))), .init("aud", .text(.text(audience))),
            .init("jti", .text(.text(RandomText.make()))), .init("iat", .number("\(Int(now))")),
            .init("exp", .number("\(Int(now + assertionLifetime))")),
        ])
        do throws(UnusableSigningKey) {
            return try await signer.token(
                saying: Array((claims.text([]) ?? "").utf8), signedBy: key, named: keyIdentifier?.text(values),
                rsaAlgorithm: rsaAlgorithm)
        } catch {
            throw method.unusable(
                "the client's key is not a private key in PEM, without a password, for RSA of 2048 bits or for ECDSA on P-256, P-384 or P-521, or a certificate beside it is not in PEM",
                .invalidRequest)
        }
    }
}
