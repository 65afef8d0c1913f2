#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Base64url without padding (RFC 4648, section 5; RFC 7515, section 2).
package enum Base64URL {
    /// Returns the text of bytes.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(
            Data(bytes).base64EncodedString().compactMap { character in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            })
    }

    /// - Returns: The bytes; `nil` if the text is not base64url without padding.
    package static func bytes(_ text: Substring) -> [UInt8]? {
        guard !text.contains(where: { "+/=".contains($0) || $0.isWhitespace }) else { return nil }
        return lenientBytes(String(text))
    }

    /// - Returns: The bytes of a text in Base64 or base64url, with or without padding; `nil` if it is neither.
    package static func lenientBytes(_ text: String) -> [UInt8]? {
        var letters = text.replacing("-", with: "+").replacing("_", with: "/")
        while letters.last == "=" { letters.removeLast() }
        letters += String(repeating: "=", count: (4 - letters.utf8.count % 4) % 4)
        return Data(base64Encoded: letters).map(Array.init)
    }
}
