// Demonstrating Proof of Possession (DPoP, RFC 9449): the configuration in a spec, the signer of requests, and the nonces of
// servers.

internal import Crypto
internal import HTTPTypes
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The configuration of DPoP proofs (RFC 9449) with `ES256`.
public struct ProofOfPossession: Sendable, Hashable {
    /// The P-256 private key in PEM. If it is absent, requests have no proof.
    public let key: ProgramTemplate
    /// The access token of the request; `nil` for a request without one.
    public let token: ProgramTemplate?

    /// Creates the configuration.
    public init(key: ProgramTemplate, token: ProgramTemplate? = nil) {
        self.key = key
        self.token = token
    }

    /// Returns the signer with values filled in; `nil` if the key is absent.
    ///
    /// - Parameter nonces: The nonces of the servers.
    /// - Throws: ``CountersignError/Code/invalidRequest`` for an unusable key.
    func signer(_ values: [ProgramValue], with nonces: ProofNonces) throws(CountersignError) -> ProofSigner? {
        guard let text = key.text(values) else { return nil }
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: text) else {
            throw CountersignError(
                .invalidRequest, detail: "the key of the proof is not a private key in PEM, without a password, on P-256")
        }
        return ProofSigner(key: key, token: token?.text(values), nonces: nonces)
    }

    /// Whether the proof uses one of these slots.
    func uses(_ slots: [Int]) -> Bool { [key, token].compactMap(\.self).contains { $0.uses(slots) } }

    /// Returns the thumbprint by which authorization servers identify a key (RFC 7638, section 3; RFC 9449, section 10).
    ///
    /// - Parameter key: A P-256 private key in PEM.
    /// - Returns: `nil` if the text is not such a key.
    static func thumbprint(of key: String) -> String? {
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: key) else { return nil }
        return Base64URL.text(SHA256.hash(data: Array((key.publicKey.webKey.text([]) ?? "").utf8)))
    }
}

/// Adds a proof to each request (RFC 9449, section 4): a token with the method and the URL of the request, signed with the
/// private key.
struct ProofSigner: RequestSigning {
    let key: P256.Signing.PrivateKey
    /// The access token that the request carries; `nil` for none.
    let token: String?
    let nonces: ProofNonces
    /// The nonce of the next proof; `nil` for the latest nonce of its server.
    var nonce: String?

    func payload(of body: RequestBody, isEncrypted: Bool) -> RequestPayload? { .unsigned }

    func payload(reading body: RequestBody) async throws -> RequestPayload { .unsigned }

    func sign(_ request: inout HTTPRequest, payload: RequestPayload, at now: Date) {
        guard let name = HTTPField.Name.proof, request.scheme != nil else { return }
        let header = JSONTemplate.object([
            .init("typ", .text("dpop+jwt")), .init("alg", .text("ES256")), .init("jwk", key.publicKey.webKey),
        ])
        let path = (request.path ?? "/").prefix { $0 != "?" && $0 != "#" }
        var claims: [JSONTemplate.Member] = [
            .init("jti", .text(.text(RandomText.make()))), .init("htm", .text(.text(request.method.rawValue))),
            .init("htu", .text(.text("\(request.signedScheme)://\(request.signedAuthority)\(path)"))),
            .init("iat", .number("\(Int(now.timeIntervalSince1970.rounded(.down)))")),
        ]
        if let nonce = nonce ?? request.url.flatMap({ Origin($0) }).flatMap({ nonces[$0] }) {
            claims.append(.init("nonce", .text(.text(nonce))))
        }
        if let token { claims.append(.init("ath", .text(.text(Base64URL.text(SHA256.hash(data: Array(token.utf8))))))) }
        let message = [header, .object(claims)].map { Base64URL.text(($0.text([]) ?? "").utf8) }.joined(separator: ".")
        guard let signature = try? key.signature(for: Array(message.utf8)) else { return }
        var field = HTTPField(name: name, value: "\(message).\(Base64URL.text(signature.rawRepresentation))")
        field.indexingStrategy = .disallow
        request.headerFields[fields: name] = [field]
    }
}

extension ProofSigner: RedactedDescription {}

/// The nonces that servers require in the next proof (RFC 9449, sections 8 and 9), one for each server. A request uses the latest
/// nonce. If it is refused because it needs another one, it uses the nonce of its own refusal, so that a server may accept each
/// nonce only once.
final class ProofNonces: Sendable {
    private let nonces = Mutex<[Origin: String]>([:])

    /// The maximum number of servers, more than issue nonces for one credential.
    private static var maximumServers: Int { 100 }
    private static var maximumNonceLength: Int { 1024 }

    /// The latest nonce of a server.
    subscript(_ origin: Origin) -> String? { nonces.withLock { $0[origin] } }

    /// Stores the nonce of a response.
    ///
    /// - Returns: The nonce; `nil` if the response has none.
    @discardableResult
    func note(_ response: HTTPResponse, from origin: Origin) -> String? {
        guard let name = HTTPField.Name("DPoP-Nonce"), let nonce = response.headerFields[values: name].first, Self.isUsable(nonce)
        else { return nil }
        nonces.withLock { nonces in
            if nonces.count >= Self.maximumServers, nonces[origin] == nil { nonces.removeAll() }
            nonces[origin] = nonce
        }
        return nonce
    }

    /// Whether a text is a valid nonce (section 8.1): visible ASCII characters except quotation marks and backslashes.
    private static func isUsable(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= maximumNonceLength
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
}

extension HTTPResponse {
    /// The error code of a resource server that rejects the proof and not the token (RFC 9449, sections 7.1 and 9); `nil` if
    /// there is none.
    var proofError: String? {
        guard status == .unauthorized else { return nil }
        let errors = AuthenticationChallenge.challenges(in: headerFields).filter { $0.hasScheme("DPoP") }.compactMap { $0["error"] }
        return errors.first { [proofNonceError, "invalid_dpop_proof"].contains($0) }
    }
}

/// The error code by which servers require another nonce (RFC 9449, section 8).
let proofNonceError = "use_dpop_nonce"

extension HTTPField.Name {
    /// The `DPoP` field, which contains the proof.
    static var proof: HTTPField.Name? { HTTPField.Name("DPoP") }
}

extension P256.Signing.PublicKey {
    /// The key as JSON (RFC 7517), with its members in the order of RFC 7638, section 3.3.
    fileprivate var webKey: JSONTemplate {
        let bytes = Array(rawRepresentation)
        return .object([
            .init("crv", .text("P-256")), .init("kty", .text("EC")),
            .init("x", .text(.text(Base64URL.text(bytes.prefix(32))))),
            .init("y", .text(.text(Base64URL.text(bytes.suffix(32))))),
        ])
    }
}
