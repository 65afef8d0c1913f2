#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
package import HTTPTypes

/// The Basic scheme of HTTP: name and password in UTF-8, a colon between them, in Base64 (RFC 7617, section 2).
///
/// UTF-8 whatever the server says: `charset="UTF-8"` is the only value that a challenge can have, and without it the encoding is open.
package enum BasicScheme {
    /// Why no field can be made.
    package enum Failure: Error, Sendable, Hashable {
        /// The name has a colon, at which the server would part it.
        case colonInIdentifier
        /// Name or password has a control character.
        case controlCharacter
    }

    /// The `Authorization` field, which is never to be kept in a compression table.
    package static func field(user: String, password: String) throws(Failure) -> HTTPField {
        guard !user.utf8.contains(UInt8(ascii: ":")) else { throw .colonInIdentifier }
        guard !"\(user)\(password)".unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .controlCharacter
        }
        return field(pair: "\(user):\(password)")
    }

    /// The field for a name and a password that are put together already.
    package static func field(pair: String) -> HTTPField {
        var field = HTTPField(name: .authorization, value: "Basic \(Data(pair.utf8).base64EncodedString())")
        field.indexingStrategy = .disallow
        return field
    }
}
