internal import Foundation

/// Base64url without padding (RFC 7515, section 2).
enum Base64URL {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// - Returns: The bytes; `nil` if the text is not base64url without padding.
    static func bytes(_ text: Substring) -> [UInt8]? {
        guard !text.contains(where: { "+/=".contains($0) || $0.isWhitespace }) else { return nil }
        let letters = text.replacing("-", with: "+").replacing("_", with: "/")
        let padded = String(letters) + String(repeating: "=", count: (4 - letters.utf8.count % 4) % 4)
        return Data(base64Encoded: padded).map(Array.init)
    }
}
