/// A login page, shown until the browser reaches a URL: the redirect URL of the application (RFC 6749, section 4.1), or a URL of
/// the server. Or a page that is opened on any device, with a code that identifies the login (RFC 8628), or without one.
public struct LoginPage: Sendable, Hashable {
    /// The end of a page.
    public enum End: Sendable, Hashable {
        /// A redirect to the application. The result is the query that the server adds.
        case redirect(Redirect)
        /// A URL of the server. The result is the cookies.
        case at(ProgramTemplate, match: FinishRule.Match)
        /// A page that the user opens on any device, perhaps to enter a code. Page and code are shown while the next step runs.
        case userCode(Code)
    }

    /// A code that the user enters on a page.
    public struct Code: Sendable, Hashable {
        /// The code; `nil` for a page whose URL identifies the login.
        public let text: ProgramTemplate?
        /// The URL with the code in it; `nil` if there is none.
        public let complete: ProgramTemplate?
        /// The lifetime of the code or of the page; `nil` if unknown.
        public let lifetime: StepTime?

        /// Creates a code; with `nil`, none for a page whose URL identifies the login.
        public init(_ text: ProgramTemplate?, complete: ProgramTemplate? = nil, lifetime: StepTime? = nil) {
            self.text = text
            self.complete = complete
            self.lifetime = lifetime
        }
    }

    /// A redirect to the application.
    ///
    /// No parameter of the response is trusted, not even `error`, before every value of ``verify`` has been checked.
    public struct Redirect: Sendable, Hashable {
        /// The slot of the redirect URL. A presenter with a loopback listener may choose another port (RFC 8252, section 7.3);
        /// later steps then find that URL in the slot.
        public let slot: Int
        /// The values that must come back, by name. An absent value is not checked.
        public let verify: NamedList<HTTPCall.Member>
        /// The values that must be equal if they come back, by name.
        public let agreed: NamedList<HTTPCall.Member>
        /// The expected responses in the query. The first that matches is used.
        public let answers: [HTTPCall.Answer]
    }

    /// A pushed authorization request (RFC 9126): the page's query is sent to the server beforehand, and the page contains only a
    /// reference to it.
    public struct Push: Sendable, Hashable {
        /// The endpoint. If it is absent, nothing is pushed.
        public let url: ProgramTemplate
        /// The client, which the page also names.
        public let client: HTTPCall.Client
        /// The proof of possession of the key to which the code is bound (RFC 9449, section 10.1); `nil` for none.
        public let proof: ProofOfPossession?

        /// Creates a push.
        public init(to url: ProgramTemplate, client: HTTPCall.Client, proof: ProofOfPossession? = nil) {
            self.url = url
            self.client = client
            self.proof = proof
        }
    }

    /// A page that replaces another one if it can be opened.
    public struct Alternative: Sendable, Hashable {
        /// The page. An absent one is skipped.
        public let url: ProgramTemplate
        /// Whether the page requires an embedded web view; see ``WebPresenter/isEmbeddedWebView``.
        public let isOnlyEmbedded: Bool
        /// The page's query in place of ``LoginPage/query``; `nil` for that.
        ///
        /// A page with its own query is opened unchanged, and presenters cannot change its redirect URL.
        public let query: NamedList<HTTPCall.Member>?
        /// The slots that become absent because the page's server does not use them.
        public let without: [Int]

        /// Creates a page.
        public init(
            _ url: ProgramTemplate, isOnlyEmbedded: Bool = false, query: NamedList<HTTPCall.Member>? = nil, without: [Int] = []
        ) {
            self.url = url
            self.isOnlyEmbedded = isOnlyEmbedded
            self.query = query
            self.without = without
        }
    }

    /// A failure of a page.
    public enum Failure: String, Sendable, Hashable, CaseIterable {
        /// The user closed the page before the login ended.
        case dismissed
        /// The page could not be shown.
        case load
        /// The page refused the user's input. Without its own error, the error of ``load`` is used.
        case refused
        /// The user reloaded the page.
        case reloaded
        /// The application is in the background.
        case background
        /// The redirect contains an error response (RFC 6749, section 4.1.2.1).
        case server
        /// The redirect has no usable values.
        case missing
    }

    /// The page.
    public let url: ProgramTemplate
    /// Pages that replace ``url`` if they can be opened, in order of preference.
    public let alternatives: [Alternative]
    /// The items that are added to the page's query. Existing names are replaced, and absent values are omitted.
    public let query: NamedList<HTTPCall.Member>
    /// The parameters that are not in the page's URL. If one is present, a browser requests the page with a `POST`, whose form has
    /// the query, too.
    public let form: NamedList<HTTPCall.Member>
    /// The code verifier (RFC 7636), whose challenge is in the query; `nil` for none.
    public let verifier: ProgramTemplate?
    /// The pushed authorization request; `nil` for none.
    public let push: Push?
    public let end: End
    /// The callback of another application; `nil` for none.
    public let callback: CallbackRule?
    /// The meaning of statuses that the server may send in place of the page.
    public let explanations: [Int: String]
    /// The errors for failures, by their number in ``MethodProgram/errors``. Other failures are a ``CountersignError``.
    public let failures: [Failure: Int]

    /// Creates a page that ends at a redirect to the application.
    public init(
        _ url: ProgramTemplate, instead alternatives: [Alternative] = [], query: NamedList<HTTPCall.Member>,
        form: NamedList<HTTPCall.Member> = [], verifier: ProgramTemplate? = nil, push: Push? = nil, redirect: Int,
        verify: NamedList<HTTPCall.Member>,
        agreed: NamedList<HTTPCall.Member> = [], answers: [HTTPCall.Answer], explanations: [Int: String] = [:],
        failures: [Failure: Int] = [:]
    ) {
        self.url = url
        self.push = push
        self.alternatives = alternatives
        self.query = query
        self.form = form
        self.verifier = verifier
        self.explanations = explanations
        self.failures = failures
        end = .redirect(Redirect(slot: redirect, verify: verify, agreed: agreed, answers: answers))
        callback = nil
    }

    /// Creates a page that ends at a URL of its server.
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
        form = []
        verifier = nil
        push = nil
    }

    /// Creates a page that the user opens on any device, perhaps to enter a code.
    public init(_ url: ProgramTemplate, code: Code, failures: [Failure: Int] = [:]) {
        self.url = url
        self.failures = failures
        end = .userCode(code)
        alternatives = []
        query = []
        form = []
        verifier = nil
        push = nil
        callback = nil
        explanations = [:]
    }
}

extension LoginPage {
    /// The redirect that ends the page; `nil` if the page ends in another way.
    var redirect: Redirect? { if case .redirect(let redirect) = end { redirect } else { nil } }

    /// The code of a page that the user opens on any device; `nil` for other pages.
    var code: Code? { if case .userCode(let code) = end { code } else { nil } }

    /// Whether the page, its query or its push uses one of these slots.
    func uses(_ slots: [Int]) -> Bool {
        let members = alternatives.flatMap { $0.query ?? [] } + query + form
        let own = [url, verifier, push?.url].compactMap(\.self) + (push?.client.templates ?? [])
        return (own + alternatives.map(\.url) + members.flatMap(\.templates)).contains { $0.uses(slots) }
            || push?.proof?.uses(slots) == true
    }

    /// Returns the query parameters of the page.
    ///
    /// - Parameter own: The query of an alternative page; `nil` for the query of the page itself.
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
