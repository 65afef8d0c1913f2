internal import Countersign

/// Which codes and tokens there are, what they are good for, and what becomes of them: the rules without time, transport and lock.
///
/// Everything that comes of one login, or of one request of a client for itself, is a family. A family is revoked as a whole.
struct TokenLedger: RedactedDescription {
    /// The lifetimes, and what happens to refresh tokens.
    struct Rules: Sendable {
        let codeLifetime: Duration
        let deviceCodeLifetime: Duration
        let deviceInterval: Duration
        let passcodeLifetime: Duration
        let accessTokenLifetime: Duration
        let refreshTokenLifetime: Duration?
        let rotatesRefreshTokens: Bool
        let reuseLeeway: Duration
    }

    typealias Instant = ContinuousClock.Instant

    /// What was agreed to.
    struct Family: Sendable {
        let clientID: String
        /// The user who agreed; `nil` for a client that asked for itself.
        let user: String?
        let scopes: [String]
        /// What the client wants to find in an ID token.
        var nonce: String?
        /// How the user was asked to authenticate, and when that was.
        var acr: String?
        var authenticated: Instant?
        /// The claims that the client asked for, as JSON.
        var claims: String?
        /// The certificate that its tokens are bound to (RFC 8705, section 3), as DER.
        var certificate: [UInt8]?
        /// The hash of the key that its tokens are bound to (RFC 9449).
        var key: String?
        var isRevoked = false
    }

    /// A code that was sent out with a browser.
    struct Code {
        let family: Int
        /// As it stood in the authorization request; `nil` if it stood there not.
        let redirectURI: String?
        let challenge: CodeChallenge?
        let expires: Instant
        var isUsed = false
    }

    /// A passcode that was shown to a user.
    struct Passcode {
        let family: Family
        let expires: Instant
    }

    struct AccessToken {
        let family: Int
        let scopes: [String]
        let issued: Instant
        var expires: Instant
        var isRevoked = false
    }

    struct RefreshToken {
        let family: Int
        let expires: Instant?
        /// When it was replaced by another.
        var used: Instant?
    }

    /// What a token request is answered with.
    struct Issue: Sendable, RedactedDescription {
        let accessToken: String
        let refreshToken: String?
        let scopes: [String]
        /// What it comes of.
        var family: Family?
    }

    let rules: Rules
    private(set) var families: [Int: Family] = [:]
    private(set) var accessTokens: [String: AccessToken] = [:]
    /// The devices that wait for a user, by their codes.
    var devices: [String: Device] = [:]
    private var codes: [String: Code] = [:]
    private var passcodes: [String: Passcode] = [:]
    private var refreshTokens: [String: RefreshToken] = [:]
    var random: any RandomNumberGenerator & Sendable

    init(rules: Rules, random: any RandomNumberGenerator & Sendable) {
        self.rules = rules
        self.random = random
    }

