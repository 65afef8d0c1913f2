internal import Countersign
import Crypto
import Foundation
import HTTPTypes
import Synchronization

/// The OpenID provider of an authorization server: its published documents and ID tokens, written from OpenID Connect Core 1.0
/// and Discovery 1.0.
final class OpenIDProvider: Sendable, RedactedDescription {
    private struct Keys {
        var current = P256.Signing.PrivateKey()
        var number = 1
        /// The public keys by name that are no longer published.
        var retired: [String: P256.Signing.PublicKey] = [:]
        var name: String { "key-\(number)" }
    }

    let options: MockOpenIDOptions
    let tokenFaults = FaultQueue<Void, MockIDTokenFault>()
    let publicationFaults = FaultQueue<String, MockPublicationFault>()
    let issuer: String
    private let address: String
    private let paths: MockOAuth2Options.Paths
    private let scopes: [String]
    private let resource: MockProtectedResourceOptions?
    /// Whether proofs of possession are supported.
    private let proves: Bool
    private let keys = Mutex(Keys())

    init(_ options: MockOpenIDOptions, of server: MockOAuth2Options, address: String) {
        self.options = options
        self.address = address
        issuer = address + server.oddities.issuerPath
        paths = server.paths
        scopes = server.scopes
        resource = server.protectedResource
        proves = server.proof != nil
    }

    /// The path of the protected resource metadata.
    private var resourceMetadataPath: String {
        resource?.metadataPath ?? "/.well-known/oauth-protected-resource\(resource?.path ?? "")"
    }

    /// The URL of the protected resource metadata in challenges; `nil` if challenges do not contain it.
    var resourceMetadataURL: String? {
        guard let resource, resource.namesMetadata else { return nil }
        return address + resourceMetadataPath
    }

    /// The required resource of tokens; `nil` for any.
    var resourceIdentifier: String? { resource.map { address + $0.path } }

    /// Replaces the signing key. Only the new key is published.
    func rotateKeys() {
        keys.withLock { keys in
            keys.retired[keys.name] = keys.current.publicKey
            keys.current = P256.Signing.PrivateKey()
            keys.number += 1
        }
    }

    // MARK: Metadata

    /// - Returns: The response; `nil` if the path belongs to none of the provider's documents.
    func respond(to request: MockRequest) -> MockResponse? {
        switch request.path {
        case options.metadataPath: metadata()
        case options.keysPath: keySet()
        case resourceMetadataPath: resource.map(metadata)
        default: nil
        }
    }

    private func metadata() -> MockResponse {
        let fault = publicationFaults.next(for: "metadata")
        if case .metadataStatus(let status)? = fault { return .text("injected\n", status: HTTPResponse.Status(code: status)) }
        var members = JSONMembers()
        members.set("issuer", to: issuer)
        members.set("authorization_endpoint", to: address + paths.authorize)
        members.set("token_endpoint", to: address + paths.token)
        members.set("jwks_uri", to: address + options.keysPath)
        members.set("revocation_endpoint", to: address + paths.revoke)
        members.set("introspection_endpoint", to: address + paths.introspect)
        members.set("end_session_endpoint", to: address + paths.end)
        members.set("device_authorization_endpoint", to: address + paths.device)
        members.set("scopes_supported", toTexts: scopes)
        members.set("response_types_supported", toTexts: ["code"])
        members.set("subject_types_supported", toTexts: ["public"])
        members.set("id_token_signing_alg_values_supported", toTexts: ["ES256"])
        members.set("code_challenge_methods_supported", toTexts: ["S256"])
        if proves { members.set("dpop_signing_alg_values_supported", toTexts: ["ES256"]) }
        if options.hasCertificateEndpoint {
            var aliases = JSONMembers()
            aliases.set("token_endpoint", to: address + paths.token + "/certificates")
            members.set("mtls_endpoint_aliases", toJSON: aliases.text)
        }
        if let methods = options.authenticationMethods {
            members.set("token_endpoint_auth_methods_supported", toTexts: methods)
        }
        if options.announcesClientMetadata { members.set("client_id_metadata_document_supported", toJSON: "true") }
        if options.announcesPush { members.set("pushed_authorization_request_endpoint", to: address + paths.push) }
        if let path = options.registrationPath { members.set("registration_endpoint", to: address + path) }
        if options.announcesIssuer { members.set("authorization_response_iss_parameter_supported", toJSON: "true") }
        if case .metadata(let changes)? = fault { Self.change(&members, changes) }
        return OAuth2Answer.json(members)
    }

