package import HTTPTypes

/// A client of an authorization server: its name, and how it proves that it is the one (RFC 6749, section 2.3).
package struct OAuth2Client: Sendable, Hashable {
    /// How a client authenticates.
    package enum Authentication: Sendable, Hashable {
        /// Not at all: a public client only says its name, in the body.
        case none
        /// By HTTP's Basic scheme.
        case basic(secret: String, encoding: BasicEncoding)
        /// By `client_id` and `client_secret` in the body, for servers that know nothing else.
        case body(secret: String)
        /// By a token that it has signed (RFC 7523, section 2.2).
        case assertion(String)
    }

    /// What happens to name and secret before they become a Basic credential.
    package enum BasicEncoding: Sendable, Hashable {
        /// Each is encoded as in a form, as RFC 6749, section 2.3.1, wants it.
        case form
        /// Nothing, as RFC 7617 alone would have it and many servers expect. The same, for names and secrets without reserved
        /// characters.
        case raw
    }

    /// The `client_id`.
    package let identifier: String
    /// How the client authenticates.
    package let authentication: Authentication

    package init(identifier: String, authentication: Authentication) {
        self.identifier = identifier
        self.authentication = authentication
    }

    /// Puts name and proof into a token request, in one way only. A name that the form has already stays there beside HTTP Basic: some servers
    /// look for it, and RFC 6749, section 3.2.1, leaves it open.
    package func authenticate(_ fields: inout HTTPFields, _ form: inout FormParameters) throws(BasicScheme.Failure) {
        form["client_secret"] = nil
        switch authentication {
        case .none: form["client_id"] = identifier
        case .basic(let secret, let encoding): fields[fields: .authorization] = [try basic(secret, encoding)]
        case .body(let secret):
            form["client_id"] = identifier
            form["client_secret"] = secret
        case .assertion(let token):
            form["client_id"] = identifier
            form["client_assertion_type"] = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
            form["client_assertion"] = token
        }
    }

    private func basic(_ secret: String, _ encoding: BasicEncoding) throws(BasicScheme.Failure) -> HTTPField {
        switch encoding {
        case .form: BasicScheme.field(pair: "\(FormEncoding.encode(identifier)):\(FormEncoding.encode(secret))")
        case .raw: try BasicScheme.field(user: identifier, password: secret)
        }
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
        case .assertion: "assertion"
        }
    }
}
