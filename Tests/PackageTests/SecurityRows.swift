/// The requirements of an authentication client, by number: RT rows are failures that users of such clients reported, and B rows
/// are the requirements of RFC 9700 for clients.
///
/// A test that proves a row of the client carries its number in its name; `Security rows` checks that each has one.
struct SecurityRow: Sendable, Hashable {
    let number: String
    let requirement: String

    init(_ number: String, _ requirement: String) {
        self.number = number
        self.requirement = requirement
    }
}

extension SecurityRow {
    /// The rows that no test proves, with the reasons.
    static let open: [String: String] = [
        "B26": "does not apply: there is no web page that receives answers by postMessage"
    ]

    static let all: [SecurityRow] =
        reliability + [
            SecurityRow("B1", "no open redirector: the callback handler follows no parameter"),
            SecurityRow("B2", "CSRF is prevented by a state for each login"),
            SecurityRow("B3", "mix-up defence: the issuer of each request is compared with iss (RFC 9207)"),
            SecurityRow("B4", "where redirect URIs tell servers apart, the answer's is compared with its server's"),
            SecurityRow("B5", "an issuer is its authorization and its token endpoint: a foreign token endpoint is refused"),
            SecurityRow("B6", "PKCE with every request for a code"),
            SecurityRow("B7", "PKCE for confidential clients, too"),
            SecurityRow("B8", "state and code challenge belong to one login"),
            SecurityRow("B9", "the code challenge method is S256"),
            SecurityRow("B10", "a nonce in the ID token is checked before tokens are used"),
            SecurityRow("B11", "state is sent beside PKCE"),
            SecurityRow("B12", "an application's own state cannot be exchanged"),
            SecurityRow("B13", "a state is good for one answer"),
            SecurityRow("B14", "no implicit grant: tokens in callbacks are refused"),
            SecurityRow("B15", "no access token in a query"),
            SecurityRow("B16", "sender-constrained tokens"),
            SecurityRow("B17", "refresh tokens that are replaced at each use are used once"),
            SecurityRow("B18", "scopes can be asked for by credential"),
            SecurityRow("B19", "tokens go to configured origins alone"),
            SecurityRow("B20", "no password grant of a user's own password"),
            SecurityRow("B21", "asymmetric client authentication"),
            SecurityRow("B22", "configuration from authorization server metadata"),
            SecurityRow("B23", "TLS to every endpoint; no http redirect URI but loopback"),
            SecurityRow("B24", "answers are taken at registered redirect URIs alone"),
            SecurityRow("B25", "requests with credentials follow no 307 or 308"),
            SecurityRow("B26", "postMessage answers from the exact origin"),
            SecurityRow("B27", "the callback page has no foreign content, no referrer and no cache"),
        ]

    private static let reliability = [
        SecurityRow("RT-01", "many requests with an expired token: one token request"),
        SecurityRow("RT-02", "many requests challenged for a token that was thought good: one renewal, each resent once"),
        SecurityRow("RT-03", "a late challenge for an older credential: a resend alone"),
        SecurityRow("RT-04", "a renewal that completes at once: no deadlock"),
        SecurityRow("RT-05", "an authentication's own requests bypass its observer"),
        SecurityRow("RT-06", "a cancelled waiter leaves alone; without waiters a refresh completes and a login is closed"),
        SecurityRow("RT-07", "nothing of the request that began a login is kept"),
        SecurityRow("RT-08", "a failed refresh: one attempt for all who wait"),
        SecurityRow("RT-09", "a failure does not stick"),
        SecurityRow("RT-10", "a request between the end of a flight and its removal begins no other"),
        SecurityRow("RT-11", "every waiter is resumed"),
        SecurityRow("RT-12", "simultaneous first requests: one login"),
        SecurityRow("RT-13", "credentials are renewed in parallel"),
        SecurityRow("RT-14", "a second challenge joins an open login; a dismissed login does not prompt again at once"),
        SecurityRow("RT-15", "a logout during a renewal discards its result"),
        SecurityRow("RT-16", "a request of one user is not resent with the credential of the next"),
        SecurityRow("RT-17", "processes that share a store: one renewal, the others adopt it"),
        SecurityRow("RT-18", "a crash before a token was stored: one retry, then a login"),
        SecurityRow("RT-19", "a token that cannot be stored is used, reported and stored later"),
        SecurityRow("RT-20", "a server that always challenges: bounded sends, bounded logins, a typed error"),
        SecurityRow("RT-21", "invalid_grant: nothing is replayed, the token is cleared, one event"),
        SecurityRow("RT-22", "no network, 5xx, 429: tokens are kept, Retry-After is honoured"),
        SecurityRow("RT-23", "a lost answer of the token endpoint: one more attempt"),
        SecurityRow("RT-24", "invalid_client and server errors keep the refresh token"),
        SecurityRow("RT-25", "403 renews nothing; insufficient_scope leads to a step-up"),
        SecurityRow("RT-26", "expires_in missing, zero, a text, negative or huge"),
        SecurityRow("RT-27", "expiry does not depend on the wall clock"),
        SecurityRow("RT-28", "a token that lives shorter than the margin is used"),
        SecurityRow("RT-29", "a challenge with status 200 is not delivered as data, and data is no challenge"),
        SecurityRow("RT-30", "secrets in no log, description, error or event"),
        SecurityRow("RT-31", "a redirect takes credentials to the exact origin alone"),
        SecurityRow("RT-32", "a token endpoint that redirects is an error, and the body is not sent again"),
        SecurityRow("RT-33", "what a redirect strips is not attached again"),
        SecurityRow("RT-34", "a resend is built from the caller's request"),
        SecurityRow("RT-35", "state missing, wrong, repeated, of another login or in the fragment: refused, for errors, too"),
        SecurityRow("RT-36", "a token in a callback: refused"),
        SecurityRow("RT-37", "a wrong or missing issuer: refused before a token request"),
        SecurityRow("RT-38", "finish URLs match by component, exactly"),
        SecurityRow("RT-39", "line breaks in credentials are refused; so are certificates that do not verify"),
        SecurityRow("RT-40", "DPoP without downgrade"),
        SecurityRow("RT-41", "without a credential a request is not sent unauthenticated"),
        SecurityRow("RT-42", "a challenged upload is replayed to the byte or ends in an error"),
        SecurityRow("RT-43", "a challenge during an upload aborts it"),
        SecurityRow("RT-44", "after a lost connection idempotent requests alone are repeated"),
        SecurityRow("RT-45", "the body of a challenge is drained within a bound"),
        SecurityRow("RT-46", "one TLS configuration for each client identity"),
        SecurityRow("RT-47", "cookies of a web view are there before the resend"),
        SecurityRow("RT-48", "PKCS #12 of all kinds"),
        SecurityRow("RT-49", "device flow"),
        SecurityRow("RT-50", "JWKS: unknown keys, rotation, algorithms"),
    ]
}
