extension SpecLanguage {
    /// A login page.
    static let loginPage = Construct(
        "a login page",
        "A page that a presenter shows until the browser reaches a URL, or a page that the user opens on any device, perhaps to enter a code.",
        alternatives: ["until", "ends-at", "code", "polled"],
        keys: [
            .init(
                "open", .text(.textTemplate), required: true,
                "The page: a whole reference to a URL, such as `{authorizationURL}`; a parameter of type `url` followed by a path; or a literal URL."
            ),
            .init(
                "query", .named(.configurationKey, key: "the name", .text(.textTemplate)), beside: ["until"],
                "Items that are added to the page's query; no secrets. Existing names are replaced, and absent values are omitted."
            ),
            .init(
                "form", .named(.formName, key: "the name, which can have `{references}` to parameters", .text(.textTemplate)),
                beside: ["until"],
                "Parameters that are not in the page's URL, such as a token of the page's server: `{ id_token_hint: \"{credential.idToken?}\" }`. If one is present, the browser requests the page with a `POST`, whose form has the query and these parameters. A presenter that can only open URLs opens the page with the query alone, so the server must accept both. Absent values are omitted. A secret that the application gives cannot be among them."
            ),
            .init(
                "pkce", .text(.textTemplate), beside: ["until"],
                "A whole reference to a `pkce` value of `generate`: its `code_challenge` (S256) is added to the query."),
            .init(
                "push", .construct(push), beside: ["until"],
                "A pushed authorization request (RFC 9126): the query is sent to the server before the page is opened, and the page contains only a reference to it."
            ),
            .init("until", .construct(pageEnd), "The redirect to the application that ends the page, as in OAuth 2.0."),
            .init(
                "answers", .list(of: .construct(pageAnswer)), default: "none; required with `until`", beside: ["until"],
                "The expected responses in the redirect's query. The first that matches is used; any other response is an error."),
            .init(
                "ends-at", .text(.textTemplate),
                "The URL that ends the page, of a login that sets cookies: a reference to a URL, with or without a path, or a literal URL. "
                    + "The browser and the servers perform the login until then, for example by SAML. The cookies are those of the credential."
            ),
            .init(
                "code", .text(.textTemplate),
                "The code that the user enters on the page, on any device (RFC 8628). Both are shown while the next step runs: a `repeat` with `every` that polls the server."
            ),
            .init(
                "polled", .word([.init("true", "The user opens the page, without a code.")]),
                "A page whose URL identifies the login, on any device. It is shown while the next step runs: a `repeat` with `every` that polls the server."
            ),
            .init(
                "complete", .text(.textTemplate), beside: ["code"],
                "A whole reference to the URL that includes the code, for a QR code."),
            .init(
                "lifetime", .text(.textTemplate), beside: ["code", "polled"],
                "The lifetime of the code or of the page, which is shown to the user: a whole reference to a `duration`, or a literal such as `10m`."
            ),
            .init(
                "match",
                .word([
                    .init("exact", "The query has the same names and values."),
                    .init("path", "The query is ignored."),
                    .init("path-and-query-names", "Each query name must be present, with any value."),
                ]), default: "exact", beside: ["ends-at"],
                "The comparison of the URL. Scheme, host, port and path must always be equal."),
            .init(
                "instead", .list(of: .construct(alternativePage)), beside: ["until"],
                "Pages that replace it if they can be opened, in order of preference."),
            .init(
                "callback", .construct(callback), beside: ["ends-at"],
                "The URL by which another application continues the waiting page, such as an x-callback-url."),
            .init(
                "explain", .named(.status, key: "the status", .text(.prose)), beside: ["until", "ends-at"],
                "The meaning of a status that the server may send in place of the page, with the remedy."),
        ])

