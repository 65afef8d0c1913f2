import CountersignSpec

extension BrokenSpec {
    /// The valid operation with parameters and results, in which texts are replaced.
    fileprivate static func question(
        _ code: DiagnosticCode, _ title: String, _ changes: KeyValuePairs<String, String>, suggests suggestion: String? = nil,
        says message: String? = nil
    ) -> BrokenSpec {
        let text = changes.reduce(ValidSpec.question) { $0.changing($1.key, to: $1.value) }
        return BrokenSpec(
            code, title, SpecSources(core: ValidSpec.coreLandscape + text, program: ValidSpec.echo), suggests: suggestion,
            says: message)
    }
}

extension BrokenSpecs {
    /// Mistakes in the parameters and results of operations.
    static let results: [BrokenSpec] =
        unfilledResults + resultTypes + resultNames + operationParameters + operationConditions

    private static let unfilledResults: [BrokenSpec] = [
        .question(
            .unfilledField, "a result that nothing fills",
            ["ticket: { type": "«extra»: { type: string, summary: More. }\n      ticket: { type"],
            says: "nothing sets 'extra'; capture it in an answer of an 'http' step, or remove it"),
        .question(
            .unfilledField, "an optional result that nothing fills",
            ["ticket: { type": "«extra»: { type: string, optional: true, summary: More. }\n      ticket: { type"]),
        .question(
            .unfilledField, "a result that one answer fills, and another does not",
            ["- status: 202": "- «status»: 202", "\n                    user: { header: X-User }": ""]),
        .question(
            .unfilledField, "a result that a step fills which need not run",
            [
                "- http:": "- when: { «hint»: present }\n            http:",
                "query: { hint: \"{hint?}\" }": "query: { hint: \"{hint}\" }",
            ]),
        .question(
            .unfilledField, "a result that an answer need not have",
            ["user: { type": "«user»: { type", "user: { json: /user }": "user: { json: /user, optional: true }"],
            says: "'user' may be absent after the steps; write 'optional: true' here, or set it in every case"),
        .question(
            .unfilledField, "a result that is named before it is filled", ["{hint?}": "{«results.user»}"]),
        .question(
            .unknownReference, "a result that there is not", ["{hint?}": "{«results.usr»}"], suggests: "results.user",
            says: "there is no result 'usr'"),
        .question(
            .filledTwice, "a capture with the name of a parameter",
            ["user: { header: X-User }": "user: { header: X-User }\n                    «hint»: { header: X-Hint }"]),
        .question(
            .literalSecret, "a secret result with a text of the spec",
            ["ticket: { json: /ticket, optional: true }": "ticket: { json: /ticket, default: «abc» }"]),
        .question(
            .literalSecret, "a password that stands in the steps",
            ["headers: { X-Key: \"{key}\" }": "sign: { basic: { user: \"{hint?}\", password: «hunter2» } }"]),
    ]

    private static let resultTypes: [BrokenSpec] = [
        .question(.unknownWord, "a result of an unknown type", ["until: { type: date": "until: { type: «moment»"]),
        .question(
            .unknownWord, "a parameter of an unknown type", ["key: { type: secret": "key: { type: «secrte»"],
            suggests: "secret"),
        .question(
            .unknownWord, "a parameter that is a function", ["hint: { type: string": "hint: { type: «request-handler»"]),
        .question(
            .wrongType, "a date that is captured as a text",
            ["{ json: /until, type: date": "{ json: /until, type: «string»"], suggests: "date"),
        .question(
            .wrongType, "a boolean that is captured as a text",
            ["isGood: { json: /good, type: boolean, strict: true }": "«isGood»: { json: /good }"]),
        .question(
            .misplacedKey, "a boolean that is optional", ["isGood: { type: boolean": "isGood: { type: boolean, «optional»: true"]),
        .question(
            .misplacedKey, "a date that is strict", ["type: date, optional: true }": "type: date, «strict»: true, optional: true }"]
        ),
        .question(
            .notExactlyOne, "a truth value that is another text",
            ["type: boolean, strict: true": "type: boolean, strict: true, «is»: \"yes\""]),
        .question(
            .unknownKey, "a result with a default", ["user: { type: string": "user: { type: string, «default»: alice"]),
    ]

    private static let resultNames: [BrokenSpec] = [
        .question(
            .reservedName, "a result that every struct has",
            ["ticket: { type": "«description»: { type", "ticket: { json": "description: { json"]),
        .question(
            .reservedName, "a parameter that every struct has",
            ["hint: { type": "«hashValue»: { type", "{hint?}": "{hashValue?}"]),
        .question(
            .reservedName, "results whose type generated code needs",
            ["  ask:\n": "  ask:\n    types: «Operation»\n"]),
        .question(.invalidName, "types that begin with a small letter", ["  ask:\n": "  ask:\n    types: «question»\n"]),
        BrokenSpec(
            .collidingTypeName, "an operation with a type of a method's",
            SpecSources(
                core: ValidSpec.coreLandscape + ValidSpec.question.changing("  ask:\n", to: "  ask:\n    types: Web\n"),
                program: ValidSpec.echo.changing("method: Web", to: "method: «Web»"))),
    ]

    private static let operationParameters: [BrokenSpec] = [
        .question(
            .unusedParameter, "a parameter that nothing uses",
            ["hint: { type": "«extra»: { type: string, optional: true, summary: More. }\n      hint: { type"]),
        .question(.unknownReference, "a parameter that there is not", ["{server}": "{«sever»}"], suggests: "server"),
        .question(.exposedSecret, "a secret parameter in a URL", ["{hint?}": "{«key»}"]),
        .question(
            .secretDefault, "a secret parameter with a default",
            ["key: { type: secret": "key: { type: secret, «default»: abc"]),
        .question(
            .unknownKey, "a parameter with keys of configuration files",
            ["hint: { type: string": "hint: { type: string, «configuration»: [hint]"]),
        .question(
            .misplacedKey, "servers with a default",
            [
                "hint: { type":
                    "servers: { type: origins, «default»: \"https://a.example\", summary: The servers. }\n      hint: { type"
            ]),
        .question(
            .missingSettings, "a setting in steps of a landscape without settings",
            ["  ask:\n": "  «ask»:\n", "{server}": "{settings.server}"]),
        .question(
            .unusedCapture, "a value of a document that no step names",
            [
                "    results:\n":
                    "    documents: { metadata: { at: [\"{server}/a\"], capture: { «place»: { json: /a } } } }\n    results:\n"
            ]),
    ]

    private static let operationConditions: [BrokenSpec] = [
        .question(
            .needlessMark, "a condition that always holds", ["- http:": "- when: { «server»: present }\n            http:"])
    ]
}