    /// Texts that cannot be guessed: 256 random bits, and at the end what a client has to escape in a form and in a query, so that one
    /// that forgets to fails always and not sometimes.
    mutating func makeText(ending: String = "") -> String {
        (0..<4).map { _ in
            let digits = String(random.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined() + ending
    }
}

extension TokenLedger {
    /// The hash of the key to which a code or a refresh token is bound; `nil` for another grant.
    func key(ofGrantIn parameters: OAuth2Parameters) -> String? {
        let code = parameters["code"].flatMap { codes[$0]?.family }
        let family = code ?? parameters["refresh_token"].flatMap { refreshTokens[$0]?.family }
        return family.flatMap { families[$0]?.key }
    }

    /// Binds all that came of the same login as an access token to a key.
    mutating func bind(_ accessToken: String, to key: String) -> Family? {
        guard let family = accessTokens[accessToken]?.family else { return nil }
        families[family]?.key = key
        return families[family]
    }

    /// The hash of the key that an access token is bound to.
    func key(of accessToken: String) -> String? { accessTokens[accessToken].flatMap { families[$0.family]?.key } }

    /// What is known of a refresh token.
    func refreshToken(_ text: String) -> RefreshToken? { refreshTokens[text] }

    /// The certificate that an access token is bound to.
    func certificate(of accessToken: String) -> [UInt8]? { accessTokens[accessToken].flatMap { families[$0.family]?.certificate } }

    /// Forgets all refresh tokens of a user.
    mutating func revokeRefreshTokens(of user: String) {
        refreshTokens = refreshTokens.filter { families[$0.value.family]?.user != user }
    }
}

// MARK: Giving out

extension TokenLedger {
    /// A code for what a user agreed to.
    mutating func makeCode(_ family: Family, redirectURI: String?, challenge: CodeChallenge?, at now: Instant) -> String {
        let code = makeText(ending: "+/&=%41")
        codes[code] = Code(
            family: add(family), redirectURI: redirectURI, challenge: challenge, expires: now + rules.codeLifetime)
        return code
    }

    /// Tokens for a code (RFC 6749, section 4.1.3).
    mutating func redeem(
        code text: String, redirectURI: String?, verifier: String?, by client: MockOAuth2Client, at now: Instant
    ) throws(OAuth2Refusal) -> Issue {
        guard OAuth2Syntax.isVisible(text), let code = codes[text], let family = families[code.family], family.clientID == client.id
        else { throw OAuth2Refusal(.invalidGrant, "The code is not known, or it is another client's.") }
        guard !code.isUsed else {
            revoke(family: code.family)
            throw OAuth2Refusal(.invalidGrant, "The code was used before.", reuse: .code)
        }
        guard code.redirectURI == nil || redirectURI != nil
        else { throw OAuth2Refusal(.invalidRequest, "The redirect URI is missing.") }
        guard code.challenge == nil || verifier != nil
        else { throw OAuth2Refusal(.invalidRequest, "The code verifier is missing.") }
        // Used up here, whatever comes of it: there is one guess.
        codes[text]?.isUsed = true
        guard !family.isRevoked, now < code.expires else { throw OAuth2Refusal(.invalidGrant, "The code has expired.") }
        guard code.redirectURI.map({ Array($0.utf8) }) == redirectURI.map({ Array($0.utf8) })
        else { throw OAuth2Refusal(.invalidGrant, "The redirect URI is another one.") }
        // A verifier without a challenge is what is left of a request whose challenge was cut out (RFC 9700, section 4.8.2).
        guard verifier.map({ code.challenge?.accepts($0) ?? false }) ?? true
        else { throw OAuth2Refusal(.invalidGrant, "The code verifier does not match.") }
        return issue(
            in: code.family, scopes: family.scopes,
            refreshToken: client.grants.contains(.refreshToken) ? makeRefreshToken(in: code.family, at: now) : nil, at: now)
    }

    /// A passcode for a user: 128 random bits as 32 digits.
    mutating func makePasscode(_ family: Family, at now: Instant) -> String {
        let text = String(makeText().prefix(32))
        passcodes[text] = Passcode(family: family, expires: now + rules.passcodeLifetime)
        return text
    }

    /// Tokens for a passcode, which is good for one try.
    mutating func redeem(
        passcode text: String, scopes: [String]?, by client: MockOAuth2Client, at now: Instant
    ) throws(OAuth2Refusal) -> Issue {
        guard OAuth2Syntax.isVisible(text), let passcode = passcodes[text], passcode.family.clientID == client.id
        else { throw OAuth2Refusal(.invalidGrant, "The passcode is not known, or was used before.") }
        passcodes[text] = nil
        guard now < passcode.expires else { throw OAuth2Refusal(.invalidGrant, "The passcode has expired.") }
        var family = passcode.family
        if let scopes { family = Family(clientID: family.clientID, user: family.user, scopes: scopes) }
        let number = add(family)
        return issue(
            in: number, scopes: family.scopes,
            refreshToken: client.grants.contains(.refreshToken) ? makeRefreshToken(in: number, at: now) : nil, at: now)
    }

    /// Tokens for a refresh token (RFC 6749, section 6), with the rotation of RFC 9700, section 4.14.2.
    mutating func refresh(
        with text: String, scopes: [String]?, by client: MockOAuth2Client, at now: Instant
    ) throws(OAuth2Refusal) -> Issue {
        guard OAuth2Syntax.isVisible(text), let token = refreshTokens[text], let family = families[token.family],
            family.clientID == client.id
        else { throw OAuth2Refusal(.invalidGrant, "The refresh token is not known, or it is another client's.") }
        guard !family.isRevoked else { throw OAuth2Refusal(.invalidGrant, "The refresh token is revoked.") }
        if let used = token.used, now >= used + rules.reuseLeeway {
            revoke(family: token.family)
            throw OAuth2Refusal(.invalidGrant, "The refresh token was used before.", reuse: .refreshToken)
        }
        guard token.expires.map({ now < $0 }) ?? true
        else { throw OAuth2Refusal(.invalidGrant, "The refresh token has expired.") }
        let granted = scopes ?? family.scopes
        guard Set(granted).isSubset(of: family.scopes)
        else { throw OAuth2Refusal(.invalidScope, "The scope goes beyond what was agreed to.") }
        var successor: String?
        if rules.rotatesRefreshTokens {
            if token.used == nil { refreshTokens[text]?.used = now }
            successor = makeRefreshToken(in: token.family, at: now)
        }
        return issue(in: token.family, scopes: granted, refreshToken: successor, at: now)
    }

    /// A token for a client itself (RFC 6749, section 4.4.3): no refresh token, as it can ask again.
    mutating func issue(to client: MockOAuth2Client, scopes: [String], at now: Instant) -> Issue {
        let family = add(Family(clientID: client.id, user: nil, scopes: scopes, certificate: client.certificate))
        return issue(in: family, scopes: scopes, refreshToken: nil, at: now)
    }

    mutating func add(_ family: Family) -> Int {
        let number = families.count
        families[number] = family
        return number
    }

    mutating func makeRefreshToken(in family: Int, at now: Instant) -> String {
        let text = makeText(ending: "+/&=%42")
        refreshTokens[text] = RefreshToken(family: family, expires: rules.refreshTokenLifetime.map { now + $0 })
        return text
    }

    mutating func issue(in family: Int, scopes: [String], refreshToken: String?, at now: Instant) -> Issue {
        let text = makeText(ending: "-._~+/==")
        accessTokens[text] = AccessToken(
            family: family, scopes: scopes, issued: now, expires: now + rules.accessTokenLifetime)
        return Issue(accessToken: text, refreshToken: refreshToken, scopes: scopes, family: families[family])
    }
}

// MARK: Taking back

extension TokenLedger {
    /// Revokes a token (RFC 7009, section 2.1): a refresh token with all of its family, an access token alone.
    ///
    /// - Returns: Whether there was one.
    mutating func revoke(_ text: String, by client: MockOAuth2Client) throws(OAuth2Refusal) -> Bool {
        guard OAuth2Syntax.isVisible(text), let number = refreshTokens[text]?.family ?? accessTokens[text]?.family
        else { return false }
        guard families[number]?.clientID == client.id
        else { throw OAuth2Refusal(.invalidGrant, "The token is another client's.") }
        if refreshTokens[text] != nil {
            revoke(family: number)
        } else {
            accessTokens[text]?.isRevoked = true
        }
        return true
    }

    /// Revokes all that came of one login.
    mutating func revoke(family number: Int) { families[number]?.isRevoked = true }

    /// Makes all access tokens that there are expire.
    mutating func expireAccessTokens(at now: Instant) {
        for text in accessTokens.keys { accessTokens[text]?.expires = now }
    }

    /// Revokes all that there is, codes included.
    mutating func revokeAll() {
        for number in families.keys { revoke(family: number) }
        passcodes = [:]
        devices = [:]
    }
}
