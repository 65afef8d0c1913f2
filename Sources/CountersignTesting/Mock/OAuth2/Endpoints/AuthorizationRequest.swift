/// A valid request at the authorization endpoint (RFC 6749, section 4.1.1).
struct AuthorizationRequest: Sendable {
    let client: MockOAuth2Client
    /// The target of the response.
    let redirectURI: String
    /// The redirect URI as sent in the request, which the token request must then repeat; `nil` if it was omitted.
    let sentRedirectURI: String?
    let state: String?
    let scopes: [String]
    let challenge: CodeChallenge?
    /// The nonce for the ID token (OpenID Connect Core, section 3.1.2.1).
    var nonce: String?
    /// The requested authentication context class.
    var acr: String?
    /// Whether the request has a `max_age`, so that the user must authenticate again.
    var limitsAge = false
    /// The scope parameter as sent; `nil` if it was omitted.
    var namedScope: String?
    /// The requested claims (OpenID Connect Core, section 5.5), as JSON.
    var claims: String?
    /// The hash of the key to which the client binds the code (RFC 9449, section 10).
    var key: String?
    /// The requested interactions with the user (OpenID Connect Core, section 3.1.2.1).
    var prompts: Set<String> = []
    /// The parameters as sent.
    var parameters: [String: String] = [:]

    /// Whether the user must not see a page.
    var isSilent: Bool { prompts.contains("none") }
    /// Whether the user sees a page even with a session.
    var asksAgain: Bool { limitsAge || !prompts.isDisjoint(with: ["login", "select_account", "create"]) }

    /// The result of validating a request.
    enum Judgement: Sendable {
        case good(AuthorizationRequest)
        /// The error is shown to the user, because there is no valid redirect URI (section 4.1.2.1).
        case shown(String)
        /// The error is sent to the client by a redirect.
        case redirected(OAuth2Refusal, to: String, state: String?)
    }

    /// Validates a request by its parameters; `nil` if they could not be decoded.
    static func judge(_ fields: FormFields?, at server: AuthorizationServer) -> Judgement {
        guard let parameters = fields.map(OAuth2Parameters.init) else { return .shown("The request is malformed.") }
        guard let client = parameters["client_id"].flatMap(server.clientAuthentication.client)
        else { return .shown("The client ID is missing or unknown.") }
        guard !parameters.repeated.contains("redirect_uri"), let redirectURI = redirectURI(parameters["redirect_uri"], of: client)
        else { return .shown("The redirect URL is missing, or not registered for this app.") }
        do throws(OAuth2Refusal) {
            guard parameters.repeated.isEmpty else { throw OAuth2Refusal(.invalidRequest, "A parameter occurs more than once.") }
            try checkKind(parameters, of: client)
            if let state = parameters["state"], !OAuth2Syntax.isVisible(state) {
                throw OAuth2Refusal(.invalidRequest, "The state is malformed.")
            }
            if let resource = server.openID?.resourceIdentifier, parameters["resource"] != resource {
                throw OAuth2Refusal(.invalidTarget, "The resource parameter is missing or names another resource.")
            }
            for (name, value) in server.options.oddities.authorizationParameters where parameters[name] != value {
                throw OAuth2Refusal(.invalidRequest, "A required parameter is missing or has another value.")
            }
            let scopes = try server.scopes(named: parameters["scope"]) ?? server.options.scopes
            let challenge = try challenge(parameters, isRequired: server.options.requiresPKCE)
            // OAuth 2.0 has no such parameter.
            let prompts = server.openID.flatMap { _ in parameters["prompt"] }?.split(separator: " ").map(String.init) ?? []
            guard prompts.count == 1 || !prompts.contains("none")
            else { throw OAuth2Refusal(.invalidRequest, "The prompt none must be the only one.") }
            return .good(
                AuthorizationRequest(
                    client: client, redirectURI: redirectURI, sentRedirectURI: parameters["redirect_uri"],
                    state: parameters["state"],
                    scopes: scopes, challenge: challenge, nonce: parameters["nonce"], acr: parameters["acr_values"],
                    limitsAge: parameters["max_age"] != nil, namedScope: parameters["scope"], claims: parameters["claims"],
                    key: parameters["dpop_jkt"], prompts: Set(prompts), parameters: parameters.all))
        } catch {
            return .redirected(error, to: redirectURI, state: parameters["state"])
        }
    }

    /// Returns the target of the response: a registered redirect URI, which may be omitted if the client has only one (section
    /// 3.1.2.3).
    private static func redirectURI(_ sent: String?, of client: MockOAuth2Client) -> String? {
        guard let sent else { return client.redirectURIs.count == 1 ? client.redirectURIs.first : nil }
        return client.redirectURIs.contains { RedirectURI.matches(sent, registered: $0) } ? sent : nil
    }

    private static func checkKind(_ parameters: OAuth2Parameters, of client: MockOAuth2Client) throws(OAuth2Refusal) {
        switch parameters["response_type"] {
        case "code": break
        case nil: throw OAuth2Refusal(.invalidRequest, "The response type is missing.")
        // This includes the implicit grant (RFC 9700, section 2.1.2).
        default: throw OAuth2Refusal(.unsupportedResponseType, "The response type must be code.")
        }
        guard client.grants.contains(.authorizationCode)
        else { throw OAuth2Refusal(.unauthorizedClient, "The client may not use this grant.") }
    }

    /// Returns the code challenge (RFC 7636, section 4.3). The method S256 must be named, because the default is `plain`.
    private static func challenge(
        _ parameters: OAuth2Parameters, isRequired: Bool
    ) throws(OAuth2Refusal) -> CodeChallenge? {
        guard let text = parameters["code_challenge"] else {
            guard !isRequired, parameters["code_challenge_method"] == nil
            else { throw OAuth2Refusal(.invalidRequest, "The code challenge is missing.") }
            return nil
        }
        guard parameters["code_challenge_method"] == "S256"
        else { throw OAuth2Refusal(.invalidRequest, "The code challenge method must be S256.") }
        guard let challenge = CodeChallenge(text) else { throw OAuth2Refusal(.invalidRequest, "The code challenge is malformed.") }
        return challenge
    }
}
