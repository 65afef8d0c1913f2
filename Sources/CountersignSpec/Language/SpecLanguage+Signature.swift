// The standard signatures and authentication schemes of requests.

extension SpecLanguage {
    static let attachedSignature = Construct(
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
}
