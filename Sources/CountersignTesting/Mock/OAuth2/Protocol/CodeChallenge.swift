import Crypto
import Foundation

/// A code challenge (RFC 7636) with the method S256, the only supported one.
struct CodeChallenge: Sendable, Hashable {
    let text: String

    /// Creates the challenge of a request; `nil` if the text is malformed.
    init?(_ text: String) {
        guard OAuth2Syntax.isCodeChallenge(text) else { return nil }
        self.text = text
    }

    /// Whether a code verifier matches the challenge (section 4.6).
    func accepts(_ verifier: String) -> Bool {
        SignedToken.text(Data(SHA256.hash(data: Data(verifier.utf8)))) == text
    }
}
