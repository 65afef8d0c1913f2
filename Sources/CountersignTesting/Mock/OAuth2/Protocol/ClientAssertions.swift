import Crypto
import Foundation
import Synchronization

/// Judges the tokens by which clients say who they are (RFC 7523, section 3): those signed by `ES256`, for one audience alone, once and soon.
final class ClientAssertions: Sendable {
    private struct Header: Decodable {
        let alg: String
    }

    private struct Claims: Decodable {
        let iss, sub, aud, jti: String
        let iat, exp: Double
    }

    private let recorder: OAuth2Recorder
    /// The names of those that came already.
    private let used = Mutex<Set<String>>([])

    init(recorder: OAuth2Recorder) {
        self.recorder = recorder
    }

    /// The subject of a token, whose signature is not looked at; `nil` if there is none that can be read.
    func subject(of parameters: OAuth2Parameters) -> String? {
        guard parameters["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" else { return nil }
        return Self.parts(of: parameters)?.claims.sub
    }

    /// Whether a token is good; it is not the next time.
    func accepts(_ parameters: OAuth2Parameters, signedBy key: String, for audience: String, at now: Date) -> Bool {
        guard let key = try? P256.Signing.PublicKey(pemRepresentation: key), let parts = Self.parts(of: parameters),
            parts.header.alg == "ES256",
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: parts.token.signature),
            key.isValidSignature(signature, for: parts.token.message)
        else { return false }
        let claims = parts.claims
        let time = now.timeIntervalSince1970
        guard claims.iss == claims.sub, claims.aud == audience, claims.iat <= time + 5, claims.exp > time, claims.exp <= time + 300,
            used.withLock({ $0.insert(claims.jti).inserted })
        else { return false }
        recorder.count { $0.assertions += 1 }
        return true
    }

    private static func parts(of parameters: OAuth2Parameters) -> (header: Header, claims: Claims, token: SignedToken)? {
        guard let token = parameters["client_assertion"].flatMap({ SignedToken($0) }),
            let header = try? JSONDecoder().decode(Header.self, from: token.header),
            let claims = try? JSONDecoder().decode(Claims.self, from: token.claims)
        else { return nil }
        return (header, claims, token)
    }
}
