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

    static let placement = Construct(
        "an attachment", "The placement of the credential in requests.",
        alternatives: ["headers", "query", "json", "form", "sign", "identity"], combinable: ["headers", "query", "json", "form"],
        exclusive: ["json", "form"],
        keys: [
            .init(
                "generate",
                .named(
                    .memberName, key: "the value's name",
                    .word([.init("random", "256 random bits as 43 characters of Base64url.")])), beside: ["headers", "query"],
                "Generates unpredictable values for each request, to which `compute`, the header fields and the `query` can refer."
            ),
            .init(
                "compute", .named(.memberName, key: "the value's name", .construct(requestFunction)), beside: ["headers", "query"],
                "Computes values for each request, such as a signature. Each can use those before it, and parts of the request: `{request.method}`, `{request.host}` (in lower case, with the port unless it is the scheme's default), `{request.path}` and `{request.query}` (as they are encoded), `{request.target}` (path and query), `{request.body}` and `{request.url.origin}`. The header fields and the `query` refer to them; the body cannot, since it is completed before."
            ),
            .init(
                "headers", .named(.fieldName, key: "the header field", .text(.textTemplate)),
                "Header fields, with references to the credential's fields and to parameters. A name can be a whole reference to a parameter of type `header`, or, without `compute`, to a field of the credential of type `string`, for a server that chooses the name. Requests fail if it chooses a field of the connection, of the body, of another credential, or another field with a meaning of its own, such as `Host`, `Content-Type`, `Authorization` or `Cookie`. A request of the application that has the field already carries no credential."
            ),
            .init(
                "query",
                .named(
                    .formName, key: "the name, which can have `{references}` to parameters", .text(.textTemplate)),
                "Parameters of the URL's query, with references to the credential's fields and to parameters. Absent values are omitted. Servers and proxies often log URLs, so write a header field if the server accepts one; a bearer token must not be in a query then (RFC 6750, section 2.3). Only the request that is sent has the parameters: they are not in the URLs of responses, events and errors. A signature covers them. If one of them refers to a value of `compute` or `generate`, they follow the parameters of the other items, in this order, and each is added as soon as the values in it and in those before it are computed: `{request.query}` and `{request.target}` have the parameters that are added by then. So a signature covers the parameters before its own, such as a time."
            ),
            .init(
                "json", .named(.formName, key: "the name, which can have `{references}` to parameters", .json),
                "Members that are added to the JSON object in the body, with references to the credential's fields and to parameters. Absent values are omitted. The body must be a JSON object in memory without a member of such a name, and its `Content-Type` must say so. A request without a body gets one, except a GET, HEAD, OPTIONS or TRACE. No other request carries the credential, and a challenge to one reaches the application. Signatures cover the members."
            ),
            .init(
                "form",
                .named(
                    .formName, key: "the name, which can have `{references}` to parameters", .text(.textTemplate)),
                "Fields that are added to the form in the body (`application/x-www-form-urlencoded`), by the rules for `json`. A request has one body, so a credential has members of a JSON object or of a form, not of both."
            ),
            .init("sign", .construct(attachedSignature), "A standard signature or authentication scheme; at most one."),
            .init(
                "identity", .text(.textTemplate),
                "A whole reference to a field of type `identity`: the client certificate of connections to the servers."),
        ])

    private static let attachedSignature = Construct(
        "a signature", "A standard way to send the credential.",
        alternatives: ["basic", "digest", "negotiate", "aws-sigv4", "http-message", "dpop"],
        keys: [
            dpopKey,
            .init(
                "negotiate", .construct(negotiation),
                "The Negotiate scheme (RFC 4559) in the `Authorization` field, for each request: Kerberos, or another mechanism of the system's GSSAPI, with mutual authentication."
            ),
            .init(
                "http-message", .construct(messageSignature),
                "HTTP Message Signatures (RFC 9421) in the fields `Signature-Input` and `Signature`, for each request."),
            .init("basic", .construct(basic), "The Basic scheme (RFC 7617) in the `Authorization` field."),
            .init(
                "digest", .construct(digest),
                "The Digest scheme (RFC 7616) in the `Authorization` field, for each request: MD5 or SHA-256, of which the strongest "
                    + "offered one is used, with `-sess`, `qop=auth`, `stale`, `nextnonce` and `userhash`."),
            .init(
                "aws-sigv4", .construct(signatureVersion4),
                "AWS Signature Version 4, for each request with its body. A body that can be read only once is supported only for `s3`, as an unsigned payload."
            ),
        ])

    static let signature = Construct(
        "the signature of a request", "A standard way to authenticate a request of the method's own.",
        alternatives: ["basic", "aws-sigv4", "dpop"],
        keys: [
            dpopKey,
            .init("basic", .construct(basic), "The Basic scheme (RFC 7617) in the `Authorization` field."),
            .init("aws-sigv4", .construct(signatureVersion4), "AWS Signature Version 4."),
        ])

    static let pushSignature = Construct(
        "the signature of a push", "A standard way to sign a pushed authorization request.", alternatives: ["dpop"], keys: [dpopKey]
    )

    private static let dpopKey = Construct.Key(
        "dpop", .construct(proof),
        "A DPoP proof (RFC 9449) with `ES256` in the `DPoP` field, for each request. A nonce that the server requires is taken from its responses, and a request that was refused without one is sent again. There is no proof if `key` is absent."
    )

    private static let proof = Construct(
        "a proof of possession", "The key to which a token is bound.",
        keys: [
            .init(
                "key", .text(.textTemplate), required: true,
                "A whole reference to a secret: a P-256 private key in PEM, such as a `p256-key` of `generate`."),
            .init(
                "token", .text(.textTemplate), default: "none",
                "The access token of the request, whose hash is in the proof. It is required in `attach`."),
        ])

    private static let signatureVersion4 = Construct(
        "AWS Signature Version 4", "An access key, of which only the identifier is sent.",
        keys: [
            .init("id", .text(.textTemplate), required: true, "The identifier of the access key."),
            .init("key", .text(.textTemplate), required: true, "The secret access key."),
            .init("session", .text(.textTemplate), default: "none", "The session token of temporary keys."),
            .init("region", .text(.textTemplate), required: true, "The region, such as `eu-central-1`."),
            .init("service", .text(.textTemplate), required: true, "The service's name in signatures, such as `s3`."),
            .init(
                "in",
                .word([
                    .init("header", "In `Authorization` and header fields with the prefix `X-Amz-`."),
                    .init("query", "In the query; header fields are not changed."),
                ]), default: "header", "The place of the signature."),
            .init(
                "expires", .text(.duration), default: "60s; only with `in: query`",
                "The lifetime of a signature in the query, at most 168 hours."),
            .init(
                "clock", .text(.textTemplate), default: "this machine's",
                "A whole reference to a value of type `clock`: the offset of the server's clock, for the time of the signature."
            ),
        ])

    private static let messageSignature = Construct(
        "an HTTP Message Signature", "A key, and the components of requests that it signs.",
        keys: [
            .init(
                "algorithm",
                .word([
                    .init("hmac-sha256", "With a shared key."),
                    .init("ecdsa-p256-sha256", "With a P-256 private key."),
                    .init("ecdsa-p384-sha384", "With a P-384 private key."),
                    .init("ed25519", "With an Ed25519 private key."),
                    .init("rsa-pss-sha512", "With an RSA private key of at least 2048 bits, with PSS padding."),
                    .init("rsa-v1_5-sha256", "The same with PKCS #1 v1.5 padding, for servers without PSS."),
                ]), required: true, "The algorithm (section 3.3)."),
            .init(
                "key", .text(.textTemplate), required: true,
                "A reference to a secret: the shared key, or the private key in PEM (PKCS #8)."),
            .init(
                "key-as",
                .word([
                    .init("text", "The UTF-8 bytes of the text."), .init("hex", "Hexadecimal digits."),
                    .init("base64", "Base64 (RFC 4648, section 4)."),
                ]), default: "base64", "The encoding of a shared key."),
            .init("key-id", .text(.textTemplate), default: "none", "The identifier of the key (`keyid`)."),
            .init(
                "components", .list(of: .text(.component)), required: true,
                "The covered components (section 2): `@method`, `@target-uri`, `@authority`, `@scheme`, `@request-target`, `@path`, `@query`, a query parameter such as `@query-param;name=\"id\"`, and header fields in lower case, which are omitted if the request lacks them. The field `content-digest` is added (RFC 9530, SHA-256), and `date` if the request lacks it."
            ),
            .init("label", .text(.token), default: "sig1", "The label of the signature in the message."),
            .init("expires", .text(.duration), default: "not specified", "The lifetime of the signature."),
            .init("tag", .text(.textTemplate), default: "none", "The `tag` parameter, which an application profile defines."),
            .init(
                "nonce", .text(.textTemplate), default: "none",
                "The `nonce` parameter: `random`, for a new value in each signature, or a reference to a value of the challenge, such as that of `Accept-Signature`."
            ),
            .init(
                "clock", .text(.textTemplate), default: "this machine's",
                "A whole reference to a value of type `clock`: the offset of the server's clock, for the time of the signature."
            ),
        ])

    private static let negotiation = Construct(
        "the Negotiate scheme", "The user's tickets in the system's credential cache.",
        keys: [
            .init(
                "service", .text(.textTemplate), default: "HTTP",
                "The service class. Together with the server's host it is the service name, such as `HTTP@server.example`."
            ),
            .init(
                "principal", .text(.textTemplate), default: "the default principal",
                "The principal whose tickets are used, such as `alice@REALM.EXAMPLE`."),
            .init(
                "bound", .text(.textTemplate), default: "not bound",
                "A whole reference to a parameter of type `boolean`: whether contexts are bound to the server's certificate (RFC 5929, `tls-server-end-point`). Each request then uses its own connection, and is first challenged there."
            ),
            .init(
                "any-mechanism", .text(.textTemplate), default: "Kerberos alone",
                "A whole reference to a parameter of type `boolean`: whether all mechanisms with credentials on the system are allowed. This can include NTLM, which does not authenticate the server."
            ),
        ])

    private static let basic = Construct(
        "the Basic scheme", "A user name and a password.",
        keys: [
            .init("user", .text(.textTemplate), required: true, "The user name."),
            .init("password", .text(.textTemplate), required: true, "The password."),
        ])

    private static let digest = Construct(
        "the Digest scheme", "A user name and a password, of which only hashes are sent.",
        keys: [
            .init("user", .text(.textTemplate), required: true, "The user name."),
            .init("password", .text(.textTemplate), required: true, "The password."),
        ])

    static let rejection = Construct(
        "a rejection", "A rule for a challenge to a request with the credential.",
        keys: [
            .init("challenge", .text(.label), default: "any", "The name of the challenge."),
            .init(
                "then",
                .list(
                    of: .word([
                        .init(
                            "resend",
                            "The credential is updated with the values of the challenge, without a step. Fields without a new value are kept."
                        ),
                        .init("renew", "The steps under `renew` run, if a server has accepted the credential before."),
                        .init("acquire", "The steps under `acquire` run."),
                    ])), default: "the request fails, and the credential stays valid for other requests",
                "The actions: a list with one word, or `[renew, acquire]` to run the second if the first has no result. A rule without it is for a challenge that no other credential of the method could meet."
            ),
            .init(
                "retry", .text(.retries), default: "0",
                "The maximum number of refusals in a row of credentials that no server has accepted. With `keep`, only credentials count that were obtained after a challenge of the same name, since a service can want another scope and then another authentication."
            ),
            .init(
                "keep", .text(.boolean), default: "false",
                "Whether the credential stays valid because only this request needs more, such as another scope. Other requests use it meanwhile, and it is kept if the steps fail."
            ),
            .init("error", .text(.caseReference), "The case of `errors` if no action has a result."),
        ])
}
