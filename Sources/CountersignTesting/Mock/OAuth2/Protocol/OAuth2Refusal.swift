/// The reason why an endpoint refuses a request: the error response and, for the counts, a detected reuse.
struct OAuth2Refusal: Error, Sendable, Hashable {
    /// The error codes of RFC 6749 (sections 4.1.2.1 and 5.2), RFC 8628 (section 3.5), RFC 9449 (section 5) and OpenID Connect Core
    /// (section 3.1.2.6) that this server uses.
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
        case loginRequired = "login_required"
        case interactionRequired = "interaction_required"
        case accountSelectionRequired = "account_selection_required"
        case consentRequired = "consent_required"
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

    /// The refusal of a request that would need the user, who must not see a page.
    init(_ silent: MockOpenIDOptions.SilentRefusal) {
        let code: Code =
            switch silent {
            case .loginRequired: .loginRequired
            case .interactionRequired: .interactionRequired
            case .accountSelectionRequired: .accountSelectionRequired
            case .consentRequired: .consentRequired
            }
        self.init(code, "The user would have to see a page.")
    }
}
