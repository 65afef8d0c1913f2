extension SpecLanguage {
    static let step = Construct(
        "a step", "A step that obtains, renews or ends a credential.",
        alternatives: actions.map(\.name) + ["repeat"],
        keys: [nameKey, whenKey] + actions + [
            .init("repeat", .construct(repetition), "Repeats steps."),
            stepFailuresKey(beside: failing + ["repeat"]),
        ])

    /// The steps within a `repeat`.
    private static let repeatedStep = Construct(
        "a repeated step", "A repeated step.", alternatives: actions.map(\.name),
        keys: [nameKey, whenKey] + actions + [stepFailuresKey(beside: failing)])

    private static let failing = ["prompt", "present", "http", "verify", "compute"]

    private static let repetition = Construct(
        "a repetition", "Steps that run while conditions hold. Each run replaces the values that they set.",
        keys: [
            .init(
                "while", .named(.valueName, key: "a value, such as `page`", .word(parameterWords)), required: true,
                "The conditions, checked before each run, including the first."),
            .init(
                "limit", .text(.count), default: "10; with `every`, limited only by time",
                "The maximum number of runs. All steps together send at most 128 requests without such a pause between them."),
            .init(
                "every", .text(.textTemplate),
                "The pause before each run, at least 1 second: a whole reference to a `duration`, or a literal such as `5s`. A request without a response doubles it, and fails only if its step has an error for that (RFC 8628, section 3.5)."
            ),
            .init(
                "within", .text(.textTemplate), beside: ["every"],
                "The time limit, at most one hour: a whole reference to a `duration`, or a literal such as `10m`. It is required with `every`."
            ),
            .init("steps", .list(of: .construct(repeatedStep)), required: true, "The steps."),
        ])

    static let nameKey = Construct.Key(
        "name", .text(.label), default: "none", "The name by which overriding landscapes refer to this item; see `methods` there.")

    private static let whenKey = Construct.Key(
        "when",
        .named(.valueName, key: "a value, such as `project` or `challenge.scope`", .word(parameterWords)), default: "always",
        "The conditions of the step. All must hold.")

    private static let actions: [Construct.Key] = [
        .init(
            "generate",
            .named(
                .memberName, key: "the value's name",
                .word([
                    .init("random", "256 random bits as 43 characters, not secret, such as a `state`."),
                    .init(
                        "pkce",
                        "A code verifier (RFC 7636): a secret whose hash is in a login page's query (`pkce`), and which a later request sends."
                    ),
                    .init(
                        "p256-key",
                        "A P-256 private key, as a secret in PEM, for `sign`. It can be a field of the credential, stored with the token."
                    ),
                ])), "Generates unpredictable values for later steps."),
        .init("prompt", .construct(prompt), "Asks the application, which may ask the user."),
        .init("present", .construct(loginPage), "Shows a login page until the browser reaches its end."),
        .init("http", .construct(request), "Sends a request of the method's own."),
        .init("verify", .construct(verification), "Verifies a JSON Web Token and captures its claims."),
        .init(
            "compute", .named(.memberName, key: "the value's name", .construct(function)),
            "Computes values for later steps or fields of the credential, one after another: each function can use the values before it. A value under `when` that must be absent, or that may become absent, is computed last."
        ),
    ]

    static let parameterWords: [ValueShape.Word] = [
        .init("present", "The value must be present."), .init("absent", "The value must be absent."),
        .init("true", "The `boolean` must be true."), .init("false", "The `boolean` must be false."),
    ]

    /// The encodings of a text that a function reads.
    private static let encodings: [ValueShape.Word] = [
        .init("text", "The UTF-8 bytes of the text."), .init("hex", "Hexadecimal digits."),
        .init("base64", "Base64 (RFC 4648, section 4)."),
    ]

    /// Returns the keys of functions that are also available for each request.
    ///
    /// - Parameter deriveKeys: Whether there is `pbkdf2`, which takes too long for each request.
    private static func functionKeys(deriveKeys: Bool) -> [Construct.Key] {
        let keyed = deriveKeys ? ["hmac", "pbkdf2"] : ["hmac"]
        let needed = deriveKeys ? "`hmac` and `pbkdf2`" : "`hmac`"
        let encoded = deriveKeys ? "`hash`, `hmac` and `pbkdf2`" : "`hash` and `hmac`"
        let key = deriveKeys ? "The key, or the password" : "The key"
        return [
            .init(
                "join", .list(of: .text(.textTemplate)),
                "The concatenation of texts; absent ones are omitted. With a `random` value it is as unpredictable."
            ),
            .init("hash", .word(digests), "The hash of the text under `of`."),
            .init(
                "hmac", .word(digests),
                "The message authentication code (HMAC, RFC 2104) of the text under `of` by the key under `key`, as a secret."),
            .init(
                "of", .text(.textTemplate), default: "none; required with `hash` and `hmac`", beside: ["hash", "hmac"],
                "The text to hash, with unchanged line breaks."),
            .init(
                "of-as", .word(encodings), default: "text", beside: ["hash", "hmac"],
                "The encoding of the text to hash, whose bytes are hashed: for the hash of another hash, or of several texts in hexadecimal digits."
            ),
            .init(
                "key", .text(.textTemplate), default: "none; required with \(needed)", beside: keyed,
                "\(key): a reference to a secret, with or without literal text."),
            .init("key-as", .word(encodings), default: "text", beside: keyed, "The encoding of the key."),
            .init(
                "as",
                .word([
                    .init("hex", "Lowercase hexadecimal digits."), .init("base64", "Base64 (RFC 4648, section 4)."),
                    .init("base64url", "Base64url without padding (RFC 4648, section 5)."),
                ]), default: "`hex` with \(encoded); with `join`, the text itself", beside: ["join", "hash"] + keyed,
                "The encoding of the result; with `join`, of the UTF-8 bytes of the text, which can then contain secrets and is a secret itself."
            ),
            .init(
                "time",
                .word([
                    .init("unix", "Seconds since 1970."), .init("unix-milliseconds", "Milliseconds since 1970."),
                    .init("rfc3339", "As in `2026-11-25T09:30:00Z`."),
                    .init("http", "As in `Wed, 25 Nov 2026 09:30:00 GMT` (RFC 9110, section 5.6.7)."),
                ]), "The current time."),
            .init(
                "clock", .text(.textTemplate), beside: ["time"],
                "The offset of the server's clock: a whole reference to a value of type `clock`."),
        ]
    }

    private static let digests = [
        ValueShape.Word("sha-256", "SHA-256 (FIPS 180-4)."), .init("sha-384", "SHA-384."), .init("sha-512", "SHA-512."),
    ]

    /// The computation of a value for each request.
    static let requestFunction = Construct(
        "a function of a request", "A computation for each request.",
        alternatives: ["join", "hash", "hmac", "time"], keys: functionKeys(deriveKeys: false))

    private static let function = Construct(
        "a function", "A computation.",
        alternatives: [
            "totp", "json", "merge", "join", "part", "scopes", "same", "value", "hash", "hmac", "pbkdf2", "time", "thumbprint",
            "jwt", "private-key", "certificate-request",
            "identity", "pem", "serial-number", "lifetime",
        ],
        keys: functionKeys(deriveKeys: true) + [
            .init(
                "pbkdf2", .word(digests),
                "A key that is derived from the password under `key` by PBKDF2 with HMAC (RFC 8018, section 5.2), as a secret with as many bytes as the hash: `{ pbkdf2: sha-256, key: \"{password}\", salt: \"{salt}\", salt-as: hex, iterations: \"{rounds}\" }`."
            ),
            .init(
                "salt", .text(.textTemplate), default: "none; required with `pbkdf2`", beside: ["pbkdf2"],
                "The salt, which is not empty."),
            .init("salt-as", .word(encodings), default: "text", beside: ["pbkdf2"], "The encoding of the salt."),
            .init(
                "iterations", .text(.textTemplate), default: "none; required with `pbkdf2`", beside: ["pbkdf2"],
                "The number of iterations: a number from 1 to 2000000, or a whole reference to a `string` with one. A server can require 1000 to 2000000; any other number ends the steps with an error."
            ),
            .init(
                "part", .text(.textTemplate),
                "A part of a text, at most 64 KiB: from the first occurrence of the text under `after` to the next occurrence of that under `before`. A text without them ends the steps with an error. Of `2$6000$c3d4`, `{ part: \"{terms}\", after: \"2$\", before: \"$\" }` is `6000`."
            ),
            .init(
                "after", .text(.textTemplate), default: "the part begins with the text", beside: ["part"],
                "The text before the part, which can have references."),
            .init(
                "before", .text(.textTemplate), default: "the part ends with the text", beside: ["part"],
                "The text after the part, which can have references."),
            .init(
                "merge", .list(of: .json),
                "The JSON text of merged objects: later members replace earlier ones of the same name, and nested objects are merged. Each is a literal object, or a reference to a text with an object; absent ones are omitted. A text without an object ends the steps with an error."
            ),
            .init(
                "same", .list(of: .text(.textTemplate)),
                "Whether all of these texts are present and equal, for `when`."),
            .init(
                "thumbprint", .text(.textTemplate),
                "The thumbprint of a P-256 key (RFC 7638, section 3): a reference to a secret with the private key in PEM."
            ),
            .init(
                "jwt", .construct(signedToken),
                "A JSON Web Token (RFC 7519) that the client signs, as a secret: an assertion for a server (RFC 7523), or a token that requests carry."
            ),
            .init(
                "scopes", .list(of: .text(.textTemplate)),
                "The scopes (RFC 6749, section 3.3) of several texts and lists, without repetition and separated by spaces; absent ones are omitted."
            ),
            .init(
                "value", .text(.textTemplate),
                "A whole reference to a value, used unchanged, or omitted if it is absent: for example a document's URL for a field of the credential."
            ),
            .init(
                "totp", .text(.textTemplate),
                "The current one-time passcode (RFC 6238: SHA-1, 6 digits, 30 seconds) of a key in Base32."),
            .init("json", .json, "A part of the JSON of later steps, which use it by a whole reference."),
            .init(
                "private-key", .text(.textTemplate),
                "A new private key: `p256`, for ECDSA on P-256; `rsa2048`, for RSA with 2048 bits; or a whole reference to a value that is one of these words."
            ),
            .init(
                "certificate-request", .construct(certificateRequest),
                "A certificate signing request (PKCS #10, RFC 2986): DER as a `body`, Base64 of it in a text."),
            .init("identity", .construct(identity), "The identity of a key and its certificate."),
            .init(
                "pem", .text(.textTemplate),
                "The PEM text (RFC 7468) of a certificate request, or of an identity's certificate: a whole reference."),
            .init(
                "serial-number", .text(.textTemplate),
                "The serial number of an identity's certificate in hexadecimal: a whole reference."),
            .init(
                "lifetime", .text(.textTemplate),
                "The remaining validity of an identity's certificate, for `expires`: a whole reference."),
        ])

    private static let signedToken = Construct(
        "a signed token", "The claims of a token, and the key that signs it.",
        keys: [
            .init(
                "key", .text(.textTemplate), required: true,
                "The private key: a reference to a secret in PEM, for RSA with at least 2048 bits, or ECDSA on P-256, P-384 or P-521. "
                    + "If the PEM also contains certificates, the first is that of the key, and the token has its thumbprint (`x5t#S256`; RFC 7515, section 4.1.8)."
            ),
            .init("key-id", .text(.textTemplate), default: "none", "The identifier of the key: the `kid` of the token."),
            .init(
                "rsa-algorithm", .word(rsaAlgorithms), default: "RS256",
                "The algorithm of an RSA key (RFC 7518, section 3.1). The algorithm of other keys is that of their curve."),
            .init(
                "claims", .named(.formName, key: "the claim, which can have `{references}` to parameters", .json), required: true,
                "The claims, as JSON. Texts can have references, and names can have references to parameters; absent values are omitted with their names. "
                    + "`iat` and `exp` are added, and a random `jti` unless there is one. Without `aud`, every server that knows the key could accept the token; add it unless the server does not support it."
            ),
            .init(
                "lifetime", .text(.duration), default: "60s",
                "The time from `iat` to `exp`, from `1s` to `24h`. The lifetime of a token that requests carry is also in `expires`."
            ),
            .init(
                "clock-skew", .text(.duration), default: "none",
                "The time by which `iat` is in the past, less than the lifetime, for a server whose clock can be behind and that refuses tokens of the future."
            ),
        ])

    private static let certificateRequest = Construct(
        "a certificate request", "The key and the subject of a requested certificate.",
        keys: [
            .init("key", .text(.textTemplate), required: true, "A whole reference to a `private-key`, which signs the request."),
            .init("subject", .text(.textTemplate), "A distinguished name (RFC 4514)."),
            .init("dns", .text(.textTemplate), "Host names: a list, or a text separated by commas."),
            .init("email", .text(.textTemplate), "E-mail addresses: a list, or a text separated by commas."),
        ])

    private static let identity = Construct(
        "an identity", "A key and its certificate.",
        keys: [
            .init("key", .text(.textTemplate), required: true, "A whole reference to the `private-key`."),
            .init(
                "certificates", .text(.textTemplate), required: true,
                "A whole reference to its certificate, with or without those of its issuers: PEM, or Base64 of DER or PKCS #7."
            ),
        ])

    private static let prompt = Construct(
        "a prompt", "A request for values to the application.", alternatives: ["fields", "page"],
        keys: [
            .init(
                "fields", .named(.fieldReference, key: "the value's name", .construct(promptField)),
                "The requested values, as far as they are absent: fields of the credential without `from`, optional parameters, and values for later steps."
            ),
            .init("page", .construct(promptPage), "The input that a server requests in JSON."),
        ])

    private static let promptPage = Construct(
        "a page to fill in", "The mapping of a server's JSON to input fields, by JSON pointers (RFC 6901).",
        keys: [
            .init(
                "json", .text(.textTemplate), required: true,
                "A whole reference to a value that an answer captured with `type: json`."),
            .init(
                "answers", .text(.memberName), required: true,
                "The name of the application's answers, for later steps: a form includes them as `\"*\"`, JSON as an object."
            ),
            .init("within", .text(.duration), default: "120s", "The time limit of an answer."),
            .init("fields", .text(.pointer), required: true, "The pointer to the list of fields, which may be empty."),
            .init("name", .text(.pointer), required: true, "In a field: the name of the answer."),
            .init("prompt", .text(.pointer), "In a field: the label for the user."),
            .init("preset", .text(.pointer), "In a field: the preset value."),
            .init("type", .text(.pointer), "In a field: the input type."),
            .init("hidden", .text(.configurationKey), beside: ["type"], "The input type of hidden fields."),
            .init("confirms", .text(.pointer), "In a field: the name of another field that must have the same value."),
            .init("message", .text(.pointer), "The server's message."),
            .init("message-type", .text(.pointer), "The severity of the message: `none`, `information`, `warning` or `error`."),
            .init("disclaimer", .text(.pointer), "The disclaimer that the user has to accept."),
        ])

    private static let promptField = Construct(
        "a field of a prompt", "A requested value.",
        keys: [
            .init(
                "type", .word(textWords + [identityWord]), required: true,
                "The type, equal to that of the credential's field or the parameter."),
            summaryKey,
        ])
}
