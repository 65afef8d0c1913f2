import CountersignSpec

extension BrokenSpecs {
    /// Mistakes in errors and in failures.
    static let errors: [BrokenSpec] = [
        .changed(
            method: ValidSpec.method, .notExactlyOne, "an error case in no type",
            [
                "rejected: { summary": "«rejected»: { summary",
                "mock:": "swift: { errors: { WebError: [busy, invalid, page, cancelled] } }\nmock:",
            ],
            says: "no error type of 'swift' has the case 'rejected'"),
        .changed(
            method: ValidSpec.method, .notExactlyOne, "an error case in two types",
            [
                "rejected: { summary": "«rejected»: { summary",
                "mock:": "swift: { errors: { WebError: [busy, invalid, page, cancelled, rejected], More: [rejected] } }\nmock:",
            ],
            says: "two error types of 'swift' have the case 'rejected'"),
        .method(
            .unknownErrorCase, "an error type with a case that there is not", "mock:",
            "swift: { errors: { WebError: [busy, invalid, page, cancelled, rejected, «pages»] } }\nmock:", suggests: "page",
            says: "'WebError' has no case 'pages'"),
        .method(
            .emptyCollection, "an error type without a case", "mock:", "swift: { errors: { WebError: «[»] } }\nmock:",
            alongside: [.notExactlyOne, .notExactlyOne, .notExactlyOne, .notExactlyOne, .notExactlyOne]),
        .method(
            .misplacedKey, "a failure of a redirect at a page without one", "load: page }", "load: page, «missing»: cancelled }",
            says:
                "'missing' is not a failure of this 'present'; supported: 'dismissed', 'load', 'refused', 'reloaded', 'background'"
        ),
        .method(
            .misplacedKey, "a failure of a token request at a page", "load: page }", "load: page, «decode»: cancelled }"),
        .changed(
            method: ValidSpec.method, .misplacedKey, "a failure of a request whose answers are said",
            [
                "rejected:\n":
                    "  - http: { send: \"GET {loginURL}\", answers: [{ status: 200 }] }\n    failures: { «decode»: cancelled }\nrejected:\n"
            ],
            says: "'decode' is not a failure of this 'http'; supported: 'status', 'network', 'missing'"),
        .method(
            .unknownKey, "a failure of a step at the method", "failures: { invalid-argument",
            "failures: { «load»: page, invalid-argument"),
        .changed(
            method: ValidSpec.method, .misplacedKey, "failures of a method without errors",
            ["failures: { invalid": "«failures»: { invalid", errorsText: ""], says: "'failures' is only valid with 'errors'",
            alongside: [.unknownErrorCase, .unknownErrorCase, .unknownErrorCase, .unknownErrorCase, .unknownErrorCase]),
    ]

    /// Mistakes in the generated Swift code and its surface.
    static let surfaces: [BrokenSpec] = coreLandscapes + coreMethods + swiftKeys

    private static let coreLandscapes: [BrokenSpec] =
        [
            BrokenSpec(
                .misplacedKey, "settings of the surface 'core'",
                SpecSources(
                    core: ValidSpec.coreLandscape + "«settings»: { url: { type: url, summary: S. } }\nserver: url\n",
                    program: ValidSpec.echo), says: "'settings' requires 'surface: foundation' under 'swift' of the landscape",
                alongside: [.misplacedKey]),
            BrokenSpec(
                .misplacedKey, "variants of the surface 'core' that alone set the fields",
                SpecSources(
                    core: ValidSpec.coreLandscape,
                    program: """
                        countersign: 2
                        method: Web
                        summary: A login.
                        parameters:
                          server: { type: url, summary: The server. }
                        challenge: [{ name: login, status: 401 }]
                        credential:
                          fields: { token: { type: secret, summary: The token. } }
                          for: ["{server}"]
                        «variants»:
                          a:
                            acquire:
                              - http:
                                  send: "POST {server}"
                                  answers: [{ status: 200, capture: { token: { json: /token, type: secret } } }]
                        attach: [{ headers: { X-Token: "{credential.token}" } }]

                        """)),
            BrokenSpec(
                .misplacedKey, "names in Swift without a surface",
                SpecSources(core: ValidSpec.coreLandscape + "swift: { «logging»: a }\n", program: ValidSpec.echo),
                says: "'logging' is only valid with 'surface'"),
            .landscape(
                .unknownWord, "a surface that there is not", "surface: foundation", "surface: «fundation»",
                suggests: "foundation"),
        ]

