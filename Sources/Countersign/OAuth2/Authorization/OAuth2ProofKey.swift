internal import Crypto
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The secret that binds an authorization code to the login that requested it (PKCE, RFC 7636). Each login has its own.
///
/// Only the `S256` method is supported, because `plain` would send the secret through the browser.
struct OAuth2ProofKey: Sendable, Hashable {
    /// The `code_challenge_method`.
    static let method = "S256"

    /// The `code_verifier`: a secret until the code is exchanged.
    let verifier: String

    /// Creates a proof key; `nil` if the verifier does not consist of 43 to 128 of the characters that section 4.1 allows.
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

    /// The `code_challenge`, a hash of the verifier.
    var challenge: String { Base64URL.text(SHA256.hash(data: Array(verifier.utf8))) }
}

extension OAuth2ProofKey: ReducedDescription {
    package var visibleParts: KeyValuePairs<String, String> { ["method": Self.method, "verifier": redacted] }
}
