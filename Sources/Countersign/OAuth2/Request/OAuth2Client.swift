package import HTTPTypes

/// A client of an authorization server: its identifier and its authentication (RFC 6749, section 2.3).
package struct OAuth2Client: Sendable, Hashable {
    /// The client authentication method.
    package enum Authentication: Sendable, Hashable {
        /// None. A public client sends only its `client_id` in the body.
        case none
        /// HTTP Basic authentication (`client_secret_basic`).
        case basic(secret: String, encoding: BasicEncoding)
        /// `client_id` and `client_secret` in the body (`client_secret_post`).
        case body(secret: String)
        /// A signed JWT assertion (RFC 7523, section 2.2).
        case assertion(String)
    }

    /// The encoding of identifier and secret in HTTP Basic authentication.
    package enum BasicEncoding: Sendable, Hashable {
        /// Form encoding of each, as RFC 6749, section 2.3.1, requires.
        case form
        /// No encoding, as in RFC 7617 and as many servers expect. The result is the same for values without reserved characters.
        case raw
    }

    /// The `client_id`.
    package let identifier: String
    /// The client authentication method.
    package let authentication: Authentication

    package init(identifier: String, authentication: Authentication) {
        self.identifier = identifier
        self.authentication = authentication
    }

    /// Adds client identifier and authentication to a token request, in one place only. A `client_id` that the form already has is
    /// kept beside HTTP Basic authentication: some servers require it, and RFC 6749, section 3.2.1, allows it.
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
