import Foundation

/// The decoded parts of a JSON Web Token in the compact form (RFC 7515, section 7.1). The signature is not verified.
struct SignedToken {
    /// The header and the claims as JSON.
    let header, claims: Data
    /// The signed bytes.
    let message: Data
    let signature: Data

    /// Decodes a token; `nil` if the text is not a token.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.bytes(parts[0]), let claims = Self.bytes(parts[1]),
            let signature = Self.bytes(parts[2])
        else { return nil }
        self.header = header
        self.claims = claims
        self.signature = signature
        message = Data("\(parts[0]).\(parts[1])".utf8)
    }

    /// Decodes base64url without padding.
    static func bytes(_ text: some StringProtocol) -> Data? {
        let letters = String(text).replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: letters + String(repeating: "=", count: (4 - letters.utf8.count % 4) % 4))
    }

    /// Encodes bytes in base64url without padding.
    static func text(_ bytes: Data) -> String {
        bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
