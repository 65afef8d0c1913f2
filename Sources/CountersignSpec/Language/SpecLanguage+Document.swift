extension SpecLanguage {
    /// What a server publishes.
    static let document = Construct(
        "a document", "JSON that a server publishes, fetched with `GET` and without a credential.",
        keys: [
            .init(
                "at", .list(of: .shorthand(.text(.textTemplate), or: .construct(wellKnown))), required: true,
                "Where it is: a whole reference to a URL, or a parameter of type `url` with a path behind it. Of several addresses the next one is asked where a server answers with a status from 400 to 499; one that is made of what is absent is passed over."
            ),
            .init(
                "json",
                .named(.pointer, key: "a JSON Pointer (RFC 6901)", .shorthand(.text(.textTemplate), or: .construct(pattern))),
                "What it has to say, such as the issuer that was asked for: `present` for any value but `null`, another text for the whole value. A name `*` stands for any item of a list. A document that says something else is an error."
            ),
            .init(
                "capture", .named(.memberName, key: "the value's name", .construct(documentCapture)), required: true,
                "The values that steps can name."),
            .init("expires", .text(.duration), default: "24h", "How long it is kept, before it is fetched anew."),
        ])

    private static let wellKnown = Construct(
        "a well-known address",
        "An address whose path begins with `/.well-known/` (RFC 8615) and a name, before the path of another address, such as that of an issuer (RFC 8414, section 3.1).",
        keys: [
            .init("well-known", .text(.label), required: true, "The name, such as `oauth-authorization-server`."),
            .init("of", .text(.textTemplate), required: true, "The other address: a whole reference to a URL."),
            .init("root", .text(.boolean), default: "false", "Whether the path of the other address is left out."),
        ])

    private static let documentCapture = Construct(
        "a capture of a document", "A value of the document.",
        keys: captureKeys(types: [.string, .url, .texts, .boolean]).filter {
            !["cookie", "input", "xml", "header", "parameter"].contains($0.name)
        }.map { $0.name == "json" ? $0.required : $0 })

    /// What a signer has put into a token.
    static let verification = Construct(
        "a verification",
        "A JSON Web Token (RFC 7519) is taken for what it says only if one of its issuer's keys has signed it, with an asymmetric algorithm, if it has not expired, and if it is for this client.",
        keys: [
            .init("jwt", .text(.textTemplate), required: true, "A whole reference to the token."),
            .init(
                "keys", .text(.textTemplate), required: true,
                "A whole reference to the URL of the issuer's keys (RFC 7517). They are kept, and fetched anew where the token names a key that is not among them."
            ),
            .init(
                "claims", .named(.configurationKey, key: "the claim's name", .text(.textTemplate)), required: true,
                "What it has to say: the whole value, and of `aud` one of its values. `iss` and `aud` are required. What may be absent here is not compared then."
            ),
            .init(
                "access-token", .text(.textTemplate),
                "A whole reference to the access token that came with it: if the token has `at_hash`, that is its hash (OpenID Connect Core, section 3.1.3.6)."
            ),
            .init(
                "max-age", .text(.textTemplate),
                "A whole reference to a text with a number of seconds: how long ago the user may have logged in, by `auth_time`, which has to be there then (OpenID Connect Core, section 3.1.3.7). Nothing is looked at where it is absent."
            ),
            .init(
                "capture", .named(.fieldReference, key: "the value's name", .construct(claimCapture)),
                "What it fills: fields of the credential without `from`, and values for the steps after it."),
        ])

    private static let claimCapture = Construct(
        "a capture of a claim", "A claim of the token.",
        keys: captureKeys(types: [.string, .secret, .texts, .boolean]).filter {
            !["cookie", "input", "xml", "header", "parameter", "within", "elsewhere"].contains($0.name)
        }.map { $0.name == "json" ? $0.required : $0 })
}