    private static func core(
        _ title: String, _ old: String, _ new: String, key: String, in method: String = ValidSpec.echo, remedy: String = "",
        alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(
            method, .misplacedKey, "\(title) of the surface 'core'", [old: new],
            says: "'\(key)' requires 'surface: foundation' under 'swift' of the landscape\(remedy)", alongside: consequences)
    }

    private static let coreMethods: [BrokenSpec] = [
        core("a factor", "rejected:", "«factor»: second\nrejected:", key: "factor"),
        core("a mock", "rejected:", "«mock»: { session-cookie: id }\nrejected:", key: "mock"),
        core("names in Swift", "rejected:", "«swift»: { completion: logged }\nrejected:", key: "swift"),
        core("a client of all token requests", "rejected:", "«client»: { id: a }\nrejected:", key: "client"),
        core(
            "variants", "rejected:",
            "«variants»: { a: { acquire: [{ http: { send: \"GET {server}\", answers: [{ status: 200 }] } }] } }\nrejected:",
            key: "variants", remedy: "; otherwise write a method for each way, or steps with 'when'"),
        core(
            "a parameter from the settings", "{ type: url, summary", "{ type: url, «from»: \"{settings.a}\", summary", key: "from"),
        core(
            "a parameter of a configuration", "{ type: url, summary", "{ type: url, «configuration»: [a], summary",
            key: "configuration"),
        core(
            "the session's cookies", "cookies: private\n  for: [\"{page}\"]", "«cookies»: shared", key: "cookies",
            in: ValidSpec.form,
            alongside: []),
        core(
            "a token", "  cookies: private\n", "  «token»: oauth2\n", key: "token", in: ValidSpec.form,
            alongside: [.unfilledField]),
        .changed(
            ValidSpec.echo, .misplacedKey, "servers that steps lead to, of the surface 'core'",
            ["for: [\"{server}\"]": "for: [\"{server}\", «steps»]"],
            says: "'steps' requires 'surface: foundation' under 'swift' of the landscape; name the servers"),
    ]

    private static let swiftKeys: [BrokenSpec] =
        [
            .method(
                .misplacedKey, "an answer to prompts of a web login", "mock:",
                "swift: { «prompting»: { type: A, label: a, summary: A., source: S } }\nmock:",
                says: "'prompting' has no effect here: there is no 'prompt'"),
            .method(
                .misplacedKey, "modules of a web login", "mock:", "swift: { «imports»: [Other] }\nmock:",
                says: "'imports' has no effect here: there is no 'prompt'"),
            .changed(
                method: ValidSpec.variants, .misplacedKey, "one struct for all variants",
                ["rejected:\n": "swift: { «parameters»: TokenParameters }\nrejected:\n"],
                says: "'parameters' has no effect here: each variant has its own parameters"),
        ]
        + [
            ("labels", "[a]"), ("completion", "logged"), ("parameters", "P"), ("beside-settings", "[isOnly]"),
            ("initialisers", "[{ fields: [isOnly] }]"),
        ].map { key, value in
            .changed(
                method: ValidSpec.key, .misplacedKey, "'\(key)' of what a prompt brings",
                ["  prompting:\n": "  «\(key)»: \(value)\n  prompting:\n"],
                says: "'\(key)' has no effect here: the application sets members of the observer")
        } + [
            .method(
                .unknownField, "a parameter beside the settings that there is not", "mock:",
                "swift: { beside-settings: [«headrName»] }\nmock:", suggests: "headerName"),
            .method(
                .duplicateName, "two initialisers that Swift cannot distinguish", "mock:",
                "swift: { initialisers: [{ fields: [loginURL, doneURL] }, { «fields»: [loginURL, doneURL] }] }\nmock:"),
            .method(
                .unknownKey, "a name of nothing", "mock:", "swift: { «observer»: WebThing }\nmock:"),
            .landscape(
                .invalidName, "a struct of settings in lower case", "logging: testing", "logging: testing, settings: «settings»"),
        ]

    private static let errorsText: String = {
        let text = ValidSpec.method
        guard let start = text.firstRange(of: "errors:\n"), let end = text.firstRange(of: "mock:") else { return "" }
        return String(text[start.lowerBound..<end.lowerBound])
    }()
}
