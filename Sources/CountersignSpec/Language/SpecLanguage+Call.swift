extension SpecLanguage {
    /// A request of a method's own.
    static let request = Construct(
        "a request", "A request of the method's own. It follows no redirect.",
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
                "xml", .text(.textTemplate),
                "The XML that is the body of a `POST` or `PUT`, as `application/xml` unless `Content-Type` says otherwise. References to values of type `xml` stand for elements, and the texts of others are escaped; what is absent is left out."
            ),
            .init(
                "body", .text(.textTemplate),
                "A whole reference to a certificate request, which is the body of a `POST` or `PUT` as `application/pkcs10` (RFC 5967)."
            ),
            .init(
                "using",
                .word([
                    .init("session", "They attach their credentials, and answer its challenges.")
                ]), default: "they attach nothing", "What the observers of the session do with it."),
            .init(
                "identity", .text(.textTemplate), default: "none",
                "A whole reference to a field of the credential of type `identity`, with which the connection is made (RFC 8705)."),
            .init(
                "pins", .text(.textTemplate),
                "A whole reference to a parameter of type `texts` with the SHA-256 of public keys in base64 (RFC 7469, section 2.4). If there are any, a server with another key gets no request."
            ),
            .init(
                "message", .text(.pointer),
                "Where the JSON of an answer that is not expected says why; the case for `status` can carry it."),
            .init(
                "prepare", .text(.textTemplate), beside: ["answers"],
                "A whole reference to a parameter of type `request-handler`, with the application's last word on a request with `oauth2-token`."
            ),
            .init(
                "client", .construct(requestClient), beside: ["form"],
                "The client that asks an authorization server (RFC 6749, section 2.3). Without a secret the client says its name in the form, as `client_id`; a `form` that has `client_id` with the text of `id` says it beside HTTP Basic too, where some servers look for it."
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

    static let requestClient = Construct("a client", "A client of an authorization server.", keys: clientKeys)

    /// The client of a method whose credential is a token.
    static let tokenClient = Construct(
        "a client of a method", "The client that a method is for its authorization server.", keys: clientKeys)

    private static let clientKeys: [Construct.Key] = [
        .init("id", .text(.textTemplate), required: true, "The `client_id`."),
        .init(
            "secret", .text(.textTemplate),
            "The secret; a client without one, or whose secret may be absent, is public."),
        .init(
            "key", .text(.textTemplate),
            "The private key of a client that signs an assertion for each request (`private_key_jwt`; RFC 7523, section 2.2): a `secret` with PEM, for RSA of 2048 bits at least, or for ECDSA on P-256, P-384 or P-521. Where it is there, no secret is shown."
        ),
        .init("key-id", .text(.textTemplate), beside: ["key"], "What the server calls the key, the `kid` of assertions."),
        .init(
            "audience", .text(.textTemplate), default: "none; beside `key` it is required", beside: ["key"],
            "For which server assertions are, so that no other can use them: its issuer identifier, as a rule."),
        .init(
            "authentication", .text(.textTemplate), default: "client_secret_basic",
            "How the secret is shown: `client_secret_basic`, by HTTP Basic, name and secret encoded as in a form; `client_secret_post`, in the form; "
                + "or `raw_basic`, by HTTP Basic as they are, which many servers take. It can be a reference."
        ),
    ]

    private static let answer = Construct(
        "an answer", "One look of the response to a request: all that it names has to agree.",
        keys: [nameKey] + responseKeys + [
            .init(
                "capture", .named(.fieldReference, key: "the value's name", .construct(answerCapture)),
                "What it fills: fields of the credential without `from`, results of an operation, and values for the steps after it."
            ),
            errorKey,
            .init(
                "delay", .text(.duration), default: "none",
                "How much longer the pauses of the `repeat` around it become, which has `every`, such as `5s` for `slow_down` (RFC 8628, section 3.5)."
            ),
        ])

    private static let answerCapture = Construct(
        "a capture of an answer", "A value of the response.", alternatives: captureSources + ["body"],
        keys: [
            .init(
                "body", .word([.init("whole", "As text if it is that, otherwise in base64.")]),
                "All of the body, as `texts` or as `json`.")
        ] + captureKeys(types: [.string, .secret, .url, .duration, .date, .clock, .texts, .json, .xml, .boolean]))
}
