#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
package import HTTPTypes

/// The Basic authentication scheme: user name and password in UTF-8, joined by a colon and encoded in Base64 (RFC 7617, section 2).
///
/// UTF-8 is always used: `charset="UTF-8"` is the only value that a challenge can have, and without it the encoding is undefined.
package enum BasicScheme {
    /// The reason why no header field can be created.
    package enum Failure: Error, Sendable, Hashable {
        /// The user name contains a colon.
        case colonInIdentifier
        /// The user name or the password contains a control character.
        case controlCharacter
    }

    /// Returns the `Authorization` field, marked as never to be indexed by header compression.
    package static func field(user: String, password: String) throws(Failure) -> HTTPField {
        guard !user.utf8.contains(UInt8(ascii: ":")) else { throw .colonInIdentifier }
        guard !"\(user)\(password)".unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .controlCharacter
        }
        return field(pair: "\(user):\(password)")
    }

    /// Returns the field for a user name and password that are already joined by a colon.
    package static func field(pair: String) -> HTTPField {
        var field = HTTPField(name: .authorization, value: "Basic \(Data(pair.utf8).base64EncodedString())")
        field.indexingStrategy = .disallow
        return field
    }
}
