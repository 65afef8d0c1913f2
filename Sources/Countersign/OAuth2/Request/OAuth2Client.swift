#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
package import HTTPTypes

/// A client of an authorization server: its name, and how it proves that it is the one (RFC 6749, section 2.3).
package struct OAuth2Client: Sendable, Hashable {
    /// How a client proves who it is.
    package enum Authentication: Sendable, Hashable {
        /// Not at all: a public client only says its name, in the body.
        case none
        /// By HTTP's Basic scheme.
        case basic(secret: String, encoding: BasicEncoding)
        /// By `client_id` and `client_secret` in the body, for servers that know nothing else.
        case body(secret: String)
    }

    /// What happens to name and secret before they become a Basic credential.
    package enum BasicEncoding: Sendable, Hashable {
        /// Each is encoded as in a form, as RFC 6749, section 2.3.1, wants it.
        case form
        /// Nothing, as RFC 7617 alone would have it and many servers expect. The same, for names and secrets without reserved
        /// characters.
        case raw
    }

    /// Why no Basic credential can be made.
    package enum BasicError: Error, Sendable, Hashable {
        /// The name has a colon, at which the server would part it (RFC 7617, section 2).
        case colonInIdentifier
        /// Name or secret has a control character (RFC 7617, section 2).
        case controlCharacter
    }

    /// The `client_id`.
    package let identifier: String
    /// How the client proves who it is.
    package let authentication: Authentication

    package init(identifier: String, authentication: Authentication) {
        self.identifier = identifier
        self.authentication = authentication
    }

    /// Puts name and proof into a token request, in one way only.
    package func authenticate(_ fields: inout HTTPFields, _ form: inout FormParameters) throws(BasicError) {
        form["client_id"] = nil
        form["client_secret"] = nil
        switch authentication {
        case .none: form["client_id"] = identifier
        case .basic(let secret, let encoding):
            var field = HTTPField(name: .authorization, value: try basic(secret, encoding))
            field.indexingStrategy = .disallow
            fields[fields: .authorization] = [field]
        case .body(let secret):
            form["client_id"] = identifier
            form["client_secret"] = secret
        }
    }

    private func basic(_ secret: String, _ encoding: BasicEncoding) throws(BasicError) -> String {
        let pair: String
        switch encoding {
        case .form: pair = "\(FormEncoding.encode(identifier)):\(FormEncoding.encode(secret))"
        case .raw:
            guard !identifier.utf8.contains(UInt8(ascii: ":")) else { throw .colonInIdentifier }
            guard !"\(identifier)\(secret)".unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
                throw .controlCharacter
            }
            pair = "\(identifier):\(secret)"
        }
        return "Basic \(Data(pair.utf8).base64EncodedString())"
    }
}

extension OAuth2Client: RedactedDescription {
    package var visibleParts: KeyValuePairs<String, String> { ["authentication": authentication.name] }
}

extension OAuth2Client.Authentication: RedactedDescription {
    package var visibleParts: KeyValuePairs<String, String> { ["kind": name] }

    fileprivate var name: String {
        switch self {
        case .none: "none"
        case .basic(_, .form): "basic"
        case .basic(_, .raw): "basic, raw"
        case .body: "body"
        }
    }
}
