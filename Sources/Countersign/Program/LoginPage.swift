/// A login page that is shown until the browser is sent back to the application, such as that of an authorization server (RFC 6749,
/// section 4.1).
///
/// Nothing of the URL that the browser is sent back to is believed before every value of ``verify`` is what was expected: not even that
/// it is an error.
public struct LoginPage: Sendable, Hashable {
    /// The page.
    public let url: ProgramTemplate
    /// What is put into its query; a name that is there already is replaced, and what is absent is left out.
    public let query: [HTTPCall.Member]
    /// The code verifier of RFC 7636, of which the query has the challenge; `nil` for none.
    public let verifier: ProgramTemplate?
    /// The slot of the redirect URL. A presenter that listens itself may choose another port on this machine (RFC 8252, section 7.3): then
    /// later steps have that URL in the slot.
    public let redirect: Int
    /// What has to come back, by name; an absent value wants nothing.
    public let verify: [HTTPCall.Member]
    /// What is expected in the query that comes back; the first that fits is taken.
    public let answers: [HTTPCall.Answer]

    /// Makes a page.
    public init(
        _ url: ProgramTemplate, query: [HTTPCall.Member], verifier: ProgramTemplate? = nil, redirect: Int,
        verify: [HTTPCall.Member], answers: [HTTPCall.Answer]
    ) {
        self.url = url
        self.query = query
        self.verifier = verifier
        self.redirect = redirect
        self.verify = verify
        self.answers = answers
    }
}

extension LoginPage {
    /// Whether a value of one of these slots is a part of what the page is told.
    func uses(_ slots: [Int]) -> Bool {
        ([url, verifier].compactMap(\.self) + query.flatMap(\.templates)).contains { $0.uses(slots) }
    }

    /// What the page's query has.
    func parameters(_ values: [ProgramValue]) -> FormParameters {
        var parameters = FormParameters(query, values)
        if let proof = verifier?.text(values).flatMap({ OAuth2ProofKey(verifier: $0) }) {
            parameters["code_challenge"] = proof.challenge
            parameters["code_challenge_method"] = OAuth2ProofKey.method
        }
        return parameters
    }
}
