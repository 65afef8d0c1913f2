extension SpecLanguage {
    /// Every file but `landscape.yaml`.
    package static let method = Construct(
        "a method", "A method of authentication.",
        keys: [
            Version.one.key,
            methodKey, titleKey,
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

    static let methodKey = Construct.Key(
        "method", .text(.typeName), required: true, "The name, which begins those of the generated types.")
    static let titleKey = Construct.Key(
        "title", .text(.prose), default: "the name", "What people call it, such as `OAuth 2.0`.")

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

    static let challengeNameKey = Construct.Key(
        "name", .text(.label), required: true, "What it is called in logs and documentation.")
    static let statusKey = Construct.Key(
        "status", .oneOrList(of: .text(.status)), default: "any", "The statuses that it comes with.")

    private static let challenge = Construct(
        "a challenge", "One look of a challenge: all that it names has to agree.",
        keys: [
            challengeNameKey, statusKey,
            .init(
                "headers",
                .named(.headerTemplate, key: "the header field", .shorthand(.text(.textTemplate), or: .construct(match))),
                "The header fields that it has; a text stands for `equals`."),
            // Servers may offer schemes in any answer, also in one that gives what was asked for (RFC 9110, section 11.6.1).
            wwwAuthenticateKey(scheme),
            .init(
                "proxy-authenticate", .shorthand(.text(.token), or: .construct(scheme)), beside: ["status"],
                "The authentication scheme that a proxy offers; a text stands for `scheme`."),
            .init(
                "body", .text(.prose), beside: ["status"],
                "A text that is in the first 64 KiB of the body; for servers that mark a challenge in no better way."),
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

    static func wwwAuthenticateKey(_ scheme: Construct) -> Construct.Key {
        .init(
            "www-authenticate", .shorthand(.text(.token), or: .construct(scheme)), beside: ["status"],
            "The authentication scheme that the server offers; a text stands for `scheme`.")
    }

    private static let scheme = authenticationScheme(
        in: .one, match, "The parameters that come with it, without their quotes; a text stands for `equals`.")

    /// - Parameters:
    ///   - match: What the value of a parameter has to be.
    ///   - parameters: The summary of the key for them.
    static func authenticationScheme(in version: Version, _ match: Construct, _ parameters: String) -> Construct {
        Construct(
            "an authentication scheme", "A way to authenticate that the response offers, among whatever others.", in: version,
            keys: [
                .init("scheme", .text(.token), required: true, "The scheme's name, compared without case."),
                .init(
                    "parameters",
                    .named(.token, key: "the parameter's name", .shorthand(.text(.textTemplate), or: .construct(match))),
                    parameters),
            ])
    }

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
            .init("client", .construct(client), "How the client authenticates, in requests that say nothing else."),
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

    static let errors = Construct(
        "an error type", "What the method can end in.",
        keys: [
            summaryKey, discussionKey,
            .init(
                "cases", .named(.memberName, key: "the case's name", .construct(errorCase)), required: true, "The cases."),
        ])

    static let errorCase = Construct(
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
