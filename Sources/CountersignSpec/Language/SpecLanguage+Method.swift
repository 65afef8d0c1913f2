extension SpecLanguage {
    /// Every file but `landscape.yaml`.
    package static let method = Construct(
        "a method", "A method of authentication.",
        keys: [
            versionKey,
            .init("method", .text(.typeName), required: true, "The name, which begins those of the generated types."),
            summaryKey, discussionKey,
            .init(
                "parameters", .named(.typeName, key: "the struct's name", .construct(parameters)), required: true,
                "What the method needs to know: one struct."),
            challengeKey, credentialKey, flowKey,
            .init(
                "errors", .named(.typeName, key: "the error type's name", .construct(errors)), required: true,
                "What the method can end in: one error type."),
            mockKey,
        ])

    static let challengeKey = Construct.Key(
        "challenge", .list(of: .construct(challenge)), required: true, "What a challenge looks like; any of these is one.")
    static let credentialKey = Construct.Key(
        "credential", .word([.init("session-cookies", "Cookies in the session's jar.")]), required: true,
        "How success shows on later requests.")
    static let flowKey = Construct.Key("flow", .construct(flow), required: true, "What answers a challenge.")
    static let mockKey = Construct.Key("mock", .construct(mock), "How the mock landscape plays the server.")

    private static let parameters = parameterStruct(
        "parameters", "What the method needs to know.", further: [.init("from", .construct(from), "Further initialisers.")])

    static let from = Construct(
        "further initialisers", "Other values that the struct is made from.",
        keys: [
            .init(
                "settings", .named(.fieldReference, key: "a field", .text(.textTemplate)),
                "How the fields follow from the landscape's settings, with references like `{settings.name}`.")
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
                "www-authenticate", .shorthand(.text(.token), or: scheme), beside: "status",
                "The authentication scheme that the server offers; a text stands for `scheme`."),
            .init(
                "proxy-authenticate", .shorthand(.text(.token), or: scheme), beside: "status",
                "The authentication scheme that a proxy offers; a text stands for `scheme`."),
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
            .init("authenticate", .list(of: .construct(step)), required: true, "The steps that answer a challenge."),
            .init("after-resend", .list(of: .construct(step)), "The steps for the same challenge again, on the resent request."),
        ])

    private static let step = Construct(
        "a step", "One step of a flow.", alternatives: ["present", "fail"],
        keys: [
            .init("present", .construct(present), "Opens a page until a URL ends the flow; the cookies stay in the session."),
            .init("fails", .construct(failures), beside: "present", "The errors for the presenter's failures."),
            .init("fail", .text(.caseReference), "Ends the flow with an error."),
        ])

    private static let present = Construct(
        "a present step", "Opens a page until a URL ends the flow.",
        keys: [
            .init("url", .text(.urlTemplate), required: true, "The page."),
            .init("finish", .construct(finish), required: true, "The URL that ends the flow."),
            .init("allow-http", .text(.boolean), default: "false", "Allows both URLs to be `http:` beyond loopback."),
        ])

    private static let finish = Construct(
        "the end of a present step", "The URL that ends the flow.",
        keys: [
            .init("at", .text(.urlTemplate), required: true, "The URL; its scheme, host, port and path always have to agree."),
            .init(
                "match",
                .word([
                    .init("exact", "The query has the same names and values."),
                    .init("path", "The query does not matter."),
                    .init("path-and-query-names", "Each query name is there, with any value."),
                ]), default: "exact", "How the query is compared."),
        ])

    private static let failures = Construct(
        "failures of a presenter", "The errors for the presenter's failures.",
        keys: [
            .init("dismissed", .text(.caseReference), "The page was closed."),
            .init("load", .text(.caseReference), "The page could not be loaded; the case carries one `error`."),
            .init("reloaded", .text(.caseReference), "The page was loaded anew."),
            .init("background", .text(.caseReference), "The application is in the background."),
        ])

    private static let errors = Construct(
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
            .init("user-field", .text(.prose), default: "j_username", "The name of the login form's field for the user."),
            .init("password-field", .text(.prose), default: "j_password", "The name of the login form's field for the password."),
        ])
}
