internal import Countersign

/// The issued codes and tokens with their rules, without clock, transport and lock.
///
/// Everything issued for one login, or for one request of a client for itself, is a family. A family is revoked as a whole.
struct TokenLedger: RedactedDescription {
    /// The lifetimes, and the handling of refresh tokens.
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

    /// The approved request of a login or client.
    struct Family: Sendable {
        let clientID: String
        /// The user who approved; `nil` for a client that requested tokens for itself.
        let user: String?
        let scopes: [String]
        /// The nonce for the ID token.
        var nonce: String?
        /// The requested authentication context class, and the time of the authentication.
        var acr: String?
        var authenticated: Instant?
        /// The requested claims, as JSON.
        var claims: String?
        /// The certificate to which the tokens are bound (RFC 8705, section 3), as DER.
        var certificate: [UInt8]?
        /// The hash of the key to which the tokens are bound (RFC 9449).
        var key: String?
        var isRevoked = false
    }

    /// An authorization code that was sent to a client through the browser.
    struct Code {
        let family: Int
        /// The redirect URI of the authorization request; `nil` if it was omitted.
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
        /// The time when a rotation replaced it; `nil` if it was not replaced.
        var used: Instant?
    }

    /// The content of a token response.
    struct Issue: Sendable, RedactedDescription {
        let accessToken: String
        let refreshToken: String?
        let scopes: [String]
        /// The family of the tokens.
        var family: Family?
    }

    let rules: Rules
    private(set) var families: [Int: Family] = [:]
    private(set) var accessTokens: [String: AccessToken] = [:]
    /// The devices that wait for a user, by device code.
    var devices: [String: Device] = [:]
    private var codes: [String: Code] = [:]
    private var passcodes: [String: Passcode] = [:]
    private var refreshTokens: [String: RefreshToken] = [:]
    var random: any RandomNumberGenerator & Sendable

    init(rules: Rules, random: any RandomNumberGenerator & Sendable) {
        self.rules = rules
        self.random = random
    }

