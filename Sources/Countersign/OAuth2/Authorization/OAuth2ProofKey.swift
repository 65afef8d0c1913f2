internal import Crypto
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The secret that binds a code to the login that asked for it (PKCE, RFC 7636). One login, one proof key.
///
/// There is the `S256` method and no other: with `plain` the secret itself would go through the browser.
struct OAuth2ProofKey: Sendable, Hashable {
    /// The `code_challenge_method`.
    static let method = "S256"

    /// The `code_verifier`: a secret until the code is exchanged.
    let verifier: String

    /// Takes a verifier; `nil` if it has not 43 to 128 characters of those that section 4.1 allows.
    init?(verifier: String) {
        let isAllowed = verifier.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._~".utf8.contains(byte)
            }
        }
        guard isAllowed, (43...128).contains(verifier.utf8.count) else { return nil }
        self.verifier = verifier
    }

    /// The `code_challenge`: what the verifier is recognised by.
    var challenge: String { RandomText.base64URL(SHA256.hash(data: Array(verifier.utf8))) }
}

extension OAuth2ProofKey: ReducedDescription {
    package var visibleParts: KeyValuePairs<String, String> { ["method": Self.method, "verifier": redacted] }
}
