import Crypto
import Foundation
import Synchronization

/// Validates assertions of clients (RFC 7523, section 3): signed with `ES256`, for exactly one audience, single-use and short-lived.
final class ClientAssertions: Sendable {
    private struct Header: Decodable {
        let alg: String
        let thumbprint: String?

        enum CodingKeys: String, CodingKey {
            case alg
            case thumbprint = "x5t#S256"
        }
    }

    struct Claims: Decodable {
        let iss, sub, aud, jti: String
        let iat, exp: Double
    }

    private let recorder: OAuth2Recorder
    /// The `jti` values of accepted assertions.
    private let used = Mutex<Set<String>>([])

    init(recorder: OAuth2Recorder) {
        self.recorder = recorder
    }

    /// Returns the subject of an assertion without verifying its signature; `nil` if there is no readable assertion.
    func subject(of parameters: OAuth2Parameters) -> String? {
        guard parameters["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" else { return nil }
        return parameters["client_assertion"].flatMap { claims(of: $0) }?.sub
    }

    /// Returns the claims of an assertion without verifying its signature; `nil` if it cannot be read.
    func claims(of assertion: String) -> Claims? { Self.parts(of: assertion)?.claims }

    /// Whether a client assertion is valid. Each is accepted once.
    ///
    /// - Parameter certificate: The certificate whose thumbprint the assertion must have; `nil` for none.
    func accepts(
        _ parameters: OAuth2Parameters, signedBy key: String, of certificate: [UInt8]?, for audience: String, at now: Date
    ) -> Bool {
        guard let assertion = parameters["client_assertion"],
            let claims = claims(of: assertion, signedBy: key, of: certificate, for: [audience], at: now), claims.iss == claims.sub
        else { return false }
        recorder.count { $0.assertions += 1 }
        return true
    }

    /// Returns the claims of a valid assertion; `nil` for any other. Each is accepted once.
    ///
    /// - Parameters:
    ///   - certificate: The certificate whose thumbprint the assertion must have; `nil` for none.
    ///   - audiences: The accepted audiences.
    func claims(
        of assertion: String, signedBy key: String, of certificate: [UInt8]?, for audiences: Set<String>, at now: Date
    ) -> Claims? {
        guard let key = try? P256.Signing.PublicKey(pemRepresentation: key), let parts = Self.parts(of: assertion),
            parts.header.alg == "ES256",
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: parts.token.signature),
            key.isValidSignature(signature, for: parts.token.message),
            parts.header.thumbprint == certificate.map({ SignedToken.text(Data(SHA256.hash(data: Data($0)))) })
        else { return nil }
        let claims = parts.claims
        let time = now.timeIntervalSince1970
        guard audiences.contains(claims.aud), claims.iat <= time + 5, claims.exp > time, claims.exp <= time + 300,
            used.withLock({ $0.insert(claims.jti).inserted })
        else { return nil }
        return claims
    }

    private static func parts(of assertion: String) -> (header: Header, claims: Claims, token: SignedToken)? {
        guard let token = SignedToken(assertion),
            let header = try? JSONDecoder().decode(Header.self, from: token.header),
            let claims = try? JSONDecoder().decode(Claims.self, from: token.claims)
        else { return nil }
        return (header, claims, token)
    }
}
