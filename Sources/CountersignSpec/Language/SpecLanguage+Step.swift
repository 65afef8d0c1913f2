extension SpecLanguage {
    /// A step of a flow or of a grant.
    static let step = Construct(
        "a step", "One step of a flow.",
        alternatives: ["generate", "present", "request", "load", "ask", "store", "delete", "again", "fail"],
        keys: [
            .init(
                "generate",
                .list(
                    of: .word([
                        .init("state", "256 random bits: `{generated.state}`."),
                        .init(
                            "code_verifier",
                            "The proof key of RFC 7636: `{generated.code_verifier}`, and its S256 `{generated.code_challenge}`."),
                    ])), "Makes random values for one run."),
            .init("present", .construct(present), "Opens a page until a URL ends the flow."),
            .init("request", .construct(request), "Sends a form to a token endpoint and decodes the token."),
            .init("load", .word([credential]), "Takes what the store has; if it has something, the steps end there."),
            .init("ask", .word([credential]), "Asks the application."),
            .init("store", .word([credential]), "Stores what the application gave."),
            .init("delete", .word([credential]), "Takes what was refused out of the store."),
            .init(
                "again", .text(.attempts),
                """
                Runs the steps of `authenticate` again, after at most so many refusals in a row, or only if what was refused is \
                `stored` or has been accepted before; without another credential the next step follows.
                """),
            .init("fails", .construct(failures), beside: ["present", "request", "ask"], "The errors for what can go wrong."),
            .init("fail", .text(.caseReference), "Ends the flow with an error."),
        ])

    private static let credential = ValueShape.Word("credential", "The method's credential.")

    private static let present = Construct(
        "a present step", "Opens a page until a URL ends the flow.",
        keys: [
            .init(
                "url", .shorthand(.text(.urlTemplate), or: .construct(pages)), required: true,
                "The page, or several to choose from. An address has values of parameters alone."),
            .init(
                "query", .named(.configurationKey, key: "the name", .text(.textTemplate)),
                "What is put into the page's query, in place of what has the name there; what is absent is left out."),
            .init("finish", .construct(finish), required: true, "The URL that ends the flow."),
            .init(
                "callback", .construct(callback),
                "The URL by which another application moves the waiting page on; only of a page whose `finish` is an `at`."),
            .init(
                "explain", .named(.status, key: "the status", .text(.prose)),
                "What it means if the server answers with such a status instead of the page, and what to do then."),
            .init("allow-http", .text(.boolean), default: "false", "Allows both URLs to be `http:` beyond loopback."),
        ])

    private static let callback = Construct(
        "a callback", "The URL by which another application moves the waiting page on, such as an x-callback-url.",
        keys: callbackKeys)

    private static let pages = Construct(
        "pages to choose from", "Several pages, the first of which that can be opened is.",
        keys: [
            .init(
                "first-of", .list(of: .shorthand(.text(.urlTemplate), or: .construct(page))), required: true,
                "The pages; an optional field that is absent is passed over. The last is a URL that is always there.")
        ])

    private static let page = Construct(
        "a page of several", "A page that takes the place of those after it.",
        keys: [
            .init("url", .text(.urlTemplate), required: true, "The page; an optional field may stand here alone."),
            .init(
                "only-in",
                .word([.init("embedded-web-view", "A web view of the application's own, as the presenter says it is.")]),
                default: "any presenter",
                "Where the page can be opened; elsewhere it is passed over with a warning, which each authenticator gives once."),
            .init(
                "query", .named(.configurationKey, key: "the name", .text(.textTemplate)), default: "the step's",
                "What is put into this page's query instead; a presenter cannot move the redirect of such a page."),
            .init(
                "without",
                .list(of: .word([.init("code_verifier", "The proof key, so that neither challenge nor verifier is sent.")])),
                beside: ["only-in"],
                "Generated values that the page's server has no use for; what refers to them is left out, here and in later steps."),
        ])

    private static let finish = Construct(
        "the end of a present step", "The URL that ends the flow.", alternatives: ["at", "redirect"],
        keys: [
            .init("at", .text(.urlTemplate), "The URL; its scheme, host, port and path always have to agree."),
            .init(
                "match",
                .word([
                    .init("exact", "The query has the same names and values."),
                    .init("path", "The query does not matter."),
                    .init("path-and-query-names", "Each query name is there, with any value."),
                ]), default: "exact", beside: ["at"], "How the query is compared."),
            .init(
                "redirect", .text(.urlTemplate),
                "A `url` field that the page's query names; a presenter that listens itself may put its own address there."),
            .init(
                "verify", .named(.configurationKey, key: "the name in the query", .text(.textTemplate)), beside: ["redirect"],
                "What has to come back, before anything else of the redirect is believed; what is absent is not compared."),
            .init(
                "capture", .named(.memberName, key: "the slot's name", .text(.configurationKey)), beside: ["redirect"],
                "What is taken out of the query: `code: code` makes `{captured.code}`."),
        ])

    private static let request = Construct(
        "a request step", "Sends a form to a token endpoint and decodes the token.",
        keys: [
            .init("post", .text(.urlTemplate), required: true, "The token endpoint, with values of parameters alone."),
            .init("client", .construct(client), default: "the grant's", "How the client authenticates."),
            .init(
                "form", .named(.configurationKey, key: "the name", .text(.textTemplate)), required: true,
                "What is sent; what is absent is left out."),
            .init("prepare", .text(.fieldReference), "A `request-handler` field with the application's last word on the request."),
            .init(
                "decode", .word([.init("oauth2-token", "A token response of RFC 6749.")]), required: true,
                "What the response is."),
            .init("allow-http", .text(.boolean), default: "false", "Allows the URL to be `http:` beyond loopback."),
        ])

    /// How a client identifies and authenticates itself: for a grant, or for one request.
    static let client = Construct(
        "a client", "How the client authenticates (RFC 6749, section 2.3).",
        keys: [
            .init("id", .text(.textTemplate), required: true, "The `client_id`."),
            .init("secret", .text(.textTemplate), "The secret; if it is absent, the client only says its name."),
            .init(
                "authentication",
                .word([
                    .init("basic", "HTTP Basic of name and secret, each encoded as in a form first, as the RFC has it."),
                    .init("raw-basic", "HTTP Basic of both as they are."),
                    .init("body", "`client_id` and `client_secret` in the form."),
                ]), default: "basic", "How the secret is shown."),
        ])

    private static let failures = Construct(
        "failures of a step", "The errors for what can go wrong.",
        keys: [
            .init("dismissed", .text(.caseReference), "`present`: the page was closed."),
            .init("load", .text(.caseReference), "`present`: the page could not be loaded; the case carries one `error`."),
            .init(
                "refused", .text(.caseReference), default: "the case of `load`, with texts that say so",
                "`present`: the page was shown and refused what was entered; the case can carry `error`."),
            .init("reloaded", .text(.caseReference), "`present`: the page was loaded anew."),
            .init("background", .text(.caseReference), "`present`: the application is in the background."),
            .init(
                "server", .text(.caseReference),
                "Both: the server says that it refused; the case carries a `server-error`."),
            .init(
                "missing", .text(.caseReference),
                "`present`: the redirect has nothing to go on with. `ask`: the application has no credential."),
            .init("cancelled", .text(.caseReference), "`ask`: the user gave up."),
            .init(
                "unusable", .text(.caseReference),
                "`ask`: what the application gave cannot be used; the case can carry `detail: string`."),
            .init(
                "status", .text(.caseReference),
                "`request`: another status than 200, without an explanation; the case can carry `error`, `status`, `response-text`."
            ),
            .init("network", .text(.caseReference), "`request`: no connection; the case can carry the same."),
            .init("no-response", .text(.caseReference), "`request`: the connection brought no response."),
            .init(
                "decode", .text(.caseReference),
                "`request`: no token in the response; the case can carry `string`, `response`, `response-data`."),
        ])

    /// Whether a word is one of `fails`, whatever the step.
    static func isFailure(_ word: String) -> Bool { failures.key(word) != nil }
}
