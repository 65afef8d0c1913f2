extension SpecLanguage {
    /// A document that a server publishes.
    static let document = Construct(
        "a document", "JSON that a server publishes, fetched with `GET` and without a credential.",
        keys: [
            .init(
                "at", .list(of: .shorthand(.text(.textTemplate), or: .construct(wellKnown))), required: true,
                "The location: a whole reference to a URL, or a parameter of type `url` followed by a path. Of several, the next one is requested after a status from 400 to 499, except 408, 425 and 429; one with an absent value is skipped. "
                    + "If all have such a status and depend on a URL that another document names in a list (`*`), they are requested with the next allowed URL of the list, which is then the value."
            ),
            .init(
                "json",
                .named(.pointer, key: "a JSON Pointer (RFC 6901)", .shorthand(.text(.textTemplate), or: .construct(pattern))),
                "The required values, such as the expected issuer: `present` for any value except `null` and an empty text, also for `false`; `absent` for no value, `null` or an empty text; another text for the whole value. The name `*` matches any item of a list. A document with other values is an error."
            ),
            .init(
                "capture", .named(.memberName, key: "the value's name", .construct(documentCapture)), required: true,
                "The values to which steps can refer."),
            .init("expires", .text(.duration), default: "24h", "The cache lifetime."),
        ])

    private static let wellKnown = Construct(
        "a well-known address",
        "A URL whose path is `/.well-known/` (RFC 8615) and a name, followed by the path of another URL, such as that of an issuer (RFC 8414, section 3.1).",
        keys: [
            .init("well-known", .text(.label), required: true, "The name, such as `oauth-authorization-server`."),
            .init("of", .text(.textTemplate), required: true, "The other URL: a whole reference to a URL."),
            .init("root", .text(.boolean), default: "false", "Whether the path of the other URL is omitted."),
        ])

    private static let documentCapture = Construct(
        "a capture of a document", "A value of the document.",
        keys: captureKeys(types: [.string, .url, .texts, .boolean]).filter {
            !["cookie", "input", "xml", "header", "parameter"].contains($0.name)
        }.map { $0.name == "json" ? $0.required : $0 })

    /// The verification of a signed token.
    static let verification = Construct(
        "a verification",
        "The verification of a JSON Web Token (RFC 7519): it must be signed by one of its issuer's keys with an asymmetric algorithm, must not have expired, and must have the expected claims.",
        keys: [
            .init("jwt", .text(.textTemplate), required: true, "A whole reference to the token."),
            .init(
                "keys", .text(.textTemplate), required: true,
                "A whole reference to the URL of the issuer's key set (RFC 7517). It is cached, and fetched again if the token names an unknown key."
            ),
            .init(
                "claims", .named(.configurationKey, key: "the claim's name", .text(.textTemplate)), required: true,
                "The required claims: the whole value, and for `aud` one of its values. `iss` and `aud` are required. An absent value is not compared. Another `sub` than the expected one is the error `otherUser`, unless the step has one for `untrusted`."
            ),
            .init(
                "access-token", .text(.textTemplate),
                "A whole reference to the access token of the same response: if the token has `at_hash`, it must be its hash (OpenID Connect Core, section 3.1.3.6)."
            ),
            .init(
                "max-age", .text(.textTemplate),
                "A whole reference to a text with a number of seconds: the maximum age of the authentication by `auth_time`, which is then required (OpenID Connect Core, section 3.1.3.7). It is not checked if the value is absent."
            ),
            .init(
                "capture", .named(.fieldReference, key: "the value's name", .construct(claimCapture)),
                "The values to capture: fields of the credential without `from`, and values for later steps."),
        ])

    private static let claimCapture = Construct(
        "a capture of a claim", "A claim of the token.",
        keys: captureKeys(types: [.string, .secret, .texts, .boolean]).filter {
            !["cookie", "input", "xml", "header", "parameter", "within", "elsewhere"].contains($0.name)
        }.map { $0.name == "json" ? $0.required : $0 })
}
