extension SpecLanguage {
    static let step = Construct(
        "a step", "A step to a credential, to the next, or to its end.",
        alternatives: actions.map(\.name) + ["repeat"],
        keys: [nameKey, whenKey] + actions + [
            .init("repeat", .construct(repetition), "Runs steps again and again."),
            stepFailuresKey(beside: failing + ["repeat"]),
        ])

    /// The steps within a `repeat`.
    private static let repeatedStep = Construct(
        "a repeated step", "A step that runs again and again.", alternatives: actions.map(\.name),
        keys: [nameKey, whenKey] + actions + [stepFailuresKey(beside: failing)])

    private static let failing = ["prompt", "present", "http", "verify", "compute"]

    private static let repetition = Construct(
        "a repetition", "Steps that run as long as something holds; values that they fill are filled anew each time.",
        keys: [
            .init(
                "while", .named(.valueName, key: "a value, such as `page`", .word(parameterWords)), required: true,
                "What has to hold for the steps to run, the first time, too."),
            .init("limit", .text(.count), default: "10; beside `every` as often as the time allows", "How often they run at most."),
            .init(
                "every", .text(.textTemplate),
                "The pause before each time, 1 second at least: a whole reference to a `duration`, or one such as `5s`. A request that is not answered doubles it and ends nothing, unless its step has an error for that (RFC 8628, section 3.5)."
            ),
            .init(
                "within", .text(.textTemplate), beside: ["every"],
                "How long they go on, an hour at most: a whole reference to a `duration`, or one such as `10m`. Beside `every` it is required."
            ),
            .init("steps", .list(of: .construct(repeatedStep)), required: true, "The steps."),
        ])

    static let nameKey = Construct.Key(
        "name", .text(.label), default: "none", "What landscapes call this that change it; see `methods` there.")

    private static let whenKey = Construct.Key(
        "when",
        .named(.valueName, key: "a value, such as `project` or `challenge.scope`", .word(parameterWords)), default: "always",
        "When the step runs: where all of this holds.")

    private static let actions: [Construct.Key] = [
        .init(
            "generate",
            .named(
                .memberName, key: "the value's name",
                .word([
                    .init("random", "256 random bits in 43 characters, for all to see, such as a `state`."),
                    .init(
                        "pkce",
                        "A code verifier (RFC 7636): a secret, of which `pkce` tells a login page the hash, and a later request itself."
                    ),
                    .init(
                        "p256-key",
                        "A private key on the curve P-256, as a secret in PEM, for `sign`. It can be a field of the credential, which keeps it beside its token."
                    ),
                ])), "Makes unpredictable values, for the steps after it."),
        .init("prompt", .construct(prompt), "Asks the application, which may ask the user."),
        .init("present", .construct(loginPage), "Shows the user a login page until the browser is sent back."),
        .init("http", .construct(request), "Sends a request of the method's own."),
        .init("verify", .construct(verification), "Checks a JSON Web Token, and takes what it says."),
        .init(
            "compute", .named(.memberName, key: "the value's name", .construct(function)),
            "Works values out. Each is for the steps after it, or a field of the credential."),
    ]

    static let parameterWords: [ValueShape.Word] = [
        .init("present", "The value has to be there."), .init("absent", "The value has to be absent."),
        .init("true", "The `boolean` has to be true."), .init("false", "The `boolean` has to be false."),
    ]

    /// What can be worked out of a request, too.
    private static let requestFunctionKeys: [Construct.Key] = [
        .init(
            "join", .list(of: .text(.textTemplate)),
            "One text of several, one behind another; what is absent of them is left out. Joined with a `random` value it is as unpredictable."
        ),
        .init("hash", .word(digests), "The hash of the text under `of`."),
        .init(
            "hmac", .word(digests),
            "The message authentication code (HMAC, RFC 2104) of the text under `of` by the key under `key`, as a secret."),
        .init(
            "of", .text(.textTemplate), default: "none; beside `hash` and `hmac` it is required", beside: ["hash", "hmac"],
            "What is hashed, with line breaks as they are."),
        .init(
            "key", .text(.textTemplate), default: "none; beside `hmac` it is required", beside: ["hmac"],
            "The key: a reference to a secret; a text beside it is a part of the key."),
        .init(
            "key-as",
            .word([
                .init("text", "Its bytes are those of the text in UTF-8."), .init("hex", "In hexadecimal digits."),
                .init("base64", "In base64 (RFC 4648, section 4)."),
            ]), default: "text", beside: ["hmac"], "How the key is written."),
        .init(
            "as",
            .word([
                .init("hex", "Hexadecimal digits, in small letters."), .init("base64", "Base64 (RFC 4648, section 4)."),
                .init("base64url", "Base64url without padding (RFC 4648, section 5)."),
            ]), default: "hex", beside: ["hash", "hmac"], "How the result is written."),
        .init(
            "time",
            .word([
                .init("unix", "Seconds since 1970."), .init("unix-milliseconds", "Milliseconds since 1970."),
                .init("rfc3339", "As in `2026-11-25T09:30:00Z`."),
                .init("http", "As in `Wed, 25 Nov 2026 09:30:00 GMT` (RFC 9110, section 5.6.7)."),
            ]), "The time of now."),
        .init(
            "clock", .text(.textTemplate), beside: ["time"],
            "How far the server's clock is ahead: a whole reference to a value of type `clock`."),
    ]

    private static let digests = [
        ValueShape.Word("sha-256", "SHA-256 (FIPS 180-4)."), .init("sha-384", "SHA-384."), .init("sha-512", "SHA-512."),
    ]

