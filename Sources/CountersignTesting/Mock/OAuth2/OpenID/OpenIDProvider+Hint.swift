import Crypto
import Foundation

extension OpenIDProvider {
    /// The user and the client of an ID token.
    struct Identity: Sendable, Hashable {
        let user, client: String
    }

    private struct Header: Decodable {
        let alg, kid: String
    }

    private struct Claims: Decodable {
        let iss, sub, aud: String
    }

    /// Returns the identity in an ID token that this provider has issued; `nil` for any other text.
    ///
    /// The token can have expired, and its key can have been replaced (RP-Initiated Logout 1.0, section 2).
    func identity(inHint token: String) -> Identity? {
        guard let token = SignedToken(token), let header = try? JSONDecoder().decode(Header.self, from: token.header),
            header.alg == "ES256", let key = publicKey(named: header.kid),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature),
            key.isValidSignature(signature, for: token.message),
            let claims = try? JSONDecoder().decode(Claims.self, from: token.claims),
            claims.iss.utf8.elementsEqual(issuer.utf8)
        else { return nil }
        return Identity(user: claims.sub, client: claims.aud)
    }
}