    private static let push = Construct(
        "a push", "A pushed authorization request with the query of a page.",
        keys: [
            .init(
                "to", .text(.textTemplate), required: true,
                "The endpoint: a reference to a URL, with or without a path, or a literal URL. If it is absent, nothing is pushed."),
            .init(
                "client", .construct(SpecLanguage.requestClient), required: true, "The client, which the page also names."
            ),
            .init(
                "sign", .construct(SpecLanguage.pushSignature),
                "The proof of possession of the key to which the code is bound, like the token later (RFC 9449, section 10.1)."),
        ])

    private static let alternativePage = Construct(
        "a page instead of another", "A page that replaces another one if it can be opened.",
        keys: [
            .init("open", .text(.textTemplate), required: true, "The page. It is skipped if it is absent."),
            .init(
                "only-in",
                .word([.init("embedded-web-view", "An embedded web view of the application, as the presenter declares.")]),
                default: "any presenter",
                "The presenters that can open the page. With others it is skipped, and each authenticator logs one warning."),
            .init(
                "query", .named(.configurationKey, key: "the name", .text(.textTemplate)),
                default: "that of the page, with its `pkce`",
                "The query of this page, without `pkce`. Presenters cannot change the redirect URL of such a page."
            ),
        ])

    private static let callback = Construct(
        "a callback of a page", "The URL by which another application continues the waiting page, such as an x-callback-url.",
        keys: [
            .init(
                "scheme-ending", .text(.schemeEnding), required: true,
                "The ending of the scheme, such as `.xcallbackurl`. The application chooses the part before it."),
            .init("host", .text(.token), required: true, "The host."),
            .init("path", .text(.path), required: true, "The path."),
            .init(
                "application", .text(.token), required: true,
                "The identifier of the expected application, unless the authenticator sets another."),
            .init(
                "source", .text(.configurationKey),
                "The query item in which that application identifies itself, if the system does not identify it."),
            .init(
                "query", .named(.configurationKey, key: "the name in the callback", .text(.configurationKey)), required: true,
                "The query items that are copied to the page's query: `passcode_paramvalue: passcode` renames one to `passcode`."),
        ])

    private static let pageEnd = Construct(
        "the end of a page", "The redirect that ends a page, with its verification.",
        keys: [
            .init(
                "redirect", .text(.textTemplate), required: true,
                "The redirect URL: a whole reference to a parameter of type `url`. A presenter with a loopback listener may choose the port; later steps use the chosen URL."
            ),
            .init(
                "verify", .named(.configurationKey, key: "the name", .text(.textTemplate)), required: true,
                "The values that must come back in the query before anything else in it is trusted: a `random` value of the page's query, or of a URL in it such as `{redirectURL}?state={state}`, and other known values, such as the issuer (RFC 9207). Absent values are not checked."
            ),
            .init(
                "if-there", .named(.configurationKey, key: "the name", .text(.textTemplate)), default: "nothing",
                "The values that must be equal if they come back, such as an optional issuer."),
        ])

    private static let pageAnswer = Construct(
        "an answer of a page", "A pattern for the query of the redirect. All its conditions must hold.",
        keys: [
            nameKey, queryKey,
            .init(
                "capture", .named(.fieldReference, key: "the value's name", .construct(pageCapture)),
                "The values to capture: fields of the credential without `from`, and values for later steps."),
            errorKey,
        ])

    private static let queryKey = Construct.Key(
        "query", .named(.configurationKey, key: "the name", .shorthand(.text(.textTemplate), or: .construct(pattern))),
        required: true,
        "The required query items: `present` for any value except an empty one, `absent` for no item or an empty one, another text for the whole value."
    )

    static let errorKey = Construct.Key(
        "error", .word([.init("server", "The server refuses the login.")]),
        "The error that this response means. It captures no values.")

    private static let pageCapture = Construct(
        "a capture of a page", "A value of the redirect's query.",
        keys: [.init("query", .text(.configurationKey), required: true, "The name of the query item.")]
            + valueKeys(types: [.string, .secret]))
}
