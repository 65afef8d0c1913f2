/// Why an endpoint says no: what goes over the wire, and what the server noticed.
struct OAuth2Refusal: Error, Sendable, Hashable {
    /// The error codes of RFC 6749 (sections 4.1.2.1 and 5.2), RFC 8628 (section 3.5) and RFC 9449 (section 5) that this server has a reason for.
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

    /// What came a second time.
    enum Reuse: Sendable {
        case code
        case refreshToken
    }

    let code: Code
    /// A sentence of ours: it repeats nothing of the request, so it has none of the characters that section 5.2 forbids.
    let description: String
    let reuse: Reuse?

    init(_ code: Code, _ description: String, reuse: Reuse? = nil) {
        self.code = code
        self.description = description
        self.reuse = reuse
    }
}
