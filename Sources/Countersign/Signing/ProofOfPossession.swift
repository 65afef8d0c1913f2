// Demonstrating Proof of Possession (DPoP, RFC 9449): the part of a spec, what signs requests by it, and the nonces of servers.

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

    /// Creates the part of a spec.
    public init(key: ProgramTemplate, token: ProgramTemplate? = nil) {
        self.key = key
        self.token = token
    }

    /// What signs with values; `nil` if there is no key.
    ///
    /// - Parameter nonces: Those of the servers.
    /// - Throws: ``CountersignError/Code/invalidRequest`` for a key that cannot be used.
    func signer(_ values: [ProgramValue], with nonces: ProofNonces) throws(CountersignError) -> ProofSigner? {
        guard let text = key.text(values) else { return nil }
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: text) else {
            throw CountersignError(
                .invalidRequest, detail: "the key of the proof is no private key in PEM, without a password, on P-256")
        }
        return ProofSigner(key: key, token: token?.text(values), nonces: nonces)
    }

    /// Whether a value of one of these slots is a part of it.
    func uses(_ slots: [Int]) -> Bool { [key, token].compactMap(\.self).contains { $0.uses(slots) } }

    /// The hash by which authorization servers name a key (RFC 7638, section 3; RFC 9449, section 10).
    ///
    /// - Parameter key: A private key on P-256, in PEM.
    /// - Returns: `nil` if it is none.
    static func thumbprint(of key: String) -> String? {
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: key) else { return nil }
        return RandomText.base64URL(SHA256.hash(data: Array((key.publicKey.webKey.text([]) ?? "").utf8)))
    }
}

/// Adds a proof to each request (RFC 9449, section 4): a token that names the request's method and address, and that nothing can be made of but by
/// the key.
struct ProofSigner: RequestSigning {
    let key: P256.Signing.PrivateKey
    /// The access token that the request carries; `nil` for none.
    let token: String?
    let nonces: ProofNonces
    /// What the next proof has to have in it; `nil` for the latest nonce of its server.
    var nonce: String?

    func payload(of body: RequestBody, isEncrypted: Bool) -> RequestPayload? { .unsigned }

    func payload(reading body: RequestBody) async throws -> RequestPayload { .unsigned }

    func sign(_ request: inout HTTPRequest, payload: RequestPayload, at now: Date) {
        guard let name = HTTPField.Name.proof, let scheme = request.scheme else { return }
        let header = JSONTemplate.object([
            .init("typ", .text("dpop+jwt")), .init("alg", .text("ES256")), .init("jwk", key.publicKey.webKey),
        ])
        let path = (request.path ?? "/").prefix { $0 != "?" && $0 != "#" }
        var claims: [JSONTemplate.Member] = [
            .init("jti", .text(.text(RandomText.make()))), .init("htm", .text(.text(request.method.rawValue))),
            .init("htu", .text(.text("\(scheme)://\(request.signedAuthority)\(path)"))),
            .init("iat", .number("\(Int(now.timeIntervalSince1970.rounded(.down)))")),
        ]
        if let nonce = nonce ?? request.url.flatMap({ Origin($0) }).flatMap({ nonces[$0] }) {
            claims.append(.init("nonce", .text(.text(nonce))))
        }
        if let token { claims.append(.init("ath", .text(.text(RandomText.base64URL(SHA256.hash(data: Array(token.utf8))))))) }
        let message = [header, .object(claims)].map { RandomText.base64URL(($0.text([]) ?? "").utf8) }.joined(separator: ".")
        guard let signature = try? key.signature(for: Array(message.utf8)) else { return }
        var field = HTTPField(name: name, value: "\(message).\(RandomText.base64URL(signature.rawRepresentation))")
        field.indexingStrategy = .disallow
        request.headerFields[fields: name] = [field]
    }
}

extension ProofSigner: RedactedDescription {}

/// What servers want the next proof to have in it (RFC 9449, sections 8 and 9); each has its own. A request takes the latest; one that is refused
/// for want of another takes that which its own refusal has brought, so that a server may take each only once.
final class ProofNonces: Sendable {
    private let nonces = Mutex<[Origin: String]>([:])

    /// More servers than these have no nonce for one credential.
    private static var mostServers: Int { 100 }
    private static var longestNonce: Int { 1024 }

    /// The nonce that a server has given last.
    subscript(_ origin: Origin) -> String? { nonces.withLock { $0[origin] } }

    /// Takes a response's nonce.
    ///
    /// - Returns: The nonce; `nil` if it has none.
    @discardableResult
    func note(_ response: HTTPResponse, from origin: Origin) -> String? {
        guard let name = HTTPField.Name("DPoP-Nonce"), let nonce = response.headerFields[values: name].first, Self.isUsable(nonce)
        else { return nil }
        nonces.withLock { nonces in
            if nonces.count >= Self.mostServers, nonces[origin] == nil { nonces.removeAll() }
            nonces[origin] = nonce
        }
        return nonce
    }

    /// Whether a text is a nonce (section 8.1): characters of ASCII without spaces, quotation marks and backslashes.
    private static func isUsable(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= longestNonce
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
}

extension HTTPResponse {
    /// What a resource server says is wrong with the proof, and not with the token (RFC 9449, sections 7.1 and 9); `nil` if it says nothing of it.
    var proofError: String? {
        guard status == .unauthorized else { return nil }
        let errors = AuthenticationChallenge.challenges(in: headerFields).filter { $0.hasScheme("DPoP") }.compactMap { $0["error"] }
        return errors.first { [proofNonceError, "invalid_dpop_proof"].contains($0) }
    }
}

/// The code by which servers want another nonce (RFC 9449, section 8).
let proofNonceError = "use_dpop_nonce"

extension HTTPField.Name {
    /// `DPoP`, which has the proof.
    static var proof: HTTPField.Name? { HTTPField.Name("DPoP") }
}

extension P256.Signing.PublicKey {
    /// The key as JSON (RFC 7517), with its members in the order of RFC 7638, section 3.3.
    fileprivate var webKey: JSONTemplate {
        let bytes = Array(rawRepresentation)
        return .object([
            .init("crv", .text("P-256")), .init("kty", .text("EC")),
            .init("x", .text(.text(RandomText.base64URL(bytes.prefix(32))))),
            .init("y", .text(.text(RandomText.base64URL(bytes.suffix(32))))),
        ])
    }
}