    /// Returns an unguessable text of 256 random bits. `ending` contains characters that must be escaped in forms and queries, so
    /// that a client without escaping always fails and not only sometimes.
    mutating func makeText(ending: String = "") -> String {
        (0..<4).map { _ in
            let digits = String(random.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined() + ending
    }
}

extension TokenLedger {
    /// Returns the hash of the key to which a code or a refresh token is bound; `nil` for another grant.
    func key(ofGrantIn parameters: OAuth2Parameters) -> String? {
        let code = parameters["code"].flatMap { codes[$0]?.family }
        let family = code ?? parameters["refresh_token"].flatMap { refreshTokens[$0]?.family }
        return family.flatMap { families[$0]?.key }
    }

    /// Binds the family of an access token to a key.
    mutating func bind(_ accessToken: String, to key: String) -> Family? {
        guard let family = accessTokens[accessToken]?.family else { return nil }
        families[family]?.key = key
        return families[family]
    }

    /// Binds the family of an access token to a certificate.
    mutating func bind(_ accessToken: String, to certificate: [UInt8]) -> Family? {
        guard let family = accessTokens[accessToken]?.family else { return nil }
        families[family]?.certificate = certificate
        return families[family]
    }

    /// Returns the hash of the key to which an access token is bound.
    func key(of accessToken: String) -> String? { accessTokens[accessToken].flatMap { families[$0.family]?.key } }

    /// Returns the record of a refresh token.
    func refreshToken(_ text: String) -> RefreshToken? { refreshTokens[text] }

    /// Returns the certificate to which an access token is bound.
    func certificate(of accessToken: String) -> [UInt8]? { accessTokens[accessToken].flatMap { families[$0.family]?.certificate } }

    /// Removes all refresh tokens of a user.
    mutating func revokeRefreshTokens(of user: String) {
        refreshTokens = refreshTokens.filter { families[$0.value.family]?.user != user }
    }
}

// MARK: Giving out

extension TokenLedger {
    /// Returns a code for a request that a user approved.
    mutating func makeCode(_ family: Family, redirectURI: String?, challenge: CodeChallenge?, at now: Instant) -> String {
        let code = makeText(ending: "+/&=%41")
        codes[code] = Code(
            family: add(family), redirectURI: redirectURI, challenge: challenge, expires: now + rules.codeLifetime)
        return code
    }

    /// Issues tokens for a code (RFC 6749, section 4.1.3).
    mutating func redeem(
        code text: String, redirectURI: String?, verifier: String?, by client: MockOAuth2Client, at now: Instant
    ) throws(OAuth2Refusal) -> Issue {
        guard OAuth2Syntax.isVisible(text), let code = codes[text], let family = families[code.family], family.clientID == client.id
        else { throw OAuth2Refusal(.invalidGrant, "The code is unknown or belongs to another client.") }
        guard !code.isUsed else {
            revoke(family: code.family)
            throw OAuth2Refusal(.invalidGrant, "The code was used before.", reuse: .code)
        }
        guard code.redirectURI == nil || redirectURI != nil
        else { throw OAuth2Refusal(.invalidRequest, "The redirect URI is missing.") }
        guard code.challenge == nil || verifier != nil
        else { throw OAuth2Refusal(.invalidRequest, "The code verifier is missing.") }
        // The code is consumed before the remaining checks, so that a client has only one attempt.
        codes[text]?.isUsed = true
        guard !family.isRevoked, now < code.expires else { throw OAuth2Refusal(.invalidGrant, "The code has expired.") }
        guard code.redirectURI.map({ Array($0.utf8) }) == redirectURI.map({ Array($0.utf8) })
        else { throw OAuth2Refusal(.invalidGrant, "The redirect URI does not match.") }
        // A verifier without a challenge indicates that an attacker removed the challenge from the request (RFC 9700, section
        // 4.8.2).
        guard verifier.map({ code.challenge?.accepts($0) ?? false }) ?? true
        else { throw OAuth2Refusal(.invalidGrant, "The code verifier does not match.") }
        return issue(
            in: code.family, scopes: family.scopes,
            refreshToken: client.grants.contains(.refreshToken) ? makeRefreshToken(in: code.family, at: now) : nil, at: now)
    }

    /// Returns a passcode for a user: 128 random bits as 32 digits.
    mutating func makePasscode(_ family: Family, at now: Instant) -> String {
        let text = String(makeText().prefix(32))
        passcodes[text] = Passcode(family: family, expires: now + rules.passcodeLifetime)
        return text
    }

    /// Issues tokens for a passcode, which is valid for one attempt.
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

    /// Issues tokens for a refresh token (RFC 6749, section 6), with the rotation of RFC 9700, section 4.14.2.
    mutating func refresh(
        with text: String, scopes: [String]?, by client: MockOAuth2Client, at now: Instant
    ) throws(OAuth2Refusal) -> Issue {
        guard OAuth2Syntax.isVisible(text), let token = refreshTokens[text], let family = families[token.family],
            family.clientID == client.id
        else { throw OAuth2Refusal(.invalidGrant, "The refresh token is unknown or belongs to another client.") }
        guard !family.isRevoked else { throw OAuth2Refusal(.invalidGrant, "The refresh token is revoked.") }
        if let used = token.used, now >= used + rules.reuseLeeway {
            revoke(family: token.family)
            throw OAuth2Refusal(.invalidGrant, "The refresh token was used before.", reuse: .refreshToken)
        }
        guard token.expires.map({ now < $0 }) ?? true
        else { throw OAuth2Refusal(.invalidGrant, "The refresh token has expired.") }
        let granted = scopes ?? family.scopes
        guard Set(granted).isSubset(of: family.scopes)
        else { throw OAuth2Refusal(.invalidScope, "The scope exceeds the granted scope.") }
        var successor: String?
        if rules.rotatesRefreshTokens {
            if token.used == nil { refreshTokens[text]?.used = now }
            successor = makeRefreshToken(in: token.family, at: now)
        }
        return issue(in: token.family, scopes: granted, refreshToken: successor, at: now)
    }

    /// Issues a token for a client itself, without a refresh token (RFC 6749, section 4.4.3).
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
    /// Revokes a token (RFC 7009, section 2.1): a refresh token with its family, an access token alone.
    ///
    /// - Returns: Whether the token is known.
    mutating func revoke(_ text: String, by client: MockOAuth2Client) throws(OAuth2Refusal) -> Bool {
        guard OAuth2Syntax.isVisible(text), let number = refreshTokens[text]?.family ?? accessTokens[text]?.family
        else { return false }
        guard families[number]?.clientID == client.id
        else { throw OAuth2Refusal(.invalidGrant, "The token belongs to another client.") }
        if refreshTokens[text] != nil {
            revoke(family: number)
        } else {
            accessTokens[text]?.isRevoked = true
        }
        return true
    }

    /// Revokes all codes and tokens of a family.
    mutating func revoke(family number: Int) { families[number]?.isRevoked = true }

    /// Expires all access tokens.
    mutating func expireAccessTokens(at now: Instant) {
        for text in accessTokens.keys { accessTokens[text]?.expires = now }
    }

    /// Revokes all tokens and codes, including passcodes and device codes.
    mutating func revokeAll() {
        for number in families.keys { revoke(family: number) }
        passcodes = [:]
        devices = [:]
    }
}
