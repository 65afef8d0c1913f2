import Crypto
import Foundation
import HTTPTypes
import Synchronization

/// Validates proofs of possession (RFC 9449, section 4.3): signed with `ES256`, for one request, single-use and recent.
final class ProofJudge: Sendable {
    typealias Place = MockProofOptions.Place

    private struct Header: Decodable {
        struct Key: Decodable {
            let kty, crv, x, y: String
            let d: String?
        }

        let alg, typ: String
        let jwk: Key
    }

    private struct Claims: Decodable {
        let jti, htm, htu: String
        let iat: Double
        let nonce, ath: String?
    }

    private struct State {
        var used: Set<String> = []
        /// The issued nonces with the numbers of their uses.
        var nonces: [Place: [String: Int]] = [:]
    }

    let options: MockProofOptions
    private let address: String
    private let recorder: OAuth2Recorder
    private let state = Mutex(State())

    init(_ options: MockProofOptions, address: String, recorder: OAuth2Recorder) {
        self.options = options
        self.address = address
        self.recorder = recorder
    }

    /// Returns the hash of the key whose possession a request proves (RFC 7638); `nil` if it has no proof.
    ///
    /// - Parameter token: The access token that the request carries; `nil` for none.
    func key(provedBy request: MockRequest, with token: String?, at place: Place) throws(OAuth2Refusal) -> String? {
        let fields = HTTPField.Name("DPoP").map { request.fields[values: $0] } ?? []
        guard let text = fields.first else { return nil }
        guard !options.refusesProofs.contains(place) else { throw Self.refusal("All proofs are rejected.") }
        guard fields.count == 1, let proof = SignedToken(text),
            let header = try? JSONDecoder().decode(Header.self, from: proof.header),
            let claims = try? JSONDecoder().decode(Claims.self, from: proof.claims)
        else { throw Self.refusal("The proof is malformed.") }
        guard header.typ == "dpop+jwt", header.alg == "ES256", header.jwk.kty == "EC", header.jwk.crv == "P-256",
            header.jwk.d == nil,
            let x = SignedToken.bytes(header.jwk.x), let y = SignedToken.bytes(header.jwk.y),
            let key = try? P256.Signing.PublicKey(rawRepresentation: x + y),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: proof.signature),
            key.isValidSignature(signature, for: proof.message)
        else { throw Self.refusal("The proof's type, key or signature is invalid.") }
        guard claims.htm == request.method.rawValue, claims.htu == address + request.path
        else { throw Self.refusal("The proof is for another request.") }
        guard claims.ath == token.map({ SignedToken.text(Data(SHA256.hash(data: Data($0.utf8)))) })
        else { throw Self.refusal("The proof is for another token.") }
        guard abs(claims.iat - Date().timeIntervalSince1970) < 60 else { throw Self.refusal("The proof's time is not current.") }
        if options.wantsNonces { try take(claims.nonce, at: place) }
        guard state.withLock({ $0.used.insert(claims.jti).inserted }) else { throw Self.refusal("The proof was used before.") }
        recorder.count { $0.proofs += 1 }
        let members = #"{"crv":"P-256","kty":"EC","x":"\#(header.jwk.x)","y":"\#(header.jwk.y)"}"#
        return SignedToken.text(Data(SHA256.hash(data: Data(members.utf8))))
    }

    /// Returns a nonce for the next proof; `nil` if proofs need none. If nonces have a limited number of uses, it is always a new
    /// one.
    func nonce(at place: Place) -> String? {
        guard options.wantsNonces else { return nil }
        return state.withLock { state in
            if options.nonceUses == .max, let known = state.nonces[place]?.keys.first { return known }
            let text = "n-\(UInt64.random(in: .min ... .max))"
            state.nonces[place, default: [:]][text] = 0
            return text
        }
    }

    private func take(_ nonce: String?, at place: Place) throws(OAuth2Refusal) {
        let isGood = state.withLock { state in
            guard let nonce, let uses = state.nonces[place]?[nonce], uses < options.nonceUses else { return false }
            guard !options.refusesNonces.contains(place) else {
                state.nonces[place] = nil
                return false
            }
            state.nonces[place]?[nonce] = uses + 1
            return true
        }
        guard isGood else { throw OAuth2Refusal(.useNonce, "The proof must contain another nonce.") }
    }

    private static func refusal(_ text: String) -> OAuth2Refusal { OAuth2Refusal(.invalidProof, text) }
}

extension MockResponse {
    /// Returns the response with the nonce for the next proof.
    func naming(_ nonce: String?) -> MockResponse {
        guard let nonce, let name = HTTPField.Name("DPoP-Nonce") else { return self }
        var response = self
        response.fields[name] = nonce
        return response
    }
}
