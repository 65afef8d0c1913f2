extension SpecLanguage {
    /// A request that the method itself sends.
    static let request = Construct(
        "a request", "A request of the method's own. Redirects are not followed.",
        keys: [
            .init(
                "send", .text(.requestLine), required: true,
                "The method and the URL: a whole reference to a URL, such as `GET {challenge.realm}`; a parameter of type `url` followed by a path, such as `POST {server}/login`, which can have references, such as `POST {server}/users/{user}/login`; or a literal URL. A value in a path is percent-encoded, and is one segment or a part of one."
            ),
            .init(
                "query", .named(.configurationKey, key: "the name", .text(.textTemplate)),
                "Items that are added to the URL's query; no secrets. Absent values are omitted."),
            .init(
                "headers", .named(.fieldName, key: "the header field", .text(.textTemplate)),
                "Header fields. Absent values are omitted."),
            .init(
                "form", .named(.formName, key: "the name, which can have `{references}` to parameters", .text(.textTemplate)),
                "The form that is the body of a `POST`, `PUT` or `DELETE`. Absent values are omitted."),
            .init(
                "json", .json,
                "The JSON that is the body of a `POST`, `PUT` or `DELETE`. Texts can have references, and names can have references to parameters; absent values are omitted with their names. Numbers, `true`, `false` and `null` without quotes are JSON values."
            ),
            .init(
                "xml", .text(.textTemplate),
                "The XML that is the body of a `POST`, `PUT` or `DELETE`, as `application/xml` unless `Content-Type` is set. References to values of type `xml` insert elements; other values are escaped. Absent values are omitted."
            ),
            .init(
                "body", .text(.textTemplate),
                "A whole reference to a certificate request, which is the body of a `POST`, `PUT` or `DELETE` as `application/pkcs10` (RFC 5967)."
            ),
            .init(
                "using",
                .word([
                    .init("session", "They attach their credentials, and answer challenges to the request.")
                ]), default: "none", "The effect of the session's observers on the request."),
            .init(
                "identity", .text(.textTemplate), default: "none",
                "A whole reference to a field of the credential of type `identity`: the client certificate of the connection (RFC 8705)."
            ),
            .init(
                "pins", .text(.textTemplate),
                "A whole reference to a parameter of type `texts` with public key pins: SHA-256 in Base64 (RFC 7469, section 2.4). If there are any, nothing is sent to a server with another key."
            ),
            .init(
                "message", .text(.pointer),
                "The JSON pointer of the server's message in an unexpected response. The case for `status` can carry it."),
            .init(
                "prepare", .text(.textTemplate), beside: ["answers"],
                "A whole reference to a parameter of type `request-handler`, which can change a request with `oauth2-token`."
            ),
            .init(
                "client", .construct(requestClient), beside: ["form"],
                "The client of an authorization server (RFC 6749, section 2.3). Without a secret, the form has `client_id`. A `form` with a `client_id` equal to `id` sends it in addition to HTTP Basic, since some servers require it."
            ),
            .init(
                "sign", .construct(signature),
                "A standard signature or authentication scheme. It is omitted if a part of it is absent."),
            .init(
                "answers",
                .shorthand(
                    .word([
                        .init(
                            "oauth2-token",
                            "A token response (RFC 6749, sections 5.1 and 5.2): a token, which is the credential, or an error."
                        )
                    ]), or: .list(of: .construct(answer))), required: true,
                "The expected responses. The first that matches is used; any other response is an error."),
        ])

    static let requestClient = Construct("a client", "A client of an authorization server.", keys: clientKeys)

    /// The client of a method whose credential is a token.
    static let tokenClient = Construct(
        "a client of a method", "The method's client of its authorization server.", keys: clientKeys)

    private static let clientKeys: [Construct.Key] = [
        .init("id", .text(.textTemplate), required: true, "The `client_id`."),
        .init(
            "secret", .text(.textTemplate),
            "The client secret. A client without one, or with an absent one, is public."),
        .init(
            "key", .text(.textTemplate),
            "The private key of a client that signs an assertion for each request (`private_key_jwt`; RFC 7523, section 2.2): a `secret` in PEM, for RSA with at least 2048 bits, or ECDSA on P-256, P-384 or P-521. If it is present, no secret is sent. "
                + "If the PEM also contains certificates, the first is that of the key, and assertions have its thumbprint (`x5t#S256`; RFC 7515, section 4.1.8)."
        ),
        .init("key-id", .text(.textTemplate), beside: ["key"], "The identifier of the key: the `kid` of assertions."),
        .init(
            "rsa-algorithm", .word(rsaAlgorithms), default: "RS256", beside: ["key"],
            "The algorithm of assertions with an RSA key (RFC 7518, section 3.1). The algorithm of other keys is that of their curve."
        ),
        .init(
            "audience", .text(.textTemplate), default: "none; required with `key`", beside: ["key"],
            "The audience (`aud`) of assertions: usually the issuer identifier of the server; for some servers a URL, such as that of the token endpoint."
        ),
        .init(
            "authentication", .text(.textTemplate), default: "client_secret_basic",
            "The client authentication method: `client_secret_basic`, HTTP Basic with form-encoded identifier and secret; `client_secret_post`, in the form; "
                + "or `raw_basic`, HTTP Basic without form encoding, which many servers accept. It can be a reference."
        ),
    ]

    /// The signature algorithms of RSA keys.
    static let rsaAlgorithms = [
        ValueShape.Word("RS256", "RSASSA-PKCS1-v1_5 with SHA-256."),
        .init("PS256", "RSASSA-PSS with SHA-256, which some servers and profiles require."),
    ]

    private static let answer = Construct(
        "an answer", "A pattern for the response to a request. All its conditions must hold.",
        keys: [nameKey] + responseKeys + [
            .init(
                "capture", .named(.fieldReference, key: "the value's name", .construct(answerCapture)),
                "The values to capture: fields of the credential without `from`, results of an operation, and values for later steps."
            ),
            errorKey,
            .init(
                "delay", .text(.duration), default: "none",
                "The increase of the pauses (`every`) of the enclosing `repeat`, such as `5s` for `slow_down` (RFC 8628, section 3.5)."
            ),
        ])

    private static let answerCapture = Construct(
        "a capture of an answer", "A value of the response.", alternatives: captureSources + ["body"],
        keys: [
            .init(
                "body", .word([.init("whole", "As text if it is text, otherwise in Base64.")]),
                "The whole body, as `texts` or as `json`.")
        ] + captureKeys(types: [.string, .secret, .url, .duration, .date, .clock, .texts, .json, .xml, .boolean]))
}
