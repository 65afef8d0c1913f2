/// A page that is shown until the browser comes to an address: that of the application's own, to which an authorization server sends it back
/// (RFC 6749, section 4.1), or one of the server that shows the page. Or it is opened on any device, with a code that tells its server which
/// login it is about (RFC 8628).
public struct LoginPage: Sendable, Hashable {
    /// What ends a page.
    public enum End: Sendable, Hashable {
        /// A redirect to the application; what counts is what the server adds to its address.
        case redirect(Redirect)
        /// An address that the server knows by itself; what counts are the cookies.
        case at(ProgramTemplate, match: FinishRule.Match)
        /// A code that the user types there, on any device: the page and its code are shown while the step after it runs.
        case userCode(Code)
    }

    /// A code that the user types on the page.
    public struct Code: Sendable, Hashable {
        /// The code.
        public let text: ProgramTemplate
        /// The page with the code in its address; `nil` if there is none.
        public let complete: ProgramTemplate?
        /// How long the code is good for; `nil` if that is not known.
        public let lifetime: StepTime?

        /// Makes a code.
        public init(_ text: ProgramTemplate, complete: ProgramTemplate? = nil, lifetime: StepTime? = nil) {
            self.text = text
            self.complete = complete
            self.lifetime = lifetime
        }
    }

    /// A redirect to the application.
    ///
    /// Nothing of the URL that the browser is sent back to is believed before every value of ``verify`` is what was expected: not even that
    /// it is an error.
    public struct Redirect: Sendable, Hashable {
        /// The slot of the redirect URL. A presenter that listens itself may choose another port on this machine (RFC 8252, section 7.3):
        /// then later steps have that URL in the slot.
        public let slot: Int
        /// What has to come back, by name; an absent value wants nothing.
        public let verify: NamedList<HTTPCall.Member>
        /// What has to be so where it comes back at all, by name.
        public let agreed: NamedList<HTTPCall.Member>
        /// What is expected in the query that comes back; the first that fits is taken.
        public let answers: [HTTPCall.Answer]
    }

    /// Where a server gets the page's query before the page is opened (RFC 9126), which then names it by a reference alone.
    public struct Push: Sendable, Hashable {
        /// The endpoint; where it is absent, nothing is pushed.
        public let url: ProgramTemplate
        /// The client that asks, which the page names, too.
        public let client: HTTPCall.Client

        /// Makes a push.
        public init(to url: ProgramTemplate, client: HTTPCall.Client) {
            self.url = url
            self.client = client
        }
    }

    /// A page that takes the place of another where it can be opened.
    public struct Alternative: Sendable, Hashable {
        /// The page; an absent one is passed over.
        public let url: ProgramTemplate
        /// Whether it can be opened in an embedded web view alone; see ``WebPresenter/isEmbeddedWebView``.
        public let isOnlyEmbedded: Bool
        /// What is put into its query in place of ``LoginPage/query``; `nil` for that.
        ///
        /// A page with a query of its own is opened as it is: no presenter can move the redirect that it ends at.
        public let query: NamedList<HTTPCall.Member>?
        /// The slots of what its server has no use for: they are absent from then on.
        public let without: [Int]

        /// Makes a page.
        public init(
            _ url: ProgramTemplate, isOnlyEmbedded: Bool = false, query: NamedList<HTTPCall.Member>? = nil, without: [Int] = []
        ) {
            self.url = url
            self.isOnlyEmbedded = isOnlyEmbedded
            self.query = query
            self.without = without
        }
    }

    /// What can go wrong with a page.
    public enum Failure: String, Sendable, Hashable, CaseIterable {
        /// It was closed before the login ended.
        case dismissed
        /// It could not be shown.
        case load
        /// It was shown and refused what was entered; without an error of its own it is that of ``load``.
        case refused
        /// It was loaded anew.
        case reloaded
        /// The application is in the background.
        case background
        /// The redirect says that the server refuses (RFC 6749, section 4.1.2.1).
        case server
        /// The redirect brings nothing to go on with.
        case missing
    }

