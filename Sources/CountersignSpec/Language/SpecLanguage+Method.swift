extension SpecLanguage {
    /// Every file but `landscape.yaml`.
    package static let method = Construct(
        "a method", "A method of authentication.",
        keys: [
            versionKey,
            .init("method", .text(.typeName), required: true, "The name, which begins those of the generated types."),
            .init("title", .text(.prose), default: "the name", "What people call it, such as `OAuth 2.0`."),
            summaryKey, discussionKey,
            .init(
                "parameters", .named(.typeName, key: "the struct's name", .construct(parameters)),
                "What the method needs to know: one struct, or one for each grant; none where the application gives the credential."
            ),
            .init(
                "labels", .list(of: .text(.memberName)), default: defaultLabel,
                "The labels of initialisers that take the parameters; the first is the usual one. `grants` have their own."),
            .init(
                "completion",
                .word([
                    .init("required", "The caller handles the end of an authentication that is started by hand."),
                    .init("logged", "A caller that hands over nothing has errors logged."),
                ]), default: "required", "Whether an authentication that is started by hand needs a completion handler."),
            .init(
                "factor",
                .word([
                    .init("first", "It stands by itself."),
                    .init("second", "It comes behind another method, whose challenges are answered first."),
                ]), default: "first", "Whether the method needs another before it."),
            challengeKey, credentialKey, attachKey, flowKey, grantsKey,
            .init(
                "errors", .named(.typeName, key: "the error type's name", .construct(errors)), required: true,
                "What the method can end in: one error type; where the application gives the credential, any number."),
            mockKey,
        ])

    /// The label of parameters where a spec names none.
    package static let defaultLabel = "authenticationParameters"

    static let challengeKey = Construct.Key(
        "challenge", .list(of: .construct(challenge)), required: true, "What a challenge looks like; any of these is one.")
    static let credentialKey = Construct.Key(
        "credential",
        .word([
            .init("session-cookies", "Cookies in the session's jar."),
            .init("oauth2-token", "A token of OAuth 2.0, which the method's `grants` get."),
            .init("basic", "A user name and password of the application's, by HTTP Basic (RFC 7617)."),
            .init("api-key", "A key of the application's, in the field of `attach`."),
            .init("client-certificate", "A certificate of the application's, with which TLS connections are made."),
        ]), required: true,
        "How success shows on later requests.")
    static let attachKey = Construct.Key(
        "attach", .construct(attach), "How an `api-key` gets into requests.")
    static let flowKey = Construct.Key("flow", .construct(flow), required: true, "What answers a challenge.")
    static let grantsKey = Construct.Key(
        "grants", .named(.label, key: "the grant's name", .construct(grant)), "The ways to a token.")
    static let mockKey = Construct.Key("mock", .construct(mock), "How the mock landscape plays the server.")

    private static let attach = Construct(
        "an attachment", "How a credential gets into requests.",
        keys: [.init("header", .text(.token), required: true, "The header field that holds it, and nothing else.")])

    static let parameters = parameterStruct(
        "parameters", "What the method needs to know.",
        further: [
            .init("from", .construct(from), "Further initialisers."),
            .init(
                "initialisers", .list(of: .construct(initialiser)), default: "one with all fields",
                "The initialisers, if there are several."),
        ])

    private static let initialiser = Construct(
        "an initialiser", "An initialiser with some of the fields. An optional one that it names has to be given.",
        keys: [
            .init("fields", .list(of: .text(.fieldReference)), required: true, "The fields, in the order of the initialiser."),
            .init(
                "throws", .text(.caseReference), "The error for a text that is empty; its case carries `detail: string`."),
        ])

    static let from = Construct(
        "further initialisers", "Other values that the struct is made from.",
        keys: [
            .init(
                "settings", .named(.fieldReference, key: "a field", .text(.textTemplate)),
                "How the fields follow from the landscape's settings, with references like `{settings.name}`."),
            .init(
                "beside", .list(of: .text(.fieldReference)), beside: ["settings"],
                "Fields that do not follow from the settings; the initialiser asks for them."),
        ])

    private static let challenge = Construct(
        "a challenge", "One look of a challenge: all that it names has to agree.",
        keys: [
            .init("name", .text(.label), required: true, "What it is called in logs and documentation."),
            .init("status", .oneOrList(of: .text(.status)), default: "any", "The statuses that it comes with."),
            .init(
                "headers",
                .named(.headerTemplate, key: "the header field", .shorthand(.text(.textTemplate), or: match)),
                "The header fields that it has; a text stands for `equals`."),
            // Servers may offer schemes in any answer, also in one that gives what was asked for (RFC 9110, section 11.6.1).
            .init(
                "www-authenticate", .shorthand(.text(.token), or: scheme), beside: ["status"],
                "The authentication scheme that the server offers; a text stands for `scheme`."),
            .init(
                "proxy-authenticate", .shorthand(.text(.token), or: scheme), beside: ["status"],
                "The authentication scheme that a proxy offers; a text stands for `scheme`."),
            .init(
                "body", .text(.prose), beside: ["status"],
                "A text that is in the first 4 KiB of the body; for servers that mark a challenge in no better way."),
            .init(
                "tls",
                .word([
                    .init(
                        "client-certificate",
                        "The server ends the handshake because a client certificate is missing, or is not good enough.")
                ]), "No response at all: a connection that the server refuses."),
            .init(
                "overlaps", .list(of: .text(.typeName)),
                "Methods with a challenge that a response can be as well: the observer that is registered first answers it."),
            .init(
                "refused", .text(.caseReference), default: "the `fail` of `after-resend`",
                "The error of a credential of the application's that is refused in this way."),
        ])

    private static let scheme = Construct(
        "an authentication scheme", "A way to authenticate that the response offers, among whatever others.",
        keys: [
            .init("scheme", .text(.token), required: true, "The scheme's name, compared without case."),
            .init(
                "parameters", .named(.token, key: "the parameter's name", .shorthand(.text(.textTemplate), or: match)),
                "The parameters that come with it, without their quotes; a text stands for `equals`."),
        ])

    private static let match = Construct(
        "a match", "What the value of a header field or parameter has to be.",
        alternatives: ["equals", "prefix", "contains", "present"],
        keys: [
            .init("equals", .text(.textTemplate), "The value is this."),
            .init("prefix", .text(.textTemplate), "The value begins with this; `Location` is made absolute before."),
            .init("contains", .text(.textTemplate), "The value has this in it."),
            .init("present", .word([.init("true", "It is there.")]), "It is there, with any value."),
        ])

    private static let flow = Construct(
        "a flow", "What answers a challenge.",
        keys: [
            .init("busy", .text(.caseReference), "The error of a direct authentication while another runs."),
            .init(
                "invalid-argument", .text(.caseReference),
                "The error of an argument that cannot be used; its case carries `detail: string`."),
            .init("authenticate", .list(of: .construct(step)), "The steps that answer a challenge; `grants` have their own."),
            .init("after-resend", .list(of: .construct(step)), "The steps for the same challenge again, on the resent request."),
        ])

    private static let grant = Construct(
        "a grant", "A way to a token.",
        keys: [
            .init("parameters", .text(.typeName), required: true, "The struct that it is run with."),
            .init(
                "labels", .list(of: .text(.memberName)), default: "the struct's name without the method's",
                "The labels of initialisers that take the struct; the first is the usual one."),
            .init("client", .construct(client), "How the client says and proves who it is, in requests that say nothing else."),
            .init("authenticate", .list(of: .construct(step)), required: true, "The steps to a token."),
            .init(
                "refresh", .list(of: .construct(step)), "The steps to a new token with `{token.refresh_token}` of another."),
            .init(
                "then", .text(.label),
                "Another grant, which takes over after the first token: this one is run once, with what is good for one use."),
            .init(
                "within", .text(.duration), default: "no limit", beside: ["then"],
                "How long after its authenticator is made this grant can be run; later it is `invalid-argument`."),
        ])

    private static let step = Construct(
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
            .init("url", .shorthand(.text(.urlTemplate), or: pages), required: true, "The page, or several to choose from."),
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
        keys: [
            .init(
                "scheme-ending", .text(.schemeEnding), required: true,
                "The end of the scheme, such as `.xcallbackurl`; what stands before it is the application's own."),
            .init("host", .text(.token), required: true, "The host."),
            .init("path", .text(.path), required: true, "The path."),
            .init(
                "application", .text(.token), required: true,
                "The identifier of the application that it has to come from, until the authenticator is told another."),
            .init(
                "source", .text(.configurationKey),
                "The name in the query under which that application says who it is, where the system does not."),
            .init(
                "query", .named(.configurationKey, key: "the name in the callback", .text(.configurationKey)), required: true,
                "What goes over into the page's query: `passcode_paramvalue: passcode` sends it on as `passcode`."),
        ])

    private static let pages = Construct(
        "pages to choose from", "Several pages, the first of which that can be opened is.",
        keys: [
            .init(
                "first-of", .list(of: .shorthand(.text(.urlTemplate), or: page)), required: true,
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
            .init("post", .text(.urlTemplate), required: true, "The token endpoint."),
            .init("client", .construct(client), default: "the grant's", "How the client says and proves who it is."),
            .init(
                "form", .named(.configurationKey, key: "the name", .text(.textTemplate)), required: true,
                "What is sent; what is absent is left out."),
            .init("prepare", .text(.fieldReference), "A `request-handler` field with the application's last word on the request."),
            .init(
                "decode", .word([.init("oauth2-token", "A token response of RFC 6749.")]), required: true,
                "What the response is."),
            .init("allow-http", .text(.boolean), default: "false", "Allows the URL to be `http:` beyond loopback."),
        ])

    private static let client = Construct(
        "a client", "How the client says and proves who it is (RFC 6749, section 2.3).",
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
            .init("reloaded", .text(.caseReference), "`present`: the page was loaded anew."),
            .init("background", .text(.caseReference), "`present`: the application is in the background."),
            .init(
                "server", .text(.caseReference),
                "Both: the server says that it refused; the case carries a `server-error`."),
            .init(
                "missing", .text(.caseReference),
                "`present`: the redirect has nothing to go on with. `ask`: the application has no credential."),
            .init("cancelled", .text(.caseReference), "`ask`: the person gave up."),
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

    static let errors = Construct(
        "an error type", "What the method can end in.",
        keys: [
            summaryKey, discussionKey,
            .init(
                "cases", .named(.memberName, key: "the case's name", .construct(errorCase)), required: true, "The cases."),
        ])

    private static let errorCase = Construct(
        "an error case", "One way to end.",
        keys: [
            .init("summary", .text(.prose), required: true, "What happened; the error's description."),
            discussionKey,
            .init("reason", .text(.prose), "Why."),
            .init("recovery", .text(.prose), "What to do about it."),
            .init("since", .text(.prose), "The version of the product that brought it."),
            .init(
                "carries",
                .named(
                    .memberName, key: "the value's label",
                    .word([
                        .init("error", "Another error."), .init("string", "A text."), .init("integer", "A whole number."),
                        .init("server-error", "What an authorization server said."),
                        .init("status", "The status of a response, if there was one."),
                        .init("status-code", "The status of the response that the error is about."),
                        .init("response-text", "What may be shown of a response's body, if there was one."),
                        .init("response", "A response, without what must not be shown."),
                        .init("response-data", "What may be shown of a response's body, as bytes."),
                    ])), "Associated values."),
        ])

    private static let mock = Construct(
        "a mock", "How the mock landscape plays the server.",
        keys: [
            .init("session-cookie", .text(.token), default: "session", "The name of the session cookie."),
            .init(
                "login-redirect",
                .word([
                    .init("javascript", "A page with a form that sends itself."), .init("redirect", "A redirect."),
                ]), default: "javascript", "How a browser without a session is sent to the identity provider."),
            .init(
                "page",
                .word([
                    .init("login", "A login with user name and password at an identity provider."),
                    .init("passcode", "A form for a one-time passcode, behind the method that the user has logged in by."),
                ]), default: "login", "What the page of the flow asks for."),
            .init("user-field", .text(.prose), default: "j_username", "The name of the login form's field for the user."),
            .init(
                "password-field", .text(.prose), default: "j_password",
                "The name of the form's field for the password, or for the passcode."),
        ])
}
