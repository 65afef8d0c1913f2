internal import Countersign
import Synchronization

/// The rules and issued tokens of an authorization server: a ``TokenLedger`` behind a lock, with clock and counts.
///
/// It is written from RFC 6749, 6750, 7009, 7523, 7636, 7662, 8252, 8693, 8705, 9126, 9207, 9449, 9470 and 9700. Names, URLs and
/// lifetimes come from its options. It shares no code with the client and uses no spec.
package final class AuthorizationServer: Sendable, RedactedDescription {
    /// The result of checking the access token of a request for a resource.
    enum Verdict: Sendable {
        /// The token is valid. The user is the client itself if it requested the token for itself.
        case good(user: String, scopes: [String])
        case bad(String)
    }

    private struct State: RedactedDescription {
        var ledger: TokenLedger
        /// The offset of the server's clock from the clock of the options.
        var advance = Duration.zero
        /// The pushed authorization requests by `request_uri`.
        var pushed: [String: (request: AuthorizationRequest, expires: ContinuousClock.Instant)] = [:]
        var states: Set<String> = []
        var challenges: Set<String> = []
    }

    /// The options: names, URLs and lifetimes.
    package let options: MockOAuth2Options
    /// The base URL without a trailing slash.
    let address: String
    /// The issuer identifier (RFC 9207, section 2).
    let issuer: String
    let clientAuthentication: ClientAuthentication
    let recorder = OAuth2Recorder()
    /// Checks proofs of possession; `nil` if they are ignored.
    let proofs: ProofJudge?
    /// The OpenID provider, which publishes metadata and signs tokens; `nil` for plain OAuth 2.0.
    let openID: OpenIDProvider?
    private let state: Mutex<State>

    /// Creates a server without issued tokens.
    package init(options: MockOAuth2Options, address: String) {
        self.options = options
        self.address = address
        issuer = address + options.oddities.issuerPath
        clientAuthentication = ClientAuthentication(
            options.clients, address: address, issuer: options.oddities.assertionsNameEndpoint ? nil : issuer, recorder: recorder)
        proofs = options.proof.map { [recorder] in ProofJudge($0, address: address, recorder: recorder) }
        openID = options.openID.map { OpenIDProvider($0, of: options, address: address) }
        let rules = TokenLedger.Rules(
            codeLifetime: options.codeLifetime, deviceCodeLifetime: options.deviceCodeLifetime,
            deviceInterval: options.deviceInterval, passcodeLifetime: options.passcodeLifetime,
            accessTokenLifetime: options.accessTokenLifetime,
            refreshTokenLifetime: options.refreshTokenLifetime, rotatesRefreshTokens: options.rotatesRefreshTokens,
            reuseLeeway: options.reuseLeeway)
        state = Mutex(State(ledger: TokenLedger(rules: rules, random: options.random)))
    }

    /// The current time of the server's clock.
    var now: ContinuousClock.Instant {
        let outside = options.now()
        return state.withLock { outside + $0.advance }
    }

    /// Advances the server's clock.
    func advance(by duration: Duration) { state.withLock { $0.advance += duration } }

    /// Returns an unguessable text, for cookies and forms.
    func makeText() -> String { state.withLock { $0.ledger.makeText() } }

    /// Parses a scope parameter (RFC 6749, section 3.3); `nil` if there is none.
    func scopes(named text: String?) throws(OAuth2Refusal) -> [String]? {
        guard let text else { return nil }
        // Scopes are separated by exactly one space.
        let names = text.split(separator: " ", omittingEmptySubsequences: false)
        guard names.allSatisfy(OAuth2Syntax.isScope) else { throw OAuth2Refusal(.invalidScope, "The scope is malformed.") }
        var scopes: [String] = []
        for name in names.map(String.init) where !scopes.contains(name) { scopes.append(name) }
        guard Set(scopes).isSubset(of: options.scopes) else { throw OAuth2Refusal(.invalidScope, "There is no such scope.") }
        return scopes
    }
}

// MARK: Pushed requests

extension AuthorizationServer {
    /// Stores a pushed authorization request and returns its `request_uri`.
    func keep(_ request: AuthorizationRequest) -> String {
        let name = "urn:ietf:params:oauth:request_uri:\(makeText())"
        let now = now
        state.withLock { state in
            state.pushed = state.pushed.filter { now < $0.value.expires }
            state.pushed[name] = (request, now + options.pushLifetime)
        }
        return name
    }

    /// Removes and returns a pushed request; `nil` if it does not exist, has expired, or belongs to another client.
    func takePushed(_ name: String, of client: String?) -> AuthorizationRequest? {
        let now = now
        let found = state.withLock { $0.pushed.removeValue(forKey: name) }
        return found.flatMap { now < $0.expires && $0.request.client.id == client ? $0.request : nil }
    }
}

// MARK: Codes and tokens

