import Foundation

/// A JSON Web Token in the compact form (RFC 7515, section 7.1), taken apart; its signature is not looked at here.
struct SignedToken {
    /// Its members as JSON.
    let header, claims: Data
    /// What is signed.
    let message: Data
    let signature: Data

    /// - Returns: `nil` if the text is none.
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

    /// Bytes of base64url without padding.
    static func bytes(_ text: some StringProtocol) -> Data? {
        let letters = String(text).replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: letters + String(repeating: "=", count: (4 - letters.utf8.count % 4) % 4))
    }

    /// Bytes in base64url without padding.
    static func text(_ bytes: Data) -> String {
        bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
