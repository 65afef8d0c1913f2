extension SpecLanguage {
    /// Every other file.
    package static let method = Construct(
        "a method", "A method of authentication: the life of its credential, from the challenge to the end.",
        keys: [versionKey, methodKey, titleKey] + methodKeys)

    static let methodKeys: [Construct.Key] = [
        summaryKey, discussionKey,
        .init(
            "factor",
            .word([
                .init("first", "It stands by itself."),
                .init("second", "It comes behind another method, whose challenges are answered first."),
            ]), default: "first", "Whether the method needs another before it."),
        .init(
            "parameters", .named(.memberName, key: "the parameter's name", .construct(parameter)),
            "What the method needs to know, in the order of the initialiser."),
        .init(
            "announce", .named(.fieldName, key: "the header field", .text(.textTemplate)),
            "Header fields by which each request to the servers under `for` says what the client can do, whether or not there is a credential. Each is a list to which the request's own members come first (RFC 9110, section 5.3); an `Accept` that the request lacks takes anything else, too. No secrets. What is absent is left out."
        ),
        .init(
            "challenge", .list(of: .construct(challenge)), required: true,
            unless: [.init(["credential", "eager"], is: "true"), .init(["credential", "for"], is: "application")],
            "What a challenge looks like, and what it says; the first that fits is taken."),
        .init(
            "credential", .construct(credential), required: true,
            "What the credential consists of, what it is kept apart by, and where it may go."),
        .init(
            "client", .construct(tokenClient), "The client in requests with `oauth2-token` that name none."),
        .init(
            "documents", .named(.memberName, key: "the document's name", .construct(document)),
            "What servers publish, such as the metadata of an authorization server. The steps of each part name a value as `{document.value}`; it is fetched before them, and kept for all that come later."
        ),
        .init("acquire", .list(of: .construct(step)), "The steps to a credential."),
        .init(
            "renew", .list(of: .construct(step)), default: "only `acquire` leads to a credential",
            "The steps from one credential to the next. They run without the user and have no challenge; what they do not fill stays as it was, but for the lifetime. "
                + "They run before the credential runs out, and where `rejected` says so, if every field is there that they name without a mark."
        ),
        .init(
            "attach", .list(of: .construct(placement)),
            "Where the credential is in a request. Cookies go by themselves; anything else is named here."),
        .init(
            "rejected", .list(of: .construct(rejection)),
            "What follows a challenge to a request that had the credential; the first that fits is taken."),
        .init(
            "end", .list(of: .construct(step)), default: "no request",
            "The steps that tell servers, after a logout, that the credential is no longer used. They ask nothing."),
        .init(
            "variants", .named(.label, key: "the variant's name", .construct(variant)),
            "Alternative ways to the credential, each with what the method has beside them."),
        failuresKey, errorsKey, mockKey,
        .init("swift", .construct(methodSurface), "What is generated in Swift."),
    ]

    static let methodKey = Construct.Key(
        "method", .text(.typeName), required: true, "The name, which begins those of the generated types.")

    private static let titleKey = Construct.Key(
        "title", .text(.prose), default: "the name", "What people call it, such as `OAuth 2.0`.")

    /// The label of parameters where a spec names none.
    package static let defaultLabel = "authenticationParameters"

    private static let variant = Construct(
        "a variant", "A way to the credential of a method that has several, such as a grant of OAuth 2.0.",
        keys: [
            .init("summary", .text(.prose), default: "one that names the method", "One sentence on its parameters."), discussionKey,
            .init(
                "parameters", .named(.memberName, key: "the parameter's name", .construct(parameter)),
                "What it needs to know beside the method's own parameters."),
            .init("client", .construct(tokenClient), "The client in requests with `oauth2-token` that name none."),
            .init("acquire", .list(of: .construct(step)), required: true, "The steps to a credential."),
            .init("renew", .list(of: .construct(step)), "The steps from one credential to the next."),
            .init(
                "then", .text(.label),
                "Another variant, which takes over after the first credential: this one is run once, with what is good for one use."
            ),
            .init(
                "within", .text(.duration), default: "no limit", beside: ["then"],
                "How long after its authenticator is made this variant can be run; later it is `invalid-argument`."),
            .init("swift", .construct(variantSurface), "What is generated in Swift."),
        ])

    private static let parameter = Construct(
        "a parameter", "A value that the application gives.",
        keys: givenValueKeys() + [
            .init(
                "from", .text(.textTemplate), "How it follows from the landscape's settings, such as `{settings.backendURL}/login`."
            )
        ])

    private static let mockKey = Construct.Key("mock", .construct(mock), "How the mock landscape plays the server.")

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
