/// The reason why an endpoint refuses a request: the error response and, for the counts, a detected reuse.
struct OAuth2Refusal: Error, Sendable, Hashable {
    /// The error codes of RFC 6749 (sections 4.1.2.1 and 5.2), RFC 8628 (section 3.5) and RFC 9449 (section 5) that this server
    /// uses.
    enum Code: String, Sendable {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case invalidScope = "invalid_scope"
        case unauthorizedClient = "unauthorized_client"
        case unsupportedGrantType = "unsupported_grant_type"
        case unsupportedResponseType = "unsupported_response_type"
        case accessDenied = "access_denied"
        case invalidTarget = "invalid_target"
        case authorizationPending = "authorization_pending"
        case slowDown = "slow_down"
        case expiredToken = "expired_token"
        case invalidProof = "invalid_dpop_proof"
        case useNonce = "use_dpop_nonce"
    }

    /// The kind of credential that was used again.
    enum Reuse: Sendable {
        case code
        case refreshToken
    }

    let code: Code
    /// A constant sentence. It repeats nothing of the request, so it contains none of the characters that section 5.2 forbids.
    let description: String
    let reuse: Reuse?

    init(_ code: Code, _ description: String, reuse: Reuse? = nil) {
        self.code = code
        self.description = description
        self.reuse = reuse
    }
}