    /// The page.
    public let url: ProgramTemplate
    /// Pages that take the place of ``url`` where they can be opened, the first of them first.
    public let alternatives: [Alternative]
    /// What is put into its query; a name that is there already is replaced, and what is absent is left out.
    public let query: NamedList<HTTPCall.Member>
    /// The code verifier of RFC 7636, of which the query has the challenge; `nil` for none.
    public let verifier: ProgramTemplate?
    /// Where the query goes before the page is opened; `nil` for nowhere.
    public let push: Push?
    public let end: End
    /// By which URLs another application moves the page on; `nil` if by none.
    public let callback: CallbackRule?
    /// What it means if the server answers with these statuses instead of the page.
    public let explanations: [Int: String]
    /// The errors for what can go wrong, by numbers as in ``MethodProgram/errors``; what is not here is a ``CountersignError``.
    public let failures: [Failure: Int]

    /// Makes a page that ends at a redirect to the application.
    public init(
        _ url: ProgramTemplate, instead alternatives: [Alternative] = [], query: NamedList<HTTPCall.Member>,
        verifier: ProgramTemplate? = nil, push: Push? = nil, redirect: Int, verify: NamedList<HTTPCall.Member>,
        agreed: NamedList<HTTPCall.Member> = [], answers: [HTTPCall.Answer], explanations: [Int: String] = [:],
        failures: [Failure: Int] = [:]
    ) {
        self.url = url
        self.push = push
        self.alternatives = alternatives
        self.query = query
        self.verifier = verifier
        self.explanations = explanations
        self.failures = failures
        end = .redirect(Redirect(slot: redirect, verify: verify, agreed: agreed, answers: answers))
        callback = nil
    }

    /// Makes a page that ends at an address of its server's.
    public init(
        _ url: ProgramTemplate, instead alternatives: [Alternative] = [], endsAt end: ProgramTemplate, match: FinishRule.Match,
        callback: CallbackRule? = nil, explanations: [Int: String] = [:], failures: [Failure: Int] = [:]
    ) {
        self.url = url
        self.alternatives = alternatives
        self.end = .at(end, match: match)
        self.callback = callback
        self.explanations = explanations
        self.failures = failures
        query = []
        verifier = nil
        push = nil
    }

    /// Makes a page that the user opens on any device, to type a code there.
    public init(_ url: ProgramTemplate, code: Code, failures: [Failure: Int] = [:]) {
        self.url = url
        self.failures = failures
        end = .userCode(code)
        alternatives = []
        query = []
        verifier = nil
        push = nil
        callback = nil
        explanations = [:]
    }
}

extension LoginPage {
    /// The redirect that ends it; `nil` if it ends otherwise.
    var redirect: Redirect? { if case .redirect(let redirect) = end { redirect } else { nil } }

    /// The code that the user types there; `nil` if there is none.
    var code: Code? { if case .userCode(let code) = end { code } else { nil } }

    /// Whether a value of one of these slots is a part of what the page receives.
    func uses(_ slots: [Int]) -> Bool {
        let members = query + alternatives.flatMap { $0.query ?? [] }
        let own = [url, verifier, push?.url].compactMap(\.self) + (push?.client.templates ?? [])
        return (own + alternatives.map(\.url) + members.flatMap(\.templates)).contains { $0.uses(slots) }
    }

    /// What the page's query has.
    ///
    /// - Parameter own: The query of an alternative page; `nil` for the page's.
    func parameters(_ own: NamedList<HTTPCall.Member>?, _ values: [ProgramValue]) -> FormParameters {
        if let own { return FormParameters(own, values) }
        var parameters = FormParameters(query, values)
        if let proof = verifier?.text(values).flatMap({ OAuth2ProofKey(verifier: $0) }) {
            parameters["code_challenge"] = proof.challenge
            parameters["code_challenge_method"] = OAuth2ProofKey.method
        }
        return parameters
    }
}
