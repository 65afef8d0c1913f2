/// A good request at the authorization endpoint (RFC 6749, section 4.1.1).
struct AuthorizationRequest: Sendable {
    let client: MockOAuth2Client
    /// Where the answer goes.
    let redirectURI: String
    /// The same, if the request said so; the token request has to say it again then.
    let sentRedirectURI: String?
    let state: String?
    let scopes: [String]
    let challenge: CodeChallenge?
    /// What the client wants to find in an ID token (OpenID Connect Core, section 3.1.2.1).
    var nonce: String?
    /// The authentication context class that the client asks for.
    var acr: String?
    /// Whether the client wants the user to authenticate anew after some time.
    var limitsAge = false
    /// The scope as the request names it; `nil` for nothing.
    var namedScope: String?
    /// The claims that the client asks for (OpenID Connect Core, section 5.5), as JSON.
    var claims: String?
    /// The hash of the key to which the client binds the code (RFC 9449, section 10).
    var key: String?

    /// What a request is.
    enum Judgement: Sendable {
        case good(AuthorizationRequest)
        /// The user is informed: it is not known where else an answer may go (section 4.1.2.1).
        case shown(String)
        /// The client is informed.
        case redirected(OAuth2Refusal, to: String, state: String?)
    }

    /// Judges a request by its parameters; `nil` stands for what could not be decoded.
    static func judge(_ fields: FormFields?, at server: AuthorizationServer) -> Judgement {
        guard let parameters = fields.map(OAuth2Parameters.init) else { return .shown("The request cannot be read.") }
        guard let client = parameters["client_id"].flatMap(server.clientAuthentication.client)
        else { return .shown("The request does not say which app it is from, or the app is not known.") }
        guard !parameters.repeated.contains("redirect_uri"), let redirectURI = redirectURI(parameters["redirect_uri"], of: client)
        else { return .shown("The app asks to be answered at an address that it has not registered.") }
        do throws(OAuth2Refusal) {
            guard parameters.repeated.isEmpty else { throw OAuth2Refusal(.invalidRequest, "A parameter is there twice.") }
            try checkKind(parameters, of: client)
            if let state = parameters["state"], !OAuth2Syntax.isVisible(state) {
                throw OAuth2Refusal(.invalidRequest, "The state is malformed.")
            }
            if let resource = server.openID?.resourceIdentifier, parameters["resource"] != resource {
                throw OAuth2Refusal(.invalidTarget, "The token would be for another resource, or for any.")
            }
            for (name, value) in server.options.oddities.authorizationParameters where parameters[name] != value {
                throw OAuth2Refusal(.invalidRequest, "A parameter that this server wants is missing or another.")
            }
            let scopes = try server.scopes(named: parameters["scope"]) ?? server.options.scopes
            let challenge = try challenge(parameters, isRequired: server.options.requiresPKCE)
            return .good(
                AuthorizationRequest(
                    client: client, redirectURI: redirectURI, sentRedirectURI: parameters["redirect_uri"],
                    state: parameters["state"],
                    scopes: scopes, challenge: challenge, nonce: parameters["nonce"], acr: parameters["acr_values"],
                    limitsAge: parameters["max_age"] != nil, namedScope: parameters["scope"], claims: parameters["claims"],
                    key: parameters["dpop_jkt"]))
        } catch {
            return .redirected(error, to: redirectURI, state: parameters["state"])
        }
    }

    /// Where the answer goes: one of the client's addresses, which may be left unsaid if there is only one (section 3.1.2.3).
    private static func redirectURI(_ sent: String?, of client: MockOAuth2Client) -> String? {
        guard let sent else { return client.redirectURIs.count == 1 ? client.redirectURIs.first : nil }
        return client.redirectURIs.contains { RedirectURI.matches(sent, registered: $0) } ? sent : nil
    }

    private static func checkKind(_ parameters: OAuth2Parameters, of client: MockOAuth2Client) throws(OAuth2Refusal) {
        switch parameters["response_type"] {
        case "code": break
        case nil: throw OAuth2Refusal(.invalidRequest, "The response type is missing.")
        // The implicit grant among them (RFC 9700, section 2.1.2).
        default: throw OAuth2Refusal(.unsupportedResponseType, "The response type is always code.")
        }
        guard client.grants.contains(.authorizationCode)
        else { throw OAuth2Refusal(.unauthorizedClient, "The client may not use this grant.") }
    }

    /// The challenge (RFC 7636, section 4.3), for which S256 has to be named: without a name it would be `plain`.
    private static func challenge(
        _ parameters: OAuth2Parameters, isRequired: Bool
    ) throws(OAuth2Refusal) -> CodeChallenge? {
        guard let text = parameters["code_challenge"] else {
            guard !isRequired, parameters["code_challenge_method"] == nil
            else { throw OAuth2Refusal(.invalidRequest, "The code challenge is missing.") }
            return nil
        }
        guard parameters["code_challenge_method"] == "S256"
        else { throw OAuth2Refusal(.invalidRequest, "The code challenge method is always S256.") }
        guard let challenge = CodeChallenge(text) else { throw OAuth2Refusal(.invalidRequest, "The code challenge is malformed.") }
        return challenge
    }
}
