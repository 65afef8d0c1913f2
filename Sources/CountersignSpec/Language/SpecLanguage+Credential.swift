extension SpecLanguage {
    static let credential = Construct(
        "a credential", "What the method attaches to requests.",
        keys: [
            .init(
                "fields", .named(.memberName, key: "the field's name", .construct(credentialField)),
                "What it consists of, beside its cookies."),
            .init(
                "cookies",
                .word([
                    .init(
                        "shared",
                        "They are those of the session, which sends them as cookies are sent; no `for` limits that."),
                    .init(
                        "private",
                        "They are kept apart from those of the session, and go to the servers under `for` alone, as far as the cookies' own domains and paths allow. "
                            + "The requests of `acquire` begin without cookies; those of `end` carry them."
                    ),
                ]), default: "none",
                "Whether the cookies that the steps leave are a part of it. On every way through `acquire`, an answer has to say with `cookies` that they are there."
            ),
            .init(
                "tickets",
                .word([
                    .init("system", "They are those of the user, which the system has and requests show by `negotiate`.")
                ]), default: "none", "What it consists of, where the system has it."),
            .init(
                "token",
                .word([
                    .init(
                        "oauth2",
                        "A token of OAuth 2.0 (RFC 6749), which `http` with `oauth2-token` brings: requests carry it as RFC 6750 says, it runs out when its server says, and steps can name `{credential.access_token}` and `{credential.refresh_token}`."
                    )
                ]), default: "none", "Whether it is a token as a standard has it, in place of `fields`."),
            .init(
                "expires", .construct(expiry), default: "when the server refuses it",
                "How long the credential is good for."),
            .init(
                "per", .list(of: .text(.textTemplate)), default: "the origin of the request",
                "What credentials are kept apart by: texts with `{request.url.origin}`, values of the challenge, and parameters."),
            .init(
                "space",
                .word([
                    .init("origin", "For all requests to the origin."),
                    .init(
                        "directory", "For requests to paths at and below those that were challenged (RFC 7617, section 2.2)."),
                    .init("servers", "For all requests to the servers under `for`: one credential serves them all."),
                ]), default: "origin", "How far what a challenge says holds for requests that were not challenged."),
            .init(
                "eager", .text(.boolean), default: "false",
                "Whether requests have it from the first one on: the steps to it run before a server has asked. "
                    + "Then nothing of it comes from a challenge but what is resent, and `challenge` is there only if something follows a refusal."
            ),
            .init(
                "for", .list(of: .text(.textTemplate)), required: true, unless: [.init(["cookies"], is: "shared")],
                "The servers that may receive it: whole references to parameters of type `origins` or `url`; `requested`, for the first that the application asks on a session, where no parameter names one; and `steps`, for the server of the settings that the parameters were made of, or those that the steps lead to. "
                    + "Or `[application]`, for an enrolment: the application takes what the steps lead to, and no request carries it."
            ),
        ])

    private static let addressWord = ValueShape.Word(
        "url", "An address that a server has named, for requests of the method's own.")

    private static let credentialField = Construct(
        "a field of a credential", "A part of a credential, which `from` or a step fills.",
        keys: [
            .init("type", .word(textWords + [addressWord] + timeWords + [identityWord]), required: true, "What it holds."),
            summaryKey,
            .init("from", .text(.textTemplate), "What it is filled with: values of the challenge, and parameters."),
            .init(
                "place",
                .word([
                    .init("requests", "In requests, as `attach` says."),
                    .init("store", "In no request: it is what a store keeps of another field."),
                ]), default: "requests", "Where it is used."),
        ])

    static let identityWord = ValueShape.Word(
        "identity",
        "A certificate and its key, with which connections are made: `attach` names it under `identity`, or the application takes it."
    )

    static let textWords = [FieldType.string, .secret].map(word)

    private static let timeWords = [
        ValueShape.Word(
            "duration",
            "A length of time, which an answer says, or a certificate. It has no text, and stands under `expires` alone."),
        ValueShape.Word("date", "A point in time, which an answer says. It has no text, and stands under `expires` alone."),
        ValueShape.Word(
            "clock", "How far the server's clock is ahead, which a challenge says. It has no text, and stands in signatures alone."),
    ]

    private static let expiry = Construct(
        "an expiry", "How long a credential is good for.", alternatives: ["after", "at"],
        keys: [
            .init(
                "after", .text(.textTemplate),
                "How long after it was obtained: a whole reference to a field of type `duration`."),
            .init("at", .text(.textTemplate), "When: a whole reference to a field of type `date`."),
        ])

    static let placement = Construct(
        "an attachment", "How the credential gets into requests.", alternatives: ["headers", "sign", "identity"],
        keys: [
            .init(
                "generate",
                .named(
                    .memberName, key: "the value's name",
                    .word([.init("random", "256 random bits in 43 characters of base64url.")])), beside: ["headers"],
                "Makes unpredictable values for each request anew, which `compute` and the header fields here can name."),
            .init(
                "compute", .named(.memberName, key: "the value's name", .construct(requestFunction)), beside: ["headers"],
                "Works values out for each request anew: a signature. Each can be made of those before it, and of parts of the request: `{request.method}`, `{request.host}`, `{request.path}`, `{request.query}`, `{request.target}` (path and query), `{request.body}` and `{request.url.origin}`. The header fields here name them."
            ),
            .init(
                "headers", .named(.fieldName, key: "the header field", .text(.textTemplate)),
                "Header fields, with references to the credential's fields and to parameters; a name can be a whole reference to a parameter of type `header`."
            ),
            .init("sign", .construct(attachedSignature), "A signature by a standard; one at most."),
            .init(
                "identity", .text(.textTemplate),
                "A whole reference to a field of type `identity`, with which connections to the servers are made."),
        ])

    private static let attachedSignature = Construct(
        "a signature", "How a standard writes the credential.",
        alternatives: ["basic", "digest", "negotiate", "aws-sigv4", "http-message", "dpop"],
        keys: [
            dpopKey,
            .init(
                "negotiate", .construct(negotiation),
                "In the `Authorization` field, by the Negotiate scheme (RFC 4559), for each request anew: Kerberos, or what else the system's GSSAPI has. The server has to prove who it is in turn."
            ),
            .init(
                "http-message", .construct(messageSignature),
                "By HTTP Message Signatures (RFC 9421), for each request anew, in the fields `Signature-Input` and `Signature`."),
            .init("basic", .construct(basic), "In the `Authorization` field, by the Basic scheme (RFC 7617)."),
            .init(
                "digest", .construct(digest),
                "In the `Authorization` field, by the Digest scheme (RFC 7616), for each request anew: MD5 or SHA-256, of which the strongest "
                    + "that is offered is taken, with `-sess`, `qop=auth`, `stale`, `nextnonce` and `userhash`."),
            .init(
                "aws-sigv4", .construct(signatureVersion4),
                "By AWS Signature Version 4, for each request anew, with its body: one that cannot be read twice is signed for `s3` alone, as unsigned."
            ),
        ])

    static let signature = Construct(
        "the signature of a request", "How a standard writes what a request of the method's own shows.",
        alternatives: ["basic", "aws-sigv4", "dpop"],
        keys: [
            dpopKey,
            .init("basic", .construct(basic), "In the `Authorization` field, by the Basic scheme (RFC 7617)."),
            .init("aws-sigv4", .construct(signatureVersion4), "By AWS Signature Version 4."),
        ])

    private static let dpopKey = Construct.Key(
        "dpop", .construct(proof),
        "In the `DPoP` field, a proof for each request anew that it comes from the client that a token was issued to (RFC 9449), by `ES256`. A nonce that the server wants in it is taken from its answers, and what was refused for want of one is sent once more. Not where `key` is absent."
    )

    private static let proof = Construct(
        "a proof of possession", "The key that a token is bound to.",
        keys: [
            .init(
                "key", .text(.textTemplate), required: true,
                "A whole reference to a secret: a private key on the curve P-256, in PEM, such as `generate` makes as `p256-key`."),
            .init(
                "token", .text(.textTemplate), default: "none",
                "The access token that the request carries, of which the proof has the hash. Under `attach` it is required."),
        ])

    private static let signatureVersion4 = Construct(
        "AWS Signature Version 4", "An access key, of which no more than its identifier is sent.",
        keys: [
            .init("id", .text(.textTemplate), required: true, "The identifier of the access key."),
            .init("key", .text(.textTemplate), required: true, "The secret access key."),
            .init("session", .text(.textTemplate), default: "none", "The session token of temporary keys."),
            .init("region", .text(.textTemplate), required: true, "The region, such as `eu-central-1`."),
            .init("service", .text(.textTemplate), required: true, "The service's name in signatures, such as `s3`."),
            .init(
                "in",
                .word([
                    .init("header", "In `Authorization` and fields that begin with `X-Amz-`."),
                    .init("query", "In parameters of the query, which leave the header fields to others."),
                ]), default: "header", "Where the signature is."),
            .init(
                "expires", .text(.duration), default: "60s; beside `in: query` alone",
                "How long a signature in the query is good for, 168 hours at most."),
            .init(
                "clock", .text(.textTemplate), default: "this machine's",
                "A whole reference to a value of type `clock`: how far the server's clock is ahead, by which the signature is dated."
            ),
        ])

    private static let messageSignature = Construct(
        "an HTTP Message Signature", "A key, and the parts of requests that it signs.",
        keys: [
            .init(
                "algorithm",
                .word([
                    .init("hmac-sha256", "With a shared key."),
                    .init("ecdsa-p256-sha256", "With a private key on the curve P-256."),
                    .init("ecdsa-p384-sha384", "With a private key on the curve P-384."),
                    .init("ed25519", "With a private key on the curve Ed25519."),
                    .init("rsa-pss-sha512", "With a private key of RSA, 2048 bits or more, by PSS."),
                    .init("rsa-v1_5-sha256", "The same by PKCS #1, for servers that know no other."),
                ]), required: true, "The algorithm (section 3.3)."),
            .init(
                "key", .text(.textTemplate), required: true,
                "A reference to a secret: the shared key, or the private key in PEM (PKCS #8)."),
            .init(
                "key-as",
                .word([
                    .init("text", "Its bytes are those of the text in UTF-8."), .init("hex", "In hexadecimal digits."),
                    .init("base64", "In base64 (RFC 4648, section 4)."),
                ]), default: "base64", "How a shared key is written."),
            .init("key-id", .text(.textTemplate), default: "none", "What the server calls the key, `keyid`."),
            .init(
                "components", .list(of: .text(.component)), required: true,
                "What is signed (section 2): `@method`, `@target-uri`, `@authority`, `@scheme`, `@request-target`, `@path`, `@query`, one parameter of the query such as `@query-param;name=\"id\"`, and names of header fields in lower case, of which those that a request lacks are left out. For `content-digest` the field is made (RFC 9530, SHA-256), and for `date` if it is not there."
            ),
            .init("label", .text(.token), default: "sig1", "What the signature is called in the message."),
            .init("expires", .text(.duration), default: "the server's to say", "How long the signature is good for."),
            .init("tag", .text(.textTemplate), default: "none", "What the signature is for, as an application's profile has it."),
            .init(
                "nonce", .text(.textTemplate), default: "none",
                "By what the server tells a signature from one that it has seen: `random`, for a value that is made for each; or a reference to one that the challenge has, as in a field `Accept-Signature`."
            ),
            .init(
                "clock", .text(.textTemplate), default: "this machine's",
                "A whole reference to a value of type `clock`: how far the server's clock is ahead, by which the signature is dated."
            ),
        ])

    private static let negotiation = Construct(
        "the Negotiate scheme", "The user's tickets, which are the system's.",
        keys: [
            .init(
                "service", .text(.textTemplate), default: "HTTP",
                "The class of services that the server is one of; with its host it makes the name of the service, such as `HTTP@server.example`."
            ),
            .init(
                "principal", .text(.textTemplate), default: "the one whose tickets are there",
                "Whose tickets are used, such as `alice@REALM.EXAMPLE`."),
            .init(
                "bound", .text(.textTemplate), default: "not bound",
                "A whole reference to a parameter of type `boolean`: whether contexts are bound to the server's certificate (RFC 5929, `tls-server-end-point`). Each request has a connection of its own then, and is challenged there first."
            ),
            .init(
                "any-mechanism", .text(.textTemplate), default: "Kerberos alone",
                "A whole reference to a parameter of type `boolean`: whether any mechanism will do for which the system has credentials. One may be NTLM, where the server proves nothing."
            ),
        ])

    private static let basic = Construct(
        "the Basic scheme", "A user name and a password.",
        keys: [
            .init("user", .text(.textTemplate), required: true, "The user name."),
            .init("password", .text(.textTemplate), required: true, "The password."),
        ])

    private static let digest = Construct(
        "the Digest scheme", "A user name and a password, of which no more than hashes is sent.",
        keys: [
            .init("user", .text(.textTemplate), required: true, "The user name."),
            .init("password", .text(.textTemplate), required: true, "The password."),
        ])

    static let rejection = Construct(
        "a rejection", "What follows a challenge to a request that had the credential.",
        keys: [
            .init("challenge", .text(.label), default: "any", "The name of the challenge."),
            .init(
                "then",
                .list(
                    of: .word([
                        .init(
                            "resend",
                            "The credential is filled anew with what the challenge says, without a step; what that does not say stays."
                        ),
                        .init("renew", "The steps under `renew` run, if a server had accepted the credential."),
                        .init("acquire", "The steps to a credential run."),
                    ])), required: true,
                "What is done: a list with one word, or `[renew, acquire]` for the second where the first leads to nothing."),
            .init(
                "retry", .text(.retries), default: "0",
                "How many refusals in a row are borne of credentials that no server has accepted."),
            .init(
                "keep", .text(.boolean), default: "false",
                "Whether the credential is good all the same, and only this request needs more, as where a scope is missing: it serves other requests meanwhile, and stays where the steps fail."
            ),
            .init("error", .text(.caseReference), "The case of `errors` where nothing follows."),
        ])
}
