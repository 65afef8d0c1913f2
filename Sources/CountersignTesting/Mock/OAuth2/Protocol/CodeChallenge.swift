import Crypto
import Foundation

/// The proof that a code's redeemer began its authorization (RFC 7636); S256 is the one method.
struct CodeChallenge: Sendable, Hashable {
    let text: String

    /// A challenge of a request; `nil` if the text cannot be one.
    init?(_ text: String) {
        guard OAuth2Syntax.isCodeChallenge(text) else { return nil }
        self.text = text
    }

    /// Whether a verifier is the one that the challenge was made of (section 4.6).
    func accepts(_ verifier: String) -> Bool {
        let hash = Data(SHA256.hash(data: Data(verifier.utf8))).base64EncodedString()
        return hash.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "") == text
    }
}