    private func metadata(of resource: MockProtectedResourceOptions) -> MockResponse {
        var members = JSONMembers()
        members.set("resource", to: address + resource.path)
        members.set("authorization_servers", toTexts: [issuer])
        members.set("scopes_supported", toTexts: resource.scopes)
        if case .resource(let changes)? = publicationFaults.next(for: "resource") { Self.change(&members, changes) }
        return OAuth2Answer.json(members)
    }

    private func keySet() -> MockResponse {
        let fault = publicationFaults.next(for: "keys")
        if case .keysStatus(let status)? = fault { return .text("injected\n", status: HTTPResponse.Status(code: status)) }
        let (name, key) = keys.withLock { ($0.name, $0.current.publicKey.rawRepresentation) }
        var jwk = JSONMembers()
        for (member, value) in [
            ("kty", "EC"), ("crv", "P-256"), ("use", "sig"), ("alg", "ES256"), ("kid", name),
            ("x", Self.encoded(key.prefix(32))), ("y", Self.encoded(key.suffix(32))),
        ] { jwk.set(member, to: value) }
        // Clients must ignore keys of an unknown type.
        var set = JSONMembers()
        if case .keys(let json)? = fault {
            set.set("keys", toJSON: json)
            return OAuth2Answer.json(set)
        }
        set.set("keys", toJSON: "[{\"kty\":\"future\",\"kid\":\"key-0\"},\(jwk.text)]")
        var response = OAuth2Answer.json(set)
        if case .hugeKeys(let bytes)? = fault { response.delivery = .inflated(at: 1, by: bytes) }
        return response
    }

    // MARK: Signatures

    /// Returns the public key of a name, also one that is no longer published; `nil` for an unknown name.
    func publicKey(named name: String) -> P256.Signing.PublicKey? {
        keys.withLock { $0.name == name ? $0.current.publicKey : $0.retired[name] }
    }

    /// Returns an ID token for an approved request; `nil` if a fault omits it.
    ///
    /// - Parameter nonce: The nonce of the authorization request; `nil` for none.
    func token(for user: String, client: String, nonce: String?, accessToken: String, now: Date) -> String? {
        let fault = tokenFaults.next(for: ())
        if fault == .missing { return nil }
        let (name, key) = keys.withLock { ($0.name, $0.current) }
        var header = JSONMembers()
        header.set("alg", to: fault == .unsigned ? "none" : fault == .sharedSecret ? "HS256" : "ES256")
        header.set("typ", to: "JWT")
        header.set("kid", to: name)
        if case .header(let changes)? = fault { Self.change(&header, changes) }
        var claims = claims(for: user, client: client, nonce: nonce, accessToken: accessToken, now: now)
        if case .claims(let changes)? = fault { Self.change(&claims, changes) }
        let message = "\(Self.encoded(claims: header)).\(Self.encoded(claims: claims))"
        let bytes = Data(message.utf8)
        let signature: Data
        switch fault {
        case .unsigned: signature = Data()
        case .sharedSecret:
            let secret = SymmetricKey(data: key.publicKey.rawRepresentation)
            signature = Data(HMAC<SHA256>.authenticationCode(for: bytes, using: secret))
        default:
            let signer = fault == .foreignKey ? P256.Signing.PrivateKey() : key
            // Signing fails only if Crypto itself does.
            guard let made = try? signer.signature(for: bytes) else { return nil }
            signature = made.rawRepresentation
        }
        guard fault != .tampered else {
            claims.set("sub", to: "mallory")
            return "\(Self.encoded(claims: header)).\(Self.encoded(claims: claims)).\(Self.encoded(signature))"
        }
        return "\(message).\(Self.encoded(signature))"
    }

    private func claims(for user: String, client: String, nonce: String?, accessToken: String, now: Date) -> JSONMembers {
        let time = Int(now.timeIntervalSince1970)
        var claims = JSONMembers()
        claims.set("iss", to: issuer)
        claims.set("sub", to: user)
        claims.set("aud", to: client)
        claims.set("iat", toJSON: "\(time)")
        // With `max_age`, the user has always just logged in.
        claims.set("auth_time", toJSON: "\(time)")
        claims.set("exp", toJSON: "\(time + Int(options.tokenLifetime.components.seconds))")
        if let nonce { claims.set("nonce", to: nonce) }
        claims.set("at_hash", to: Self.encoded(Data(SHA256.hash(data: Data(accessToken.utf8))).prefix(16)))
        return claims
    }

    private static func change(_ members: inout JSONMembers, _ changes: [String: String?]) {
        for (name, json) in changes.sorted(by: { $0.key < $1.key }) { members.set(name, toJSON: json) }
    }

    private static func encoded(claims members: JSONMembers) -> String { encoded(Data(members.text.utf8)) }

    private static func encoded(_ data: Data) -> String { SignedToken.text(data) }
}
