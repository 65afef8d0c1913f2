extension SpecLanguage {
    /// The file `landscape.yaml` of version 2.
    package static let programLandscape = Construct(
        "a landscape", "What the methods of a landscape share.", in: .two,
        keys: [
            Version.two.key, landscapeKey, extendsKey, summaryKey, discussionKey,
            .init(
                "settings", .named(.memberName, key: "the setting's name", .construct(setting)),
                "What all methods share, in the order of the initialiser: a struct, from which parameters can be made."),
            .init(
                "server", .text(.fieldReference), beside: ["settings"], "The `url` among the settings that is the server's address."
            ),
            programOperationsKey,
            .init(
                "methods",
                .named(
                    .stem, key: "an inherited file, without `.yaml`", .shorthand(.word([omitted]), or: .construct(programOverride))),
                "What differs from the landscape that this one extends."),
            .init("swift", .construct(landscapeSurface), "What is generated in Swift."),
        ])

    /// What a landscape can change of an inherited method: mappings are merged, lists and texts replaced.
    package static let programOverride = Construct(
        "an override", "What differs from the inherited method.", in: .two, isOverride: true,
        keys: programKeys + [pinsKey, bearerKey, obtainKey, retireKey, cancelledKey])

    private static let setting = Construct(
        "a setting", "A value that all methods share.", in: .two,
        keys: [
            .init("type", fieldType(in: .two), required: true, "What it holds."),
            summaryKey, discussionKey,
            .init("example", .text(.valueOfField), "A value for documentation and the mock landscape."),
            configurationKey,
        ] + ["default", "optional", "allow-http"].compactMap(field.key))

    private static let configurationKey = Construct.Key(
        "configuration", .list(of: .text(.configurationKey)), "Its keys in configuration files; the first that is there wins.")

    /// Every other file of version 2.
    package static let program = Construct(
        "a method", "A method of authentication: the life of its credential, from the challenge to the end.", in: .two,
        keys: [Version.two.key, methodKey, titleKey] + programKeys)

    private static let programKeys: [Construct.Key] =
        [
            summaryKey, discussionKey,
            .init(
                "factor",
                .word([
                    .init("first", "It stands by itself."),
                    .init("second", "It comes behind another method, whose challenges are answered first."),
                ]), default: "first", "Whether the method needs another before it."),
            .init(
                "parameters", .named(.memberName, key: "the parameter's name", .construct(parameter)),
                "What the method needs to know, in the order of the initialiser."),
            .init(
                "challenge", .list(of: .construct(programChallenge)), required: true, unless: ["credential", "eager"],
                "What a challenge looks like, and what it says; the first that fits is taken."),
            .init(
                "credential", .construct(credential), required: true,
                "What the credential consists of, what it is kept apart by, and where it may go."),
            .init(
                "client", .construct(tokenClient), "The client in requests with `oauth2-token` that name none."),
            .init("acquire", .list(of: .construct(programStep)), "The steps to a credential."),
            .init(
                "renew", .list(of: .construct(programStep)), default: "only `acquire` leads to a credential",
                "The steps from one credential to the next. They run without the user and have no challenge; what they do not fill stays as it was, but for the lifetime. "
                    + "They run before the credential runs out, and where `rejected` says so, if every field is there that they name without a mark."
            ),
            .init(
                "attach", .list(of: .construct(placement)),
                "Where the credential is in a request. Cookies go by themselves; anything else is named here."),
            .init(
                "rejected", .list(of: .construct(rejection)),
                "What follows a challenge to a request that had the credential; the first that fits is taken."),
            .init(
                "end", .list(of: .construct(programStep)), default: "no request",
                "The steps that tell servers, after a logout, that the credential is no longer used. They ask nothing."),
            .init(
                "variants", .named(.label, key: "the variant's name", .construct(variant)),
                "Alternative ways to the credential, each with what the method has beside them."),
            programFailuresKey, programErrorsKey, mockKey,
            .init("swift", .construct(methodSurface), "What is generated in Swift."),
        ]

    private static let variant = Construct(
        "a variant", "A way to the credential of a method that has several, such as a grant of OAuth 2.0.", in: .two,
        keys: [
            .init("summary", .text(.prose), default: "one that names the method", "One sentence on its parameters."), discussionKey,
            .init(
                "parameters", .named(.memberName, key: "the parameter's name", .construct(parameter)),
                "What it needs to know beside the method's own parameters."),
            .init("client", .construct(tokenClient), "The client in requests with `oauth2-token` that name none."),
            .init("acquire", .list(of: .construct(programStep)), required: true, "The steps to a credential."),
            .init("renew", .list(of: .construct(programStep)), "The steps from one credential to the next."),
            .init(
                "then", .text(.label),
                "Another variant, which takes over after the first credential: this one is run once, with what is good for one use."
            ),
            .init(
                "within", .text(.duration), default: "no limit", beside: ["then"],
                "How long after its authenticator is made this variant can be run; later it is `invalid-argument`."),
            .init("swift", .construct(variantSurface), "What is generated in Swift."),
        ])

    private static let parameter = Construct(
        "a parameter", "A value that the application gives.", in: .two,
        keys: [
            .init("type", fieldType(in: .two), required: true, "What it holds."),
            summaryKey, discussionKey,
            .init("example", .text(.valueOfField), "A value for documentation and the mock landscape."),
            .init(
                "from", .text(.textTemplate), "How it follows from the landscape's settings, such as `{settings.backendURL}/login`."
            ),
            configurationKey,
        ] + ["default", "optional", "allow-http"].compactMap(field.key))

    private static let programChallenge = Construct(
        "a challenge", "One look of a challenge: all that it names has to agree.", in: .two,
        keys: [challengeNameKey] + responseKeys + [
            .init(
                "proxy-authenticate", .shorthand(.text(.token), or: .construct(programScheme)), beside: ["status"],
                "The authentication scheme that a proxy offers; a text stands for `scheme`."),
            .init(
                "tls",
                .word([
                    .init(
                        "client-certificate",
                        "The server ends the handshake because a client certificate is missing, or is not good enough.")
                ]), "No response at all: a connection that the server refuses."),
            .init(
                "when", .named(.memberName, key: "a parameter", .word(parameterWords)), default: "always",
                "When it counts as a challenge: where all of this holds."),
            .init(
                "capture", .named(.memberName, key: "the value's name", .construct(capture)),
                "What it says, for references like `{challenge.realm}`."),
        ])

    /// What a response is compared with.
    static let responseKeys: [Construct.Key] = [
        statusKey,
        .init(
            "headers", .named(.fieldName, key: "the header field", .shorthand(.text(.textTemplate), or: .construct(pattern))),
            "The header fields that it has: `present` for any value, another text for the whole value. A name can be a whole reference to a parameter of type `header`."
        ),
        wwwAuthenticateKey(programScheme),
        .init(
            "text", .construct(pattern),
            "What is in the body, whatever its media type but that of an event stream; of a challenge, in its first 64 KiB. Beside a challenge's status or headers."
        ),
        .init(
            "json", .named(.pointer, key: "a JSON Pointer (RFC 6901)", .shorthand(.text(.textTemplate), or: .construct(pattern))),
            "The values of a JSON body: `present` for any but `null`, another text for the whole value, such as `true` or `17`. A challenge's body has 64 KiB at most, and is no event stream."
        ),
        .init(
            "cookies",
            .shorthand(
                .word([.init("present", "It sets a cookie, of whatever name.")]),
                or: .named(.token, key: "the cookie's name", .shorthand(.text(.textTemplate), or: .construct(pattern)))),
            "The cookies that it sets: `present` for any value, another text for the whole value. One that is deleted, or that the server may not set, does not count."
        ),
    ]

    private static let programScheme = authenticationScheme(
        in: .two, pattern,
        "The parameters that come with it, without their quotes: `present` for any value, another text for the whole value.")

    static let pattern = Construct(
        "a match", "What a part of a value has to be.", in: .two, alternatives: ["prefix", "contains"],
        keys: [
            .init("prefix", .text(.textTemplate), "The value begins with this."),
            .init("contains", .text(.textTemplate), "The value has this in it."),
        ])

    private static let capture = Construct(
        "a capture", "A value of a challenge.", in: .two, alternatives: captureSources,
        keys: captureKeys(types: [.string, .url]))

    /// The keys that say where a value is.
    static let captureSources = ["header", "parameter", "json", "cookie", "input"]

    /// The keys that say what is made of a text.
    ///
    /// - Parameter types: What it can be read as.
    static func valueKeys(types: [ProgramType]) -> [Construct.Key] {
        captureKeys(types: types).filter { ["type", "default", "optional"].contains($0.name) }
    }

    /// - Parameter types: What the value can be read as.
    static func captureKeys(types: [ProgramType]) -> [Construct.Key] {
        [
            .init(
                "json", .oneOrList(of: .text(.pointer)),
                "The place of the value in a body of JSON; of several places, the first that has one counts."),
            .init("cookie", .text(.token), "The cookie that the response sets and that has the value."),
            .init(
                "input", .text(.textTemplate),
                "The name of the `input` in a body of HTML that has the value, such as a hidden one that goes back with a form."),
            .init("header", .text(.token), "The header field that has the value."),
            .init("parameter", .text(.token), "The parameter of the authentication scheme that has the value."),
            .init("type", .word(types.map(captureWord)), default: "string", "What the value is read as."),
            .init(
                "within", .list(of: .text(.textTemplate)), beside: ["type"],
                "Where a `url` may lead: `{request.url.origin}` for the origin of the response, and whole references to parameters of type `origins` or `url`."
            ),
            .init("default", .text(.anyText), "What is taken where there is no value."),
            .init(
                "optional", .text(.boolean), default: "false",
                "Whether the response fits without the value; otherwise it does not."),
        ]
    }

    private static func captureWord(_ type: ProgramType) -> ValueShape.Word {
        let summary =
            switch type {
            case .string: "Any text."
            case .secret: "A text that is redacted wherever it could be seen."
            case .url: "An address: `https`, or `http` on this machine, and at one of the origins of `within`."
            case .duration: "A number of seconds; `default` is a length of time with a unit, such as `60s`, `15m` or `1h`."
            case .date:
                "A point in time (RFC 3339, a date of HTTP, or seconds since 1970), counted from the `Date` of the response."
            case .header, .origins, .json, .cookies, .boolean, .scopes, .identity, .requestHandler: ""
            }
        return ValueShape.Word(type.rawValue, summary)
    }

    private static let credential = Construct(
        "a credential", "What the method attaches to requests.", in: .two,
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
                    + "Then nothing of it comes from a challenge, and `challenge` is there only if something follows a refusal."
            ),
            .init(
                "for", .list(of: .text(.textTemplate)), required: true, unless: ["cookies"], is: "shared",
                "The servers that may receive it: whole references to parameters of type `origins` or `url`; `requested`, for the first that the application asks on a session, where no parameter names one; and `steps`, for the server of the settings that the parameters were made of, or those that the steps lead to."
            ),
        ])

    private static let credentialField = Construct(
        "a field of a credential", "A part of a credential, which `from` or a step fills.", in: .two,
        keys: [
            .init("type", .word(textWords + timeWords + [identityWord]), required: true, "What it holds."),
            summaryKey,
            .init("from", .text(.textTemplate), "What it is filled with: values of the challenge, and parameters."),
            .init(
                "place",
                .word([
                    .init("requests", "In requests, as `attach` says."),
                    .init("store", "In no request: it is what a store keeps of another field."),
                ]), default: "requests", "Where it is used."),
        ])

    private static let identityWord = ValueShape.Word(
        "identity", "A certificate and its key, with which connections are made; `attach` names it under `identity`.")

    private static let parameterWords: [ValueShape.Word] = [
        .init("present", "The value has to be there."), .init("absent", "The value has to be absent."),
        .init("true", "The `boolean` has to be true."), .init("false", "The `boolean` has to be false."),
    ]

    private static let textWords = [FieldType.string, .secret].map(word)

    private static let timeWords = [
        ValueShape.Word(
            "duration", "A length of time, which an answer says. It has no text, and stands under `expires` alone."),
        ValueShape.Word("date", "A point in time, which an answer says. It has no text, and stands under `expires` alone."),
    ]

    private static let expiry = Construct(
        "an expiry", "How long a credential is good for.", in: .two, alternatives: ["after", "at"],
        keys: [
            .init(
                "after", .text(.textTemplate),
                "How long after it was obtained: a whole reference to a field of type `duration`."),
            .init("at", .text(.textTemplate), "When: a whole reference to a field of type `date`."),
        ])

    private static let programStep = Construct(
        "a step", "A step to a credential, to the next, or to its end.", in: .two,
        alternatives: ["generate", "prompt", "present", "http", "compute"],
        keys: [
            .init(
                "when",
                .named(
                    .valueName, key: "a value, such as `project` or `challenge.scope`",
                    .word(parameterWords)), default: "always", "When the step runs: where all of this holds."),
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
                    ])), "Makes unpredictable values, for the steps after it."),
            .init("prompt", .construct(prompt), "Asks the application, which may ask the user."),
            .init("present", .construct(programPage), "Shows the user a login page until the browser is sent back."),
            .init("http", .construct(programCall), "Sends a request of the method's own."),
            .init(
                "compute", .named(.memberName, key: "the value's name", .construct(function)),
                "Works values out. Each is for the steps after it, or a field of the credential."),
            stepFailuresKey,
        ])

    private static let function = Construct(
        "a function", "How a value is worked out.", in: .two, alternatives: ["totp", "json", "join"],
        keys: [
            .init(
                "join", .list(of: .text(.textTemplate)),
                "One text of several, one behind another; what is absent of them is left out. Joined with a `random` value it is as unpredictable."
            ),
            .init(
                "totp", .text(.textTemplate),
                "The one-time passcode of now (RFC 6238: SHA-1, 6 digits, 30 seconds) for a key in Base32."),
            .init("json", .json, "A part of the JSON of later steps, which refer to it as a whole."),
        ])

    private static let prompt = Construct(
        "a prompt", "What the application is asked for at one time.", in: .two,
        keys: [
            .init(
                "fields", .named(.fieldReference, key: "the value's name", .construct(promptField)), required: true,
                "What is asked for, as far as it is absent: fields of the credential without `from`, optional parameters, and values for the steps after it."
            )
        ])

    private static let promptField = Construct(
        "a field of a prompt", "A value that the application is asked for.", in: .two,
        keys: [
            .init(
                "type", .word(textWords + [identityWord]), required: true,
                "The type, which is that of the credential's field or the parameter."),
            summaryKey,
        ])

    private static let placement = Construct(
        "an attachment", "How the credential gets into requests.", in: .two, alternatives: ["headers", "sign", "identity"],
        keys: [
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
        "a signature", "How a standard writes the credential.", in: .two, alternatives: ["basic", "digest"],
        keys: [
            .init("basic", .construct(basic), "In the `Authorization` field, by the Basic scheme (RFC 7617)."),
            .init(
                "digest", .construct(digest),
                "In the `Authorization` field, by the Digest scheme (RFC 7616), for each request anew: MD5 or SHA-256, of which the strongest "
                    + "that is offered is taken, with `-sess`, `qop=auth`, `stale`, `nextnonce` and `userhash`."),
        ])

    static let signature = Construct(
        "the signature of a request", "How a standard writes what a request of the method's own shows.", in: .two,
        keys: [
            .init("basic", .construct(basic), required: true, "In the `Authorization` field, by the Basic scheme (RFC 7617).")
        ])

    private static let basic = Construct(
        "the Basic scheme", "A user name and a password.", in: .two,
        keys: [
            .init("user", .text(.textTemplate), required: true, "The user name."),
            .init("password", .text(.textTemplate), required: true, "The password."),
        ])

    private static let digest = Construct(
        "the Digest scheme", "A user name and a password, of which no more than hashes is sent.", in: .two,
        keys: [
            .init("user", .text(.textTemplate), required: true, "The user name."),
            .init("password", .text(.textTemplate), required: true, "The password."),
        ])

    private static let rejection = Construct(
        "a rejection", "What follows a challenge to a request that had the credential.", in: .two,
        keys: [
            .init("challenge", .text(.label), default: "any", "The name of the challenge."),
            .init(
                "then",
                .list(
                    of: .word([
                        .init("resend", "The credential is filled anew with what the challenge says, without a step."),
                        .init("renew", "The steps under `renew` run, if a server had accepted the credential."),
                        .init("acquire", "The steps to a credential run."),
                    ])), required: true,
                "What is done: a list with one word, or `[renew, acquire]` for the second where the first leads to nothing."),
            .init(
                "retry", .text(.retries), default: "0",
                "How many refusals in a row are borne of credentials that no server has accepted."),
            .init("error", .text(.caseReference), "The case of `errors` where nothing follows."),
        ])
}
