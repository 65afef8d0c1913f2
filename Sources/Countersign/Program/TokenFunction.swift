#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A signed JSON Web Token (RFC 7519): an assertion for a server (RFC 7523), or a token that requests carry.
public struct TokenFunction: Sendable, Hashable {
    /// The claims, of which absent values are omitted. `iat` and `exp` are added, and a random `jti` unless there is one.
    public let claims: [JSONTemplate.Member]
    /// The private key in PEM. If the PEM also contains certificates, the token has the thumbprint of the first (RFC 7515, section
    /// 4.1.8).
    public let key: ProgramTemplate
    /// The identifier of the key (`kid`); `nil` for none.
    public let keyIdentifier: ProgramTemplate?
    /// The algorithm of an RSA key.
    public let rsaAlgorithm: HTTPCall.Client.RSAAlgorithm
    /// The time from `iat` to `exp` in whole seconds.
    public let lifetime: Duration
    /// The time by which `iat` is in the past in whole seconds, for a server whose clock can be behind.
    public let clockSkew: Duration

    /// Creates the function.
    public init(
        _ claims: [JSONTemplate.Member], key: ProgramTemplate, keyIdentifier: ProgramTemplate? = nil,
        rsaAlgorithm: HTTPCall.Client.RSAAlgorithm = .rs256, lifetime: Duration = .seconds(60), clockSkew: Duration = .zero
    ) {
        self.claims = claims
        self.key = key
        self.keyIdentifier = keyIdentifier
        self.rsaAlgorithm = rsaAlgorithm
        self.lifetime = lifetime
        self.clockSkew = clockSkew
    }
}

extension TokenFunction {
    /// Whether the function uses one of these slots.
    func uses(_ slots: [Int]) -> Bool {
        key.uses(slots) || keyIdentifier?.uses(slots) == true || claims.contains { $0.name.uses(slots) || $0.value.uses(slots) }
    }

    /// Returns a new token, for a single use unless the server accepts it several times.
    ///
    /// - Parameters:
    ///   - values: The values by slot.
    ///   - method: The method with the tool that signs.
    /// - Returns: `nil` if the key is absent.
    /// - Throws: ``CountersignError/Code/invalidRequest`` if no module that signs is linked; the method's error for an unusable
    ///   parameter if the key cannot be used.
    func token(_ values: [ProgramValue], of method: PreparedProgram) async throws -> String? {
        guard let key = key.text(values) else { return nil }
        guard let signer = method.tools.signer else {
            throw CountersignError(.invalidRequest, detail: "no module that signs tokens is linked")
        }
        let content = JSONTemplate.object(claims + addedClaims(values, at: Date())).text(values) ?? ""
        do throws(UnusableSigningKey) {
            return try await signer.token(
                saying: Array(content.utf8), signedBy: key, named: keyIdentifier?.text(values), rsaAlgorithm: rsaAlgorithm)
        } catch {
            throw method.unusable(
                "the key that signs a token is not a private key in PEM, without a password, for RSA of 2048 bits or for ECDSA on P-256, P-384 or P-521, or a certificate beside it is not in PEM",
                .invalidRequest)
        }
    }

    private func addedClaims(_ values: [ProgramValue], at now: Date) -> [JSONTemplate.Member] {
        let issued = Int64(now.timeIntervalSince1970) - clockSkew.components.seconds
        var added: [JSONTemplate.Member] = [
            .init("iat", .number("\(issued)")), .init("exp", .number("\(issued + lifetime.components.seconds)")),
        ]
        if !claims.contains(where: { $0.name.text(values) == "jti" }) {
            added.append(.init("jti", .text(.text(RandomText.make()))))
        }
        return added
    }
}