extension AuthorizationServer {
    /// Counts an authorization request and any missing or repeated `state` and repeated code challenge.
    func note(state text: String?, challenge: CodeChallenge?) {
        let (hadState, hadChallenge) = state.withLock { state in
            (
                text.map { !state.states.insert($0).inserted } ?? false,
                challenge.map { !state.challenges.insert($0.text).inserted } ?? false
            )
        }
        recorder.count {
            $0.authorizationRequests += 1
            $0.requestsWithoutState += text == nil ? 1 : 0
            $0.repeatedStates += hadState ? 1 : 0
            $0.repeatedChallenges += hadChallenge ? 1 : 0
        }
    }

    /// Returns an authorization code for a request that the user approved.
    func makeCode(for request: AuthorizationRequest, user: String) -> String {
        let now = now
        recorder.count { $0.authorizations += 1 }
        return state.withLock {
            $0.ledger.makeCode(
                TokenLedger.Family(
                    clientID: request.client.id, user: user, scopes: request.scopes, nonce: request.nonce, acr: request.acr,
                    authenticated: now, claims: request.claims, key: proofs == nil ? nil : request.key),
                redirectURI: request.sentRedirectURI, challenge: request.challenge, at: now)
        }
    }

    /// Returns a passcode for a user with a session elsewhere, to be redeemed by a client.
    func makePasscode(for user: String, client: MockOAuth2Client) -> String {
        let now = now
        return state.withLock {
            $0.ledger.makePasscode(
                TokenLedger.Family(clientID: client.id, user: user, scopes: options.scopes), at: now)
        }
    }

    /// Issues tokens for a grant of a client.
    ///
    /// - Parameter key: The hash of the key whose possession the client proved, to which the tokens are bound; `nil` for none.
    func issue(
        _ grant: MockOAuth2Client.Grant, for parameters: OAuth2Parameters, to client: MockOAuth2Client, provedBy key: String? = nil
    ) throws(OAuth2Refusal) -> TokenLedger.Issue {
        let bound = state.withLock { $0.ledger.key(ofGrantIn: parameters) }
        guard bound == nil || bound == key else { throw OAuth2Refusal(.invalidGrant, "The grant is bound to another key.") }
        var issue = try tokens(grant, for: parameters, to: client)
        if let key { issue.family = state.withLock { $0.ledger.bind(issue.accessToken, to: key) } }
        // With this authentication, every token is bound to the client's certificate (RFC 8705, section 3).
        if let certificate = client.certificate {
            issue.family = state.withLock { $0.ledger.bind(issue.accessToken, to: certificate) }
        }
        return issue
    }

    private func tokens(
        _ grant: MockOAuth2Client.Grant, for parameters: OAuth2Parameters, to client: MockOAuth2Client
    ) throws(OAuth2Refusal) -> TokenLedger.Issue {
        guard client.grants.contains(grant) else { throw OAuth2Refusal(.unauthorizedClient, "The client may not use this grant.") }
        let scopes = try scopes(named: grant == .authorizationCode ? nil : parameters["scope"])
        let subject = try grant == .jwtBearer ? subject(ofGrantIn: parameters, to: client) : nil
        let now = now
        return try state.withLock { (state) throws(OAuth2Refusal) in
            switch grant {
            case .authorizationCode:
                guard let code = parameters["code"] else { throw OAuth2Refusal(.invalidRequest, "The code is missing.") }
                if let verifier = parameters["code_verifier"], !OAuth2Syntax.isCodeVerifier(verifier) {
                    throw OAuth2Refusal(.invalidRequest, "The code verifier is malformed.")
                }
                return try state.ledger.redeem(
                    code: code, redirectURI: parameters["redirect_uri"], verifier: parameters["code_verifier"], by: client, at: now)
            case .refreshToken:
                guard let token = parameters["refresh_token"]
                else { throw OAuth2Refusal(.invalidRequest, "The refresh token is missing.") }
                return try state.ledger.refresh(with: token, scopes: scopes, by: client, at: now)
            case .clientCredentials:
                guard client.secret != nil || client.key != nil || client.certificate != nil
                else { throw OAuth2Refusal(.unauthorizedClient, "A public client may not use the client credentials grant.") }
                return state.ledger.issue(to: client, scopes: scopes ?? options.scopes, at: now)
            case .password:
                guard let passcode = parameters["passcode"]
                else { throw OAuth2Refusal(.invalidRequest, "The passcode is missing.") }
                return try state.ledger.redeem(passcode: passcode, scopes: scopes, by: client, at: now)
            case .deviceCode:
                guard let code = parameters["device_code"]
                else { throw OAuth2Refusal(.invalidRequest, "The device code is missing.") }
                return try state.ledger.redeem(deviceCode: code, by: client, at: now)
            case .tokenExchange: return try state.ledger.exchange(parameters, scopes: scopes, by: client, at: now)
            case .jwtBearer:
                let granted = scopes ?? options.scopes
                let family = state.ledger.add(TokenLedger.Family(clientID: client.id, user: subject, scopes: granted))
                return state.ledger.issue(in: family, scopes: granted, refreshToken: nil, at: now)
            }
        }
    }

