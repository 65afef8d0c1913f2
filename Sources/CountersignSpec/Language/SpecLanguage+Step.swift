extension SpecLanguage {
    static let step = Construct(
        "a step", "A step to a credential, to the next, or to its end.",
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
            .init("present", .construct(loginPage), "Shows the user a login page until the browser is sent back."),
            .init("http", .construct(request), "Sends a request of the method's own."),
            .init(
                "compute", .named(.memberName, key: "the value's name", .construct(function)),
                "Works values out. Each is for the steps after it, or a field of the credential."),
            stepFailuresKey,
        ])

    static let parameterWords: [ValueShape.Word] = [
        .init("present", "The value has to be there."), .init("absent", "The value has to be absent."),
        .init("true", "The `boolean` has to be true."), .init("false", "The `boolean` has to be false."),
    ]

    private static let function = Construct(
        "a function", "How a value is worked out.", alternatives: ["totp", "json", "join"],
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
        "a prompt", "What the application is asked for at one time.",
        keys: [
            .init(
                "fields", .named(.fieldReference, key: "the value's name", .construct(promptField)), required: true,
                "What is asked for, as far as it is absent: fields of the credential without `from`, optional parameters, and values for the steps after it."
            )
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