    /// How a value is worked out of each request.
    static let requestFunction = Construct(
        "a function of a request", "How a value is worked out for each request anew.",
        alternatives: ["join", "hash", "hmac", "time"], keys: requestFunctionKeys)

    private static let function = Construct(
        "a function", "How a value is worked out.",
        alternatives: [
            "totp", "json", "merge", "join", "scopes", "same", "value", "hash", "hmac", "time", "thumbprint", "private-key",
            "certificate-request",
            "identity", "pem", "serial-number", "lifetime",
        ],
        keys: requestFunctionKeys + [
            .init(
                "merge", .list(of: .json),
                "One text of JSON of several objects: a member of a later one takes the place of one of the same name, and objects are merged in turn. Each is an object as it stands here, or a reference to a text that has one; what is absent is left out. A text that has none ends the steps in an error."
            ),
            .init(
                "same", .list(of: .text(.textTemplate)),
                "Whether all of these are there and the same text, for `when`."),
            .init(
                "thumbprint", .text(.textTemplate),
                "The hash by which servers name a private key on P-256 (RFC 7638, section 3): a reference to a secret that has it in PEM."
            ),
            .init(
                "scopes", .list(of: .text(.textTemplate)),
                "The scopes (RFC 6749, section 3.3) of several texts and lists, each once, with spaces between them; what is absent is left out."
            ),
            .init(
                "value", .text(.textTemplate),
                "A whole reference to a value, which is taken as it is, or left out where it is absent: such as an address that a document names, for a field of the credential."
            ),
            .init(
                "totp", .text(.textTemplate),
                "The one-time passcode of now (RFC 6238: SHA-1, 6 digits, 30 seconds) for a key in Base32."),
            .init("json", .json, "A part of the JSON of later steps, which refer to it as a whole."),
            .init(
                "private-key", .text(.textTemplate),
                "A private key: `p256`, for ECDSA on the curve P-256; `rsa2048`, for RSA of 2048 bits; or a whole reference to a value that is one of these words."
            ),
            .init(
                "certificate-request", .construct(certificateRequest),
                "A certificate request (PKCS #10, RFC 2986): as a `body` its DER, in a text that in base64."),
            .init("identity", .construct(identity), "The identity of a key and its certificate."),
            .init(
                "pem", .text(.textTemplate),
                "A whole reference to a certificate request, or to an identity, whose certificate is meant: it in PEM (RFC 7468)."),
            .init(
                "serial-number", .text(.textTemplate),
                "A whole reference to an identity: the serial number of its certificate, in hexadecimal."),
            .init(
                "lifetime", .text(.textTemplate),
                "A whole reference to an identity: how long its certificate is valid still, for `expires`."),
        ])

    private static let certificateRequest = Construct(
        "a certificate request", "The key and the subject that a certificate is to be for.",
        keys: [
            .init("key", .text(.textTemplate), required: true, "A whole reference to a `private-key`, with which it is signed."),
            .init("subject", .text(.textTemplate), "A distinguished name, as RFC 4514 writes it."),
            .init("dns", .text(.textTemplate), "Names of hosts: a list, or a text with commas between them."),
            .init("email", .text(.textTemplate), "E-mail addresses, in the same way."),
        ])

    private static let identity = Construct(
        "an identity", "A key and the certificate for it.",
        keys: [
            .init("key", .text(.textTemplate), required: true, "A whole reference to the `private-key`."),
            .init(
                "certificates", .text(.textTemplate), required: true,
                "A whole reference to what has its certificate, among those of its issuers or alone: PEM, or base64 of DER or PKCS #7."
            ),
        ])

    private static let prompt = Construct(
        "a prompt", "What the application is asked for at one time.", alternatives: ["fields", "page"],
        keys: [
            .init(
                "fields", .named(.fieldReference, key: "the value's name", .construct(promptField)),
                "What is asked for, as far as it is absent: fields of the credential without `from`, optional parameters, and values for the steps after it."
            ),
            .init("page", .construct(promptPage), "What a server wants to know, as it says in JSON."),
        ])

    private static let promptPage = Construct(
        "a page to fill in", "Where JSON of a server says what the user is to answer, with pointers (RFC 6901).",
        keys: [
            .init("json", .text(.textTemplate), required: true, "A whole reference to what an answer captured with `type: json`."),
            .init(
                "answers", .text(.memberName), required: true,
                "The name of what the application answers, for the steps after it: a form takes it under `\"*\"`, JSON as an object."
            ),
            .init("within", .text(.duration), default: "120s", "How long an answer may take."),
            .init("fields", .text(.pointer), required: true, "The list of the fields, which may be empty."),
            .init("name", .text(.pointer), required: true, "In a field: the name that its value is sent under."),
            .init("prompt", .text(.pointer), "In a field: what the user reads."),
            .init("preset", .text(.pointer), "In a field: the value that is there already."),
            .init("type", .text(.pointer), "In a field: how it is typed."),
            .init("hidden", .text(.configurationKey), beside: ["type"], "The type of fields that show no letters."),
            .init("confirms", .text(.pointer), "In a field: the name of another that has to have the same value."),
            .init("message", .text(.pointer), "What the server says."),
            .init("message-type", .text(.pointer), "How it means that: `none`, `information`, `warning` or `error`."),
            .init("disclaimer", .text(.pointer), "What the user has to agree to."),
        ])

    private static let promptField = Construct(
        "a field of a prompt", "A value that the application is asked for.",
        keys: [
            .init(
                "type", .word(textWords + [identityWord]), required: true,
                "The type, which is that of the credential's field or the parameter."),
            summaryKey,
        ])
}
