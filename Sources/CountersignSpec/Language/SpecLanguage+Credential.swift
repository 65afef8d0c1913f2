extension SpecLanguage {
    static let credential = Construct(
        "a credential", "The credential that the method attaches to requests.",
        keys: [
            .init(
                "fields", .named(.memberName, key: "the field's name", .construct(credentialField)),
                "The fields of the credential, in addition to its cookies."),
            .init(
                "cookies",
                .word([
                    .init(
                        "shared",
                        "The session's cookies, sent by the rules for cookies independently of `for`. Only with the surface `foundation`."
                    ),
                    .init(
                        "private",
                        "Separate cookies, sent only to the servers under `for`, as far as their domains and paths allow. "
                            + "The requests of `acquire` begin without cookies; those of `end` carry these."
                    ),
                ]), default: "none",
                "Whether the cookies that the steps receive are part of the credential. On every path through `acquire`, an answer must require them with `cookies`."
            ),
            .init(
                "tickets",
                .word([
                    .init("system", "The user's Kerberos tickets in the system's cache, which requests use with `negotiate`.")
                ]), default: "none", "The credential of the system."),
            .init(
                "token",
                .word([
                    .init(
                        "oauth2",
                        "An OAuth 2.0 token (RFC 6749), obtained by `http` with `oauth2-token`. Requests carry it as a bearer token (RFC 6750), it expires when the server says, and steps can refer to `{credential.access_token}` and `{credential.refresh_token}`."
                    )
                ]), default: "none", "A standard token in place of `fields`. Only with the surface `foundation`."),
            .init(
                "expires", .construct(expiry), default: "when the server refuses it",
                "The lifetime of the credential."),
            .init(
                "per", .list(of: .text(.textTemplate)), default: "the origin of the request",
                "The values that separate credentials: texts with `{request.url.origin}`, values of the challenge, and parameters."),
            .init(
                "space",
                .word([
                    .init("origin", "All requests to the origin."),
                    .init(
                        "directory", "Requests to paths at and below the challenged one (RFC 7617, section 2.2)."),
                    .init("servers", "All requests to the servers under `for`, with one credential."),
                    .init(
                        "request",
                        "The challenged request alone, such as a confirmation or a one-time passcode that a server requires for each change. Only the answer to a challenge carries the credential. It is never stored, and ends with the request. Users are asked for one request at a time."
                    ),
                ]), default: "origin", "The protection space: the requests for which the values of a challenge are valid."),
            .init(
                "eager", .text(.boolean), default: "false",
                "Whether requests carry the credential from the first one on: the steps run before any challenge. "
                    + "Then only `resend` can use values of a challenge, and `challenge` is needed only for `rejected`."
            ),
            .init(
                "for", .list(of: .text(.textTemplate)), required: true, unless: [.init(["cookies"], is: "shared")],
                "The servers that may receive the credential: whole references to parameters of type `origins` or `url`; `requested`, for the first server of a session's requests if no parameter names one; and `steps`, for the server of the settings that the parameters were created from, or otherwise the servers of the steps. "
                    + "A whole reference to a field of type `url`, such as `{credential.instance}`, adds the server that a login names: its origin alone, as long as the credential names it. The `within` of the field's capture limits the servers. This requires `space: servers`, and another item, where the first login begins. "
                    + "Or `[application]`, for an enrolment: the application receives the credential, and no request carries it. `steps` and `application` are only for the surface `foundation`. "
                    + "An override adds servers under `append`; a list in place of the inherited one only removes some."
            ),
        ])

    private static let addressWord = ValueShape.Word(
        "url", "A URL that a server has named, for the method's own requests, or for those of the application (`for`).")

    private static let credentialField = Construct(
        "a field of a credential", "A part of a credential, set by `from` or a step.",
        keys: [
            .init("type", .word(textWords + [addressWord] + timeWords + [identityWord]), required: true, "The type of the value."),
            summaryKey,
            .init("from", .text(.textTemplate), "The value: a text with values of the challenge and parameters."),
            .init(
                "place",
                .word([
                    .init("requests", "In requests, by `attach`."),
                    .init("store", "Only in the store: for later steps, or for the application alone."),
                ]), default: "requests", "The use of the field."),
        ])

    static let identityWord = ValueShape.Word(
        "identity",
        "A client certificate with its key, for TLS connections (`attach` with `identity`) or for the application."
    )

    static let textWords = [FieldType.string, .secret].map(word)

    private static let timeWords = [
        ValueShape.Word(
            "duration",
            "A duration of a response or a certificate. It has no text form, and is used only in `expires`."),
        ValueShape.Word("date", "A point in time of a response. It has no text form, and is used only in `expires`."),
        ValueShape.Word(
            "clock", "The offset of the server's clock, from a challenge. It has no text form, and is used only in signatures."),
    ]

    private static let expiry = Construct(
        "an expiry", "The lifetime of a credential.", alternatives: ["after", "at"],
        keys: [
            .init(
                "after", .text(.textTemplate),
                "The time after it was obtained: a whole reference to a field of type `duration`, or a literal such as `55m`, for example for a token that the client signs itself."
            ),
            .init("at", .text(.textTemplate), "The time of its expiry: a whole reference to a field of type `date`."),
        ])
}
