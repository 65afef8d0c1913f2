package import HTTPTypes

/// Reads a token response: a token with its lifetime (RFC 6749, section 5.1), or an error (section 5.2).
///
/// A token request consumes a code or, with rotation, the old refresh token, so rejecting the response loses the session. Members
/// that are not needed to *use* the token are therefore read leniently, and only the others strictly:
///
/// | in the response | meaning |
/// |---|---|
/// | `access_token` missing, empty, not a text, or with characters that are invalid in a header field | failure |
/// | `token_type` missing or not `bearer`, in any case | failure: such a token must not be used |
/// | `expires_in` a number above zero, or a text of one in decimal digits | the lifetime, up to ``TokenLifetime/maximum`` |
/// | `expires_in` missing, zero, negative, or anything else | unknown lifetime: the token is used until it is challenged |
/// | `scope` a text or a list of texts | the scopes |
/// | `scope` missing, empty, or anything else | the requested scopes; in a renewal, those of the renewed token |
/// | `refresh_token` missing, empty, or not a text | the refresh token of the renewed token is kept |
/// | one of these members twice | failure, because the value is ambiguous |
/// | `error` that is neither empty nor `false` nor 0, with or without a token, whatever the status | the server's error |
/// | other members | ignored |
///
/// The `Content-Type` is ignored, since servers and gateways often send a wrong one.
package struct OAuth2TokenResponseReader: Sendable {
    /// The maximum size of a token response in bytes. A larger body is not read further.
    package static let maximumBodySize = 1 << 20

    /// The requested scopes.
    package let requestedScopes: Set<String>
    /// The token that the request renews, if any.
    package let renewing: OAuth2Token?
    /// The secrets of the request, such as code and verifier. Servers quote requests in their error texts.
    private let secrets: [String]

    package init(requestedScopes: Set<String> = [], renewing: OAuth2Token? = nil, secrets: [String] = []) {
        self.requestedScopes = requestedScopes
        self.renewing = renewing
        self.secrets = secrets + [renewing?.refreshToken, renewing?.accessToken].compactMap { $0 }
    }

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The header fields.
    ///   - body: The body, without transfer or content coding.
    ///   - arrival: The arrival time of the head.
    ///   - jitter: A random number from 0 to 1; see ``TokenLifetime``.
    package func read(
        status: Int, fields: HTTPFields, body: [UInt8], arrival: TokenLifetime.Moment, jitter: Double
    ) throws(OAuth2TokenFailure) -> OAuth2IssuedToken {
        let retryAfter = RetryAfter.duration(in: fields, arrival: arrival.date)
        guard !(300..<400).contains(status) else { throw OAuth2TokenFailure(.redirect, status: status) }
        do {
            let object = try Self.object(body)
            if let error = OAuth2ServerError(object, secrets: secrets) {
                throw OAuth2TokenFailure(.server(error), status: status, retryAfter: retryAfter)
            }
            if status == 200 { return try issuedToken(object, arrival: arrival, jitter: jitter) }
        } catch let failure as OAuth2TokenFailure {
            throw failure
        } catch let problem as OAuth2ResponseProblem where status == 200 {
            throw OAuth2TokenFailure(.response(problem), status: status, retryAfter: retryAfter)
        } catch {
            // With another status, only the status counts.
        }
        throw OAuth2TokenFailure(.status, status: status, retryAfter: retryAfter)
    }

    /// The members that are read, each of which may occur only once.
    private static let members: Set = [
        "access_token", "token_type", "expires_in", "refresh_token", "scope", "error", "error_description", "error_uri", "state",
    ]

    private static func object(_ body: [UInt8]) throws(OAuth2ResponseProblem) -> JSONObject {
        guard body.count <= maximumBodySize else { throw .tooLarge }
        return try JSONObject(body, unique: members)
    }

    private func issuedToken(
        _ object: JSONObject, arrival: TokenLifetime.Moment, jitter: Double
    ) throws(OAuth2ResponseProblem) -> OAuth2IssuedToken {
        let accessToken = try Self.required("access_token", in: object)
        guard OAuth2Token.isSendable(accessToken) else { throw .unusableMember("access_token") }
        let duration = Self.lifetime(object["expires_in"])
        let token = OAuth2Token(
            accessToken: accessToken, tokenType: try Self.required("token_type", in: object),
            expiryDate: TokenLifetime.expiryDate(duration, from: arrival.date),
            scopes: Self.scopes(object["scope"]) ?? renewing?.scopes ?? requestedScopes,
            refreshToken: object.text("refresh_token") ?? renewing?.refreshToken)
        guard token.isBearer else { throw .unsupportedTokenType }
        return OAuth2IssuedToken(token: token, lifetime: TokenLifetime(duration, from: arrival.elapsed, jitter: jitter))
    }

    private static func required(_ name: String, in object: JSONObject) throws(OAuth2ResponseProblem) -> String {
        if let text = object.text(name) { return text }
        switch object[name] {
        case .text?, nil: throw .missingMember(name)
        default: throw .unusableMember(name)
        }
    }

    private static func lifetime(_ value: JSONObject.Value?) -> Duration? {
        switch value {
        case .number(let seconds)?: TokenLifetime.duration(seconds: seconds)
        // Only digits and a point are allowed, since `Double` also reads "0x1p9", "inf" and "nan".
        case .text(let text)? where text.utf8.allSatisfy { "0123456789.".utf8.contains($0) }:
            Double(text).flatMap(TokenLifetime.duration)
        default: nil
        }
    }

    private static func scopes(_ value: JSONObject.Value?) -> Set<String>? {
        let texts: [String] =
            switch value {
            case .text(let text)?: [text]
            case .texts(let texts)?: texts
            default: []
            }
        let scopes = Set(texts.flatMap { $0.split(separator: " ").map(String.init) })
        return scopes.isEmpty ? nil : scopes
    }
}

extension OAuth2TokenResponseReader: RedactedDescription {
    package var visibleParts: KeyValuePairs<String, String> { ["renewing": "\(renewing != nil)"] }
}
