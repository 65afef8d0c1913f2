internal import HTTPTypes

/// A credential as the requests of a protection space carry it.
struct HeldCredential: Sendable {
    /// The values of ``PreparedProgram/credentialSlots``.
    let values: [ProgramValue]
    /// The same as header fields.
    let fields: [HTTPField]
    /// What adds a field for each request anew.
    var signer: DigestSigner?
    /// What signs each request with its body.
    var signature: (any RequestSigning)?
    /// The token, of a method whose credential is one; it is in the fields.
    var token: OAuth2Token?
    /// The cookies now: responses change them.
    let cookies: CookieJar?
    /// Its place among those of the space, from the moment on that requests carry it.
    var generation = Generation.none
    /// Since when requests carry it, by the session's clock.
    var since = Duration.zero
    /// The user's session that it is of; `nil` until it is the present one.
    var epoch: SessionEpoch?
    /// What connections are made with.
    let identity: ConnectionIdentity?
    /// What a login has changed in the session's cookies, until requests carry that.
    var login: CookieLogin?
    /// What was refused in a row before it.
    let refusals: Refusals
    let lifetime: TokenLifetime
    /// As it is in the store; `nil` if it is not there.
    var stored: CredentialEntry?
    /// Whether a server has accepted it.
    var isAccepted = false
    /// Whether it has come of another one, without a user.
    var isRenewed = false
    /// Whether another one can come of it without a user: it has what that takes, and no server has said that it is over.
    var isRenewable: Bool

    /// Whether no request carries it any more.
    func hasExpired(at now: Duration) -> Bool { hasRunOut(at: now) || cookies?.isEmpty == true }

    /// Whether its time is over.
    func hasRunOut(at now: Duration) -> Bool { lifetime.phase(at: now) == .expired }

    /// Whether requests with it are those with another one, so that a server which refuses one refuses both.
    func isSent(as other: HeldCredential) -> Bool {
        if let token, let other = other.token { return token.accessToken == other.accessToken }
        return cookies == nil && !values.isEmpty
            && (identity == nil ? values == other.values : identity == other.identity && fields == other.fields)
    }
}

extension HeldCredential: RedactedDescription {}

/// What a login changes in the session's cookies: what others do to them meanwhile stays.
struct CookieLogin: Sendable {
    /// The cookies that it began with.
    let before: CookieJar.Snapshot
    /// Those at its end.
    var after: CookieJar.Snapshot
}

/// What servers have refused in a row.
struct Refusals: Sendable {
    /// How often; what follows a credential that a server has accepted is not counted.
    var count = 0
    /// The credentials' values, the latest at the end.
    var values: [[ProgramValue]] = []
}

/// What a request is given.
struct PresentCredential: Sendable {
    let fields: [HTTPField]
    let signer: DigestSigner?
    var signature: (any RequestSigning)?
    let cookies: CookieJar?
    let identity: ConnectionIdentity?
    /// As an exchange carries it.
    let generation: Generation

    /// The same whose proofs have a nonce in them.
    func proving(_ nonce: String) -> PresentCredential {
        guard var proof = signature as? ProofSigner else { return self }
        proof.nonce = nonce
        var credential = self
        credential.signature = proof
        return credential
    }
}
