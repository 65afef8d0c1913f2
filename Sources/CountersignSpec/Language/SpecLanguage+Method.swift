extension SpecLanguage {
    /// The file of a method, which is any other file.
    package static let method = Construct(
        "a method", "An authentication method: the lifecycle of its credential, from the challenge to the logout.",
        keys: [versionKey, methodKey, titleKey] + methodKeys)

    static let methodKeys: [Construct.Key] = [
        summaryKey, discussionKey,
        .init(
            "factor",
            .word([
                .init("first", "The method is independent."),
                .init("second", "The method follows another one, whose challenges are answered first."),
            ]), default: "first", "Whether the method follows another one. Only with the surface `foundation`."),
        .init(
            "parameters", .named(.memberName, key: "the parameter's name", .construct(parameter)),
            "The parameters of the method, in the order of the initialiser."),
        .init(
            "announce", .named(.fieldName, key: "the header field", .text(.textTemplate)),
            "Header fields of every request to the servers under `for`, with or without a credential, that announce the client's capabilities. Each is a list that follows the request's own members (RFC 9110, section 5.3); if the request has no `Accept`, `*/*` is added to it. No secrets. Absent values are omitted."
        ),
        .init(
            "challenge", .list(of: .construct(challenge)), required: true,
            unless: [.init(["credential", "eager"], is: "true"), .init(["credential", "for"], is: "application")],
            "The patterns of challenges, with the values to capture. The first that matches is used."),
        .init(
            "credential", .construct(credential), required: true,
            "The fields of the credential, the values that separate credentials, and the recipients."),
        .init(
            "client", .construct(tokenClient),
            "The client of requests with `oauth2-token` that have no client of their own. Only with the surface `foundation`."),
        .init(
            "documents", .named(.memberName, key: "the document's name", .construct(document)),
            "Documents that servers publish, such as the metadata of an authorization server. Steps refer to a value as `{document.value}`. A document is fetched before the steps and cached."
        ),
        .init(
            "acquire", .list(of: .construct(step)),
            "The steps that obtain a credential. They can read the fields of the previous credential, which a server has refused or which has expired, as `{before.field?}`."
        ),
        .init(
            "renew", .list(of: .construct(step)), default: "only `acquire` leads to a credential",
            "The steps that renew a credential. They run without the user and without a challenge. Fields that they do not set keep their values, except for the lifetime. "
                + "They run before the credential expires, and where `rejected` requires it, if all fields are present to which they refer without a mark. "
                + "If the credential consists of texts, secrets, URLs and durations that steps set, the generated observer can take one from elsewhere, such as the tokens of another library, with `adopt`."
        ),
        .init(
            "attach", .list(of: .construct(placement)),
            "The placement of the credential in requests. Cookies need no placement."),
        .init(
            "update", .named(.memberName, key: "the field of the credential", .construct(update)),
            default: "only the steps and `resend` change the credential",
            "Fields of the credential, without `from`, that any response to a request with it can replace, such as a token against cross-site requests that each response renews: `csrf: { header: X-Next-Token }`. "
                + "If several requests are under way, the last response counts. A challenge to a request with a former value is answered once by sending the request again with the current one, before `rejected` applies. "
                + "The replaced values are not stored."
        ),
        .init(
            "rejected", .list(of: .construct(rejection)),
            "The rules for a challenge to a request with the credential. The first that matches is used."),
        .init(
            "end", .list(of: .construct(step)), default: "no request",
            "The steps that notify servers after a logout. They have no prompts."),
        .init(
            "variants", .named(.label, key: "the variant's name", .construct(variant)),
            "Alternative ways to obtain a standard token (`token: oauth2`), in addition to the method's shared keys. Only with the surface `foundation`. Otherwise write a method for each way, or steps with `when`."
        ),
        failuresKey, errorsKey, mockKey,
        .init("swift", .construct(methodSurface), "Options of the generated Swift code. Only with the surface `foundation`."),
    ]

    static let methodKey = Construct.Key(
        "method", .text(.typeName), required: true, "The name of the method, and the prefix of its generated types.")

    private static let titleKey = Construct.Key(
        "title", .text(.prose), default: "the name", "The name in documentation, such as `OAuth 2.0`.")

    /// The default label of parameters.
    package static let defaultLabel = "authenticationParameters"

    private static let variant = Construct(
        "a variant", "One of several ways to obtain the credential of a method, such as an OAuth 2.0 grant.",
        keys: [
            .init("summary", .text(.prose), default: "a sentence with the method's name", "One sentence about its parameters."),
            discussionKey,
            .init(
                "parameters", .named(.memberName, key: "the parameter's name", .construct(parameter)),
                "The parameters of the variant, in addition to the method's."),
            .init(
                "client", .construct(tokenClient), "The client of requests with `oauth2-token` that have no client of their own."),
            .init("acquire", .list(of: .construct(step)), required: true, "The steps that obtain a credential."),
            .init("renew", .list(of: .construct(step)), "The steps that renew a credential."),
            .init(
                "end", .list(of: .construct(step)), default: "no request",
                "The steps that notify servers after a logout, for example to revoke the token (RFC 7009)."),
            .init(
                "then", .text(.label),
                "Another variant that is used after the first credential. This variant runs once, with single-use parameters."
            ),
            .init(
                "within", .text(.duration), default: "no limit", beside: ["then"],
                "The time after the creation of its authenticator in which this variant can run; later it fails with `invalid-argument`."
            ),
            .init("swift", .construct(variantSurface), "Options of the generated Swift code."),
        ])

    private static let update = Construct(
        "an update",
        "The value of a response that replaces a field of the credential. A longer one than 8 KiB is ignored. A server whose values are valid only once may refuse the second of two parallel requests, which both carry the old value, if it arrives before the response to the first; that costs one more login. If an observer that was registered earlier answers a challenge, the challenged response is not visible here, and its value is not taken.",
        alternatives: ["header", "cookie"],
        keys: [
            .init(
                "header", .oneOrList(of: .text(.token)),
                "The header field with the value. Of several, the first that the response has once, and not empty, is used."),
            .init("cookie", .text(.token), "The cookie with the value, set by the response."),
        ])

    private static let parameter = Construct(
        "a parameter", "A value of the application.",
        keys: givenValueKeys() + [
            .init(
                "from", .text(.textTemplate),
                "The value derived from the landscape's settings, such as `{settings.backendURL}/login`. Only with the surface `foundation`."
            ),
            .init(
                "identifies", .text(.boolean), default: "true",
                "Whether a stored credential is found only with the same value. `false` is for a value that changes how a credential is obtained, and not which one it is, such as a redirect URL or the languages of a page: a login is kept when an update of the application changes it. Secrets, lists of texts and functions never identify a credential."
            ),
        ])

    private static let mockKey = Construct.Key(
        "mock", .construct(mock), "The behaviour of the server in the mock landscape. Only with the surface `foundation`.")

    private static let mock = Construct(
        "a mock", "The behaviour of the server in the mock landscape.",
        keys: [
            .init("session-cookie", .text(.token), default: "session", "The name of the session cookie."),
            .init(
                "login-redirect",
                .word([
                    .init("javascript", "A page with a form that submits itself."), .init("redirect", "A redirect."),
                ]), default: "javascript", "The redirect of a browser without a session to the identity provider."),
            .init(
                "page",
                .word([
                    .init("login", "A login with user name and password at an identity provider."),
                    .init("passcode", "A form for a one-time passcode, after the login with another method."),
                ]), default: "login", "The input that the page of the flow asks for."),
            .init("user-field", .text(.prose), default: "j_username", "The name of the login form's user field."),
            .init(
                "password-field", .text(.prose), default: "j_password",
                "The name of the form's password or passcode field."),
        ])
}