    /// Returns the user for whom a client's assertion requests a token; `nil` for the client itself.
    private func subject(
        ofGrantIn parameters: OAuth2Parameters, to client: MockOAuth2Client
    ) throws(OAuth2Refusal) -> String? {
        let subject = try clientAuthentication.subject(
            ofGrantIn: parameters, to: client, for: [issuer, address + options.paths.token])
        guard subject != client.id else { return nil }
        guard options.users[subject] != nil else { throw OAuth2Refusal(.invalidGrant, "The subject is unknown.") }
        return subject
    }

    /// Returns an access token of a user that was issued to a different client.
    func makeAccessToken(for user: String, scopes: [String]) -> String {
        let now = now
        return state.withLock { state in
            let family = state.ledger.add(TokenLedger.Family(clientID: "another", user: user, scopes: scopes))
            return state.ledger.issue(in: family, scopes: scopes, refreshToken: nil, at: now).accessToken
        }
    }

    /// Returns a device code, and the user code with which a user approves the device.
    ///
    /// - Parameter claims: The requested claims, as JSON.
    func makeDevice(
        for client: MockOAuth2Client, scopes: [String], claims: String?
    ) -> (deviceCode: String, userCode: String) {
        let now = now
        recorder.count { $0.deviceAuthorizations += 1 }
        return state.withLock { $0.ledger.makeDevice(for: client, scopes: scopes, claims: claims, at: now) }
    }

    /// Approves or denies the request of a device.
    ///
    /// - Parameter user: The user who approves; `nil` to deny.
    /// - Returns: Whether a device waits with this user code.
    func settle(userCode: String, by user: String?) -> Bool {
        let now = now
        return state.withLock { $0.ledger.settle(userCode: userCode, by: user, at: now) }
    }

    /// Redeems a code and returns its user; `nil` if the code is invalid.
    package func redeem(_ code: String, redirectURI: String, by client: MockOAuth2Client) -> String? {
        let form = OAuth2Parameters(["code": code, "redirect_uri": redirectURI])
        guard let issue = try? issue(.authorizationCode, for: form, to: client),
            case .good(let user, _) = judge(issue.accessToken)
        else { return nil }
        return user
    }

    /// Revokes a token. An unknown token is not an error.
    func revoke(_ token: String, by client: MockOAuth2Client) throws(OAuth2Refusal) {
        let isKnown = try state.withLock { (state) throws(OAuth2Refusal) in try state.ledger.revoke(token, by: client) }
        if isKnown { recorder.count { $0.revocations += 1 } }
    }

    /// Returns the state of a token for introspection; `nil` if it is not active.
    func introspect(_ token: String) -> TokenLedger.Introspection? {
        let now = now
        return state.withLock { $0.ledger.introspect(token, at: now) }
    }

    /// Whether the user of an access token has authenticated as a resource requires (RFC 9470).
    func hasAuthenticated(_ token: String, as requirement: MockAuthenticationRequirement) -> Bool {
        let now = now
        return state.withLock { $0.ledger.hasAuthenticated(token, as: requirement, at: now) }
    }

    /// Whether an access token was requested with these claims, possibly among others.
    func hasClaims(_ claims: String, _ token: String) -> Bool {
        guard let asked = state.withLock({ $0.ledger.claims(of: token) }).flatMap({ JSONTree(Array($0.utf8)) }),
            let wanted = JSONTree(Array(claims.utf8))
        else { return false }
        return asked.merged(with: wanted).json == asked.json
    }

    /// Checks an access token.
    func judge(_ token: String) -> Verdict {
        let now = now
        return state.withLock { $0.ledger.judge(token, at: now) }
    }

    /// Returns the hash of the key to which an access token is bound; `nil` if it is a bearer token.
    func key(of token: String) -> String? { state.withLock { $0.ledger.key(of: token) } }

    /// Returns the certificate, as DER, to which an access token is bound; `nil` if there is none.
    func certificate(of token: String) -> [UInt8]? { state.withLock { $0.ledger.certificate(of: token) } }

    /// Expires all access tokens.
    func expireAccessTokens() {
        let now = now
        state.withLock { $0.ledger.expireAccessTokens(at: now) }
    }

    /// Revokes all codes and tokens.
    func revokeAll() { state.withLock { $0.ledger.revokeAll() } }

    /// Revokes all refresh tokens of a user, for all clients.
    func revokeRefreshTokens(of user: String) { state.withLock { $0.ledger.revokeRefreshTokens(of: user) } }

    /// Revokes an access token and all tokens of the same login, and returns whether it was valid.
    func endSession(of token: String) -> Bool {
        let now = now
        return state.withLock { $0.ledger.endSession(of: token, at: now) }
    }
}
