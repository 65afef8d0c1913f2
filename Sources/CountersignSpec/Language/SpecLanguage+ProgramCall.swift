extension SpecLanguage {
    /// A request of a method's own.
    static let programCall = Construct(
        "a request", "A request of the method's own. It follows no redirect, and observers of the session attach nothing to it.",
        in: .two,
        keys: [
            .init(
                "send", .text(.requestLine), required: true,
                "The method and the URL: a whole reference to a URL, such as `GET {challenge.realm}`; a parameter of type `url` with a path behind it, such as `POST {server}/login`; or a URL as it is."
            ),
            .init(
                "query", .named(.configurationKey, key: "the name", .text(.textTemplate)),
                "What is added to the URL's query; no secrets. What is absent is left out."),
            .init(
                "headers", .named(.fieldName, key: "the header field", .text(.textTemplate)),
                "Header fields. What is absent is left out."),
            .init(
                "form", .named(.formName, key: "the name, which can have `{references}` to parameters", .text(.textTemplate)),
                "The form that is the body of a `POST` or `PUT`. What is absent is left out."),
            .init(
                "json", .json,
                "The JSON that is the body of a `POST` or `PUT`. Texts can have references, and what is absent is left out with its name; numbers, `true`, `false` and `null` without quotes are those of JSON."
            ),
            .init(
                "prepare", .text(.textTemplate), beside: ["answers"],
                "A whole reference to a parameter of type `request-handler`, with the application's last word on a request with `oauth2-token`."
            ),
            .init(
                "client", .construct(programClient), beside: ["form"],
                "The client that asks an authorization server (RFC 6749, section 2.3). Without a secret the client says its name in the form, as `client_id`."
            ),
            .init("sign", .construct(signature), "A signature by a standard; where a part of it is absent, there is none."),
            .init(
                "answers",
                .shorthand(
                    .word([
                        .init(
                            "oauth2-token",
                            "What a token endpoint answers (RFC 6749, sections 5.1 and 5.2): a token, which is the credential, or an error."
                        )
                    ]), or: .list(of: .construct(answer))), required: true,
                "What is expected in return; the first that fits is taken, and any other response is an error."),
        ])

    private static let programClient = Construct(
        "a client", "A client of an authorization server.", in: .two, keys: clientKeys(secret: true))

    /// The client of a method whose credential is a token.
    static let tokenClient = Construct(
        "a client of a method", "The client that a method is for its authorization server.", in: .two,
        keys: clientKeys(secret: false))

    private static func clientKeys(secret isRequired: Bool) -> [Construct.Key] {
        [
            .init("id", .text(.textTemplate), required: true, "The `client_id`."),
            .init(
                "secret", .text(.textTemplate), required: isRequired,
                isRequired
                    ? "The secret; one that may be absent is that of a public client."
                    : "The secret; one that may be absent, or is not here, is that of a public client."),
            .init(
                "authentication", .text(.textTemplate), default: "client_secret_basic",
                "How the secret is shown: `client_secret_basic`, by HTTP Basic, name and secret encoded as in a form; `client_secret_post`, in the form; "
                    + "or `raw_basic`, by HTTP Basic as they are, which many servers take. It can be a reference."
            ),
        ]
    }

    /// A login page.
    static let programPage = Construct(
        "a login page", "A page that a presenter shows until the browser comes to an address.", in: .two,
        alternatives: ["until", "ends-at"],
        keys: [
            .init(
                "open", .text(.textTemplate), required: true,
                "The page: a whole reference to a URL, such as `{authorizationURL}`; a parameter of type `url` with a path behind it; or a URL as it is."
            ),
            .init(
                "query", .named(.configurationKey, key: "the name", .text(.textTemplate)), beside: ["until"],
                "What is put into the page's query; no secrets. A name that is there already is replaced, and what is absent is left out."
            ),
            .init(
                "pkce", .text(.textTemplate), beside: ["until"],
                "A whole reference to a value that `generate` has made as `pkce`: the query gets its `code_challenge`, by S256."),
            .init("until", .construct(pageEnd), "The redirect to the application that ends the page, as OAuth 2.0 has it."),
            .init(
                "answers", .list(of: .construct(pageAnswer)), default: "none; beside `until` it is required", beside: ["until"],
                "What is expected in the query that comes back; the first that fits is taken, and any other answer is an error."),
            .init(
                "ends-at", .text(.textTemplate),
                "The address that ends the page, of a login that leaves cookies: a reference to a URL, with a path or not, or a URL as it is. "
                    + "How the login goes on until then, such as by SAML, is for the browser and the servers. The cookies are those of the credential."
            ),
            .init(
                "match",
                .word([
                    .init("exact", "The query has the same names and values."),
                    .init("path", "The query does not matter."),
                    .init("path-and-query-names", "Each query name is there, with any value."),
                ]), default: "exact", beside: ["ends-at"],
                "How the address is compared, of which scheme, host, port and path always have to agree."),
            .init(
                "instead", .list(of: .construct(alternativePage)), beside: ["until"],
                "Pages that take its place where they can be opened; the first that can be is."),
            .init(
                "callback", .construct(programCallback), beside: ["ends-at"],
                "The URL by which another application moves the waiting page on, such as an x-callback-url."),
            .init(
                "explain", .named(.status, key: "the status", .text(.prose)),
                "What it means if the server answers with such a status instead of the page, and what to do then."),
        ])

    private static let alternativePage = Construct(
        "a page instead of another", "A page that takes the place of another where it can be opened.", in: .two,
        keys: [
            .init("open", .text(.textTemplate), required: true, "The page; one that may be absent is passed over where it is."),
            .init(
                "only-in",
                .word([.init("embedded-web-view", "A web view of the application's own, as the presenter says it is.")]),
                default: "any presenter",
                "Where the page can be opened; elsewhere it is passed over with a warning, which each authenticator gives once."),
            .init(
                "query", .named(.configurationKey, key: "the name", .text(.textTemplate)),
                default: "that of the page, with its `pkce`",
                "What is put into this page's query, which goes without `pkce`; a presenter cannot move the redirect of such a page."
            ),
        ])

    private static let programCallback = Construct(
        "a callback of a page", "The URL by which another application moves the waiting page on.", in: .two, keys: callbackKeys)

    private static let pageEnd = Construct(
        "the end of a page", "By what an answer is known to be that to this login.", in: .two,
        keys: [
            .init(
                "redirect", .text(.textTemplate), required: true,
                "Where the browser is sent back to: a whole reference to a parameter of type `url`. A presenter that listens itself may choose the port on this machine; later steps have the URL that it has chosen."
            ),
            .init(
                "verify", .named(.configurationKey, key: "the name", .text(.textTemplate)), required: true,
                "What has to come back in the query, before anything else of it is believed: a `random` value of the page's own query, and what else is known, such as the issuer (RFC 9207). What is absent wants nothing."
            ),
        ])

    private static let pageAnswer = Construct(
        "an answer of a page", "One look of the query that comes back: all that it names has to agree.", in: .two,
        keys: [
            queryKey,
            .init(
                "capture", .named(.fieldReference, key: "the value's name", .construct(pageCapture)),
                "What it fills: fields of the credential without `from`, and values for the steps after it."),
            errorKey,
        ])

    private static let queryKey = Construct.Key(
        "query", .named(.configurationKey, key: "the name", .shorthand(.text(.textTemplate), or: .construct(pattern))),
        required: true,
        "Values of the query: `present` for any, another text for the whole value.")

    private static let errorKey = Construct.Key(
        "error", .word([.init("server", "The server refuses the login.")]),
        "What went wrong, if this is the answer; it captures nothing then.")

    private static let pageCapture = Construct(
        "a capture of a page", "A value of the query that comes back.", in: .two,
        keys: [.init("query", .text(.configurationKey), required: true, "The name that has the value.")]
            + valueKeys(types: [.string, .secret]))

    private static let answer = Construct(
        "an answer", "One look of the response to a request: all that it names has to agree.", in: .two,
        keys: responseKeys + [
            .init(
                "capture", .named(.fieldReference, key: "the value's name", .construct(answerCapture)),
                "What it fills: fields of the credential without `from`, and values for the steps after it."),
            errorKey,
        ])

    private static let answerCapture = Construct(
        "a capture of an answer", "A value of the response.", in: .two, alternatives: captureSources,
        keys: captureKeys(types: [.string, .secret, .url, .duration, .date]))

    static let callbackKeys: [Construct.Key] = [
        .init(
            "scheme-ending", .text(.schemeEnding), required: true,
            "The end of the scheme, such as `.xcallbackurl`; what stands before it is the application's own."),
        .init("host", .text(.token), required: true, "The host."),
        .init("path", .text(.path), required: true, "The path."),
        .init(
            "application", .text(.token), required: true,
            "The identifier of the application that it has to come from, unless the authenticator names another."),
        .init(
            "source", .text(.configurationKey),
            "The name in the query under which that application says who it is, where the system does not."),
        .init(
            "query", .named(.configurationKey, key: "the name in the callback", .text(.configurationKey)), required: true,
            "What goes over into the page's query: `passcode_paramvalue: passcode` sends it on as `passcode`."),
    ]
}
