// The parts of requests that carry the credential. Each scheme with options of its own has a type.

extension ResolvedProgram {
    package enum Placement: Sendable, Hashable {
        /// In a header field, whose name can be a parameter or a field of the credential. Only requests with one of the HTTP methods
        /// carry it; those of every method if there are none.
        case header(Template, Template, methods: [String] = [])
        /// In a parameter of the URL's query, whose name can be a parameter. Only requests with one of the HTTP methods carry it;
        /// those of every method if there are none.
        case query(Template, Template, methods: [String] = [])
        /// In a member of the body's JSON object, whose name can be a parameter.
        case json(Template, JSON)
        /// In a field of the body's form, whose name can be a parameter.
        case form(Template, Template)
        case basic(user: Template, password: Template)
        case digest(user: Template, password: Template)
        case signature(SignatureVersion4)
        /// The slot of the client identity for TLS connections.
        case connection(Int)
        case messageSignature(MessageSignature)
        /// In header fields and parameters of the URL's query, with values that are computed anew for each request.
        case computed([Function], headers: [Member], query: [Member])
        case proof(Proof)
        case negotiate(Negotiation)

        /// The HTTP methods of the requests that carry it; empty for every method.
        package var methods: [String] {
            switch self {
            case .header(_, _, let methods), .query(_, _, let methods): methods
            case .json, .form, .basic, .digest, .signature, .connection, .messageSignature, .computed, .proof, .negotiate: []
            }
        }
    }

    /// The Negotiate scheme (RFC 4559).
    package struct Negotiation: Sendable, Hashable {
        package var service, principal: Template?
        /// The slot of the Boolean that binds contexts to the server's certificate.
        package var bound: Int?
        /// The slot of the Boolean that allows any mechanism.
        package var anyMechanism: Int?

        /// The templates in the scheme's options.
        var templates: [Template] {
            [service, principal].compactMap(\.self)
                + [bound, anyMechanism].compactMap(\.self).map { Template(pieces: [.slot($0)]) }
        }
    }

    /// A signature by AWS Signature Version 4.
    package struct SignatureVersion4: Sendable, Hashable {
        package var identifier, key: Template
        package var session: Template?
        package var region, service: Template
        /// The slot with the offset by which the server's clock is ahead.
        package var clock: Int?
        /// The lifetime in milliseconds of a signature in the query; `nil` for a signature in header fields.
        package var lifetimeInQuery: Int?

        /// The templates in the signature.
        var templates: [Template] {
            [identifier, key, session, region, service, clock.map { Template(pieces: [.slot($0)]) }].compactMap(\.self)
        }
    }

    /// A proof of possession by DPoP (RFC 9449).
    package struct Proof: Sendable, Hashable {
        package var key: Template
        package var token: Template?

        /// The templates in the proof.
        var templates: [Template] { [key, token].compactMap(\.self) }
    }

    /// A signature by HTTP Message Signatures (RFC 9421).
    package struct MessageSignature: Sendable, Hashable {
        package enum Algorithm: String, Sendable, Hashable, CaseIterable {
            case hmacSHA256 = "hmac-sha256"
            case ecdsaP256 = "ecdsa-p256-sha256"
            case ecdsaP384 = "ecdsa-p384-sha384"
            case ed25519
            case rsaPSS = "rsa-pss-sha512"
            case rsaPKCS1 = "rsa-v1_5-sha256"
        }

        /// A value by which a server detects a signature that it has seen before.
        package enum Nonce: Sendable, Hashable {
            case random
            case given(Template)
        }

        package var algorithm: Algorithm
        package var key: Template
        package var keyEncoding = Digest.KeyEncoding.base64
        package var keyIdentifier: Template?
        package var components: [String]
        package var label = "sig1"
        /// The lifetime of the signature in milliseconds.
        package var lifetime: Int?
        package var tag: Template?
        package var nonce: Nonce?
        /// The slot with the offset by which the server's clock is ahead.
        package var clock: Int?

        /// The templates in the signature.
        var templates: [Template] {
            var given: Template?
            if case .given(let template) = nonce { given = template }
            return [key, keyIdentifier, tag, given, clock.map { Template(pieces: [.slot($0)]) }].compactMap(\.self)
        }
    }
}
