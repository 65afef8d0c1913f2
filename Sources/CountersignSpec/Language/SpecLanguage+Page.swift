extension SpecLanguage {
    /// A login page.
    static let loginPage = Construct(
        "a login page",
        "A page that a presenter shows until the browser comes to an address, or one that the user opens on any device, to type a code there.",
        alternatives: ["until", "ends-at", "code"],
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
            .init(
                "push", .construct(push), beside: ["until"],
                "Where the server gets the page's query before the page is opened (RFC 9126): the page then names it by a reference, so that no browser sees or changes it."
            ),
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
                "code", .text(.textTemplate),
                "The code that the user types on the page, on any device (RFC 8628). Both are shown while the next step runs, a `repeat` with `every` that asks the server whether that has happened."
            ),
            .init(
                "complete", .text(.textTemplate), beside: ["code"],
                "A whole reference to the URL of the page with the code in it, for a QR code."),
            .init(
                "lifetime", .text(.textTemplate), beside: ["code"],
                "How long the code is good for, which the user is told: a whole reference to a `duration`, or one such as `10m`."),
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
                "callback", .construct(callback), beside: ["ends-at"],
                "The URL by which another application moves the waiting page on, such as an x-callback-url."),
            .init(
                "explain", .named(.status, key: "the status", .text(.prose)), beside: ["until", "ends-at"],
                "What it means if the server answers with such a status instead of the page, and what to do then."),
        ])

    private static let push = Construct(
        "a push", "A request with the query of a page, which the page's server gives a reference for.",
        keys: [
            .init(
                "to", .text(.textTemplate), required: true,
                "The endpoint: a reference to a URL, with a path or not, or a URL as it is. Where it is absent, nothing is pushed."),
            .init(
                "client", .construct(SpecLanguage.requestClient), required: true, "The client that asks, which the page names, too."
            ),
        ])

    private static let alternativePage = Construct(
        "a page instead of another", "A page that takes the place of another where it can be opened.",
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

    private static let callback = Construct(
        "a callback of a page", "The URL by which another application moves the waiting page on, such as an x-callback-url.",
        keys: [
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
        ])

    private static let pageEnd = Construct(
        "the end of a page", "By what an answer is known to be that to this login.",
        keys: [
            .init(
                "redirect", .text(.textTemplate), required: true,
                "Where the browser is sent back to: a whole reference to a parameter of type `url`. A presenter that listens itself may choose the port on this machine; later steps have the URL that it has chosen."
            ),
            .init(
                "verify", .named(.configurationKey, key: "the name", .text(.textTemplate)), required: true,
                "What has to come back in the query, before anything else of it is believed: a `random` value of the page's own query, and what else is known, such as the issuer (RFC 9207). What is absent wants nothing."
            ),
            .init(
                "if-there", .named(.configurationKey, key: "the name", .text(.textTemplate)), default: "nothing",
                "What has to be so where it comes back at all, such as an issuer that the server need not name."),
        ])

    private static let pageAnswer = Construct(
        "an answer of a page", "One look of the query that comes back: all that it names has to agree.",
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

    static let errorKey = Construct.Key(
        "error", .word([.init("server", "The server refuses the login.")]),
        "What went wrong, if this is the answer; it captures nothing then.")

    private static let pageCapture = Construct(
        "a capture of a page", "A value of the query that comes back.",
        keys: [.init("query", .text(.configurationKey), required: true, "The name that has the value.")]
            + valueKeys(types: [.string, .secret]))
}
