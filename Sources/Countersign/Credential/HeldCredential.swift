internal import HTTPTypes

/// A credential as the requests of a protection space carry it.
struct HeldCredential: Sendable {
    /// The values of ``PreparedProgram/credentialSlots``.
    let values: [ProgramValue]
    /// The same as header fields.
    let fields: [HTTPField]
    /// What adds a field for each request anew.
    var signer: DigestSigner?
    /// The cookies now: responses change them.
    let cookies: CookieJar?
    /// Its place among those of the space, from the moment on that requests carry it.
    var generation = Generation.none
    /// How many were refused in a row before it.
    let refusals: Int
    let lifetime: TokenLifetime
    /// As it is in the store; `nil` if it is not there.
    var stored: StoredCredentials.Entry?
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
}

/// What a request is given.
struct PresentCredential {
    let fields: [HTTPField]
    let signer: DigestSigner?
    let cookies: CookieJar?
    /// As an exchange carries it.
    let generation: Generation
}
