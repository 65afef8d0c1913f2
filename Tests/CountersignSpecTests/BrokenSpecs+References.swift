import CountersignSpec

extension BrokenSpecs {
    /// The part of the valid method that takes its parameters from the settings.
    private static let fromSettings = """
            from:
              settings:
                loginURL: "{settings.serverURL}/login"
                doneURL: "{settings.serverURL}/done"

        """

    static let references: [BrokenSpec] = [
        .method(.malformedTemplate, "a brace that is not closed", "url: \"{loginURL}\"", "url: \"«{»loginURL\""),
        .method(.malformedTemplate, "a brace that is not open", "url: \"{loginURL}\"", "url: \"{loginURL}/«}»\""),
        .method(.malformedTemplate, "nothing in braces", "url: \"{loginURL}\"", "url: \"{loginURL}/«{}»\""),
        .method(.malformedTemplate, "an expression in braces", "url: \"{loginURL}\"", "url: \"«{loginURL + 1}»\""),
        .method(
            .malformedTemplate, "behind an escape the place is that of the text", "url: \"{loginURL}\"",
            "url: «\"{loginURL}\\x2f{\"»"),
        .method(.unknownReference, "a slip in a reference", "url: \"{loginURL}\"", "url: \"{«loginUrl»}\"", suggests: "loginURL"),
        .method(.unknownReference, "a slip in a header's name", "\"{headerName}\"", "\"{«headername»}\"", suggests: "headerName"),
        .method(
            .unknownReference, "a slip in a plain text", "{headerName}\": required", "{headerName}\": a {«hederName»}",
            suggests: "headerName"),
        .method(.unknownReference, "the settings in a step", "url: \"{loginURL}\"", "url: \"{«settings.serverURL»}\""),
        .method(
            .unknownReference, "a slip in a setting", "{settings.serverURL}/login", "{«settings.serverUrl»}/login",
            suggests: "settings.serverURL"),
        .method(
            .unknownReference, "a setting without its prefix", "{settings.serverURL}/login", "{«serverURL»}/login",
            suggests: "settings.serverURL"),
        .method(
            .unknownField, "a value for no field", "loginURL: \"{settings", "«loginUrl»: \"{settings", suggests: "loginURL",
            alongside: [.incompleteSettings]),
        .method(
            .unknownField, "a configuration key for no field", "loginURL: [login.url]", "«loginurl»: [login.url]",
            suggests: "loginURL"),
        .landscape(
            .unknownField, "a server that is no field", "server: serverURL", "server: «serverUrl»", suggests: "serverURL",
            alongside: [.missingExample]),
        .method(.unknownErrorCase, "a slip in a failure", "dismissed: cancelled", "dismissed: «canceled»", suggests: "cancelled"),
        .method(.unknownErrorCase, "a slip in a fail", "fail: rejected", "fail: «reject»", suggests: "rejected"),
        .method(.unknownErrorCase, "a slip in busy", "busy: busy", "busy: «bussy»", suggests: "busy"),
        .method(
            .unknownErrorCase, "a slip in invalid-argument", "invalid-argument: invalid", "invalid-argument: «invalit»",
            suggests: "invalid"),
        .method(.wrongType, "a text where a URL begins", "url: \"{loginURL}\"", "url: \"{«headerName»}/login\""),
        .method(.wrongType, "a reference in a host", "url: \"{loginURL}\"", "url: \"«https://login.»{headerName}.example/\""),
        .method(.wrongType, "a URL as a header's name", "\"{headerName}\": required", "\"{«loginURL»}\": required"),
        BrokenSpec(
            .wrongType, "a text for an integer",
            SpecSources(
                method: ValidSpec.method.changing(
                    "headerName: {", to: "tries: { type: integer, summary: Tries. }\n      headerName: {"
                )
                .changing("loginURL: \"{settings", to: "tries: \"{«settings.region»}\"\n        loginURL: \"{settings"))),
        .landscape(.wrongType, "a server that is no URL", "server: serverURL", "server: «region»", alongside: [.missingExample]),
        .method(
            .optionalReference, "an optional setting in a path", "{settings.serverURL}/login",
            "{settings.serverURL}/{«settings.tenant»}/login"),
        BrokenSpec(
            .optionalReference, "an optional setting for a required field",
            SpecSources(
                method: ValidSpec.method.changing(
                    "headerName: {", to: "name: { type: string, summary: Name. }\n      headerName: {"
                )
                .changing("loginURL: \"{settings", to: "name: \"{«settings.tenant»}\"\n        loginURL: \"{settings"))),
        BrokenSpec(
            .optionalReference, "an optional server",
            SpecSources(
                landscape: ValidSpec.landscape.changing("serverURL: { type: url,", to: "serverURL: { type: url, optional: true,")
                    .changing("server: serverURL", to: "server: «serverURL»")),
            alongside: [.optionalReference, .optionalReference]),
        .method(
            .exposedSecret, "a secret in a query", "{settings.serverURL}/login",
            "{settings.serverURL}/login?key={«settings.apiKey»}"),
        .method(
            .wrongType, "a secret in a field that is none", "loginURL: \"{settings",
            "headerName: \"{«settings.apiKey»}\"\n        loginURL: \"{settings"),
        BrokenSpec(
            .exposedSecret, "a secret in a challenge",
            SpecSources(
                method: ValidSpec.method.changing(
                    "headerName: {", to: "key: { type: secret, example: a, summary: Key. }\n      headerName: {"
                )
                .changing("loginURL: \"{settings", to: "key: \"{settings.apiKey}\"\n        loginURL: \"{settings")
                .changing("required", to: "\"{«key»}\""))),
        BrokenSpec(
            .exposedSecret, "a secret in a parameter of a scheme",
            SpecSources(
                method: ValidSpec.method.changing(
                    "headerName: {", to: "key: { type: secret, example: a, summary: Key. }\n      headerName: {"
                )
                .changing("loginURL: \"{settings", to: "key: \"{settings.apiKey}\"\n        loginURL: \"{settings")
                .changing(
                    "status: 401",
                    to: "status: 401\n    www-authenticate: { scheme: Bearer, parameters: { realm: \"{«key»}\" } }"))),
        BrokenSpec(
            .optionalReference, "an optional field in a parameter of a scheme",
            SpecSources(
                method: ValidSpec.method.changing(
                    "headerName: {", to: "tenant: { type: string, optional: true, summary: T. }\n      headerName: {"
                )
                .changing(
                    "status: 401",
                    to: "status: 401\n    www-authenticate: { scheme: Bearer, parameters: { realm: \"{«tenant»}\" } }"))),
        .method(.insecureURL, "http in a step", "url: \"{loginURL}\"", "url: «http://a.example/»", suggests: "https://a.example/"),
        .method(
            .insecureURL, "http to a name below localhost, which may be another machine's", "url: \"{loginURL}\"",
            "url: «http://app.localhost/»", suggests: "https://app.localhost/"),
        .method(
            .insecureURL, "http in a template", "\"{settings.serverURL}/login\"", "\"«http://a.example/»{settings.region}\"",
            suggests: "https://a.example/"),
        .landscape(
            .insecureURL, "http in an example", "region: { type: string, example: eu,",
            "region: { type: url, example: «http://a.example»,", suggests: "https://a.example"),
        BrokenSpec(
            .missingSettings, "a landscape without settings",
            SpecSources(
                landscape: "countersign: 1\nlandscape: Testing\nsummary: A landscape for tests.\n",
                method: ValidSpec.method.changing("settings:", to: "«settings»:"))),
    ]

    static let parameters: [BrokenSpec] = [
        .landscape(
            .secretDefault, "a secret with a default", "apiKey: { type: secret, example: key,",
            "apiKey: { type: secret, «default»: key,"),
        .landscape(
            .optionalDefault, "an optional field with a default", "optional: true, summary: The tenant.",
            "optional: true, «default»: a, summary: The tenant."),
        .landscape(
            .missingExample, "a setting without an example", "region: { type: string, example: eu,", "«region»: { type: string,"),
        BrokenSpec(
            .missingExample, "a parameter without an example",
            SpecSources(
                method: ValidSpec.method.changing(fromSettings, to: "").changing("loginURL:", to: "«loginURL»:")
                    .changing("doneURL: { type: url,", to: "doneURL: { type: url, example: \"https://a.example\","))),
        .method(
            .incompleteSettings, "a required field that the settings do not give",
            "from:\n      settings:\n        loginURL: \"{settings.serverURL}/login\"", "from:\n      «settings»:"),
        .method(
            .unusedParameter, "a parameter that nothing refers to", "headerName: {",
            "«spare»: { type: string, default: a, summary: Spare. }\n      headerName: {"),
    ]

    static let flows: [BrokenSpec] = [
        .method(
            .matchesEverything, "a challenge that is every response",
            "- name: login\n    status: 401\n    headers:\n      \"{headerName}\": required", "- «name»: login"),
        BrokenSpec(
            .overlappingChallenges, "two methods with one challenge",
            SpecSources(own: [
                SpecFile("landscape.yaml", ValidSpec.landscape), SpecFile("A.yaml", ValidSpec.method),
                SpecFile(
                    "B.yaml",
                    ValidSpec.otherMethod.changing("status: 403", to: "status: [401, 403]").changing(
                        "name: login", to: "name: «login»")),
            ])),
        BrokenSpec(
            .overlappingChallenges, "two methods with one scheme",
            SpecSources(own: [
                SpecFile("landscape.yaml", ValidSpec.landscape),
                SpecFile("A.yaml", ValidSpec.method.changing("status: 401", to: "status: 401\n    www-authenticate: Bearer")),
                SpecFile(
                    "B.yaml",
                    ValidSpec.otherMethod.changing(
                        "status: 403", to: "status: 401\n    www-authenticate: { scheme: bearer, parameters: { error: a } }"
                    ).changing("name: login", to: "name: «login»")),
            ])),
        .method(.unreachableStep, "a step after fail", "- fail: rejected", "- fail: rejected\n    - «fail»: cancelled"),
        .method(.neverSucceeds, "a flow that fails", "  after-resend:\n    - fail: rejected", "    - fail: «rejected»"),
        .method(.wrongCarriedValues, "a load without its error", "load: page", "load: «cancelled»"),
        .method(.wrongCarriedValues, "a dismissal with an error", "dismissed: cancelled", "dismissed: «page»"),
        .method(.wrongCarriedValues, "a fail with a value", "fail: rejected", "fail: «invalid»"),
        .method(.wrongCarriedValues, "an argument without its detail", "invalid-argument: invalid", "invalid-argument: «busy»"),
        BrokenSpec(
            .wrongCarriedValues, "a detail that is called otherwise",
            SpecSources(
                method: ValidSpec.method.changing("invalid-argument: invalid", to: "invalid-argument: «invalid»")
                    .changing("detail: string", to: "text: string"))),
        .method(
            .errorNeverRaised, "a case that nothing raises", "rejected: { summary: Rejected. }",
            "rejected: { summary: Rejected. }\n      «expired»: { summary: Expired. }"),
    ]

    static let inheritance: [BrokenSpec] = [
        BrokenSpec(
            .unknownLandscape, "what could be inherited is not missing",
            SpecSources(own: [
                SpecFile("landscape.yaml", "countersign: 1\nlandscape: Extending\nextends: «Testing»\n"),
                SpecFile("Web.yaml", ValidSpec.method),
            ])),
        BrokenSpec(
            .wrongShape, "a list of landscapes to extend",
            SpecSources(own: [
                SpecFile(
                    "landscape.yaml", "countersign: 1\nlandscape: Extending\nextends: «[»Testing]\nmethods: { Web: omitted }\n")
            ])),
        BrokenSpec(
            .unknownWord, "a slip in omitted",
            SpecSources(extending: ValidSpec.extending + "methods: { Web: «omited» }\n"), suggests: "omitted"),
        BrokenSpec(
            .unknownLandscape, "nothing inherited",
            SpecSources(own: [SpecFile("landscape.yaml", ValidSpec.extending.marking("Testing"))])),
        BrokenSpec(
            .unknownLandscape, "another landscape inherited",
            SpecSources(extending: ValidSpec.extending.changing("Testing", to: "«Tasting»"))),
        .method(
            .finishAtPage, "a page that is its own end", "finish: { at: \"{doneURL}\" }", "finish: { at: \"«{loginURL}»\" }",
            alongside: [.unusedParameter]),
        BrokenSpec(
            .unknownInheritedOperation, "an operation that is omitted and not there",
            SpecSources(extending: ValidSpec.extending + "operations: { «logout»: omitted }\n")),
        .landscape(.methodsWithoutExtends, "methods without extends", "settings:\n", "«methods»: { Web: omitted }\nsettings:\n"),
        BrokenSpec(
            .unknownInheritedMethod, "a slip in the name of a file",
            SpecSources(extending: ValidSpec.extending + "methods: { «Wep»: omitted }\n"), suggests: "Web"),
        BrokenSpec(
            .extendsChain, "a landscape that extends one that extends",
            SpecSources(
                own: [SpecFile("landscape.yaml", ValidSpec.extending)],
                inherited: [SpecFile("base/landscape.yaml", ValidSpec.landscape + "«extends»: Another\n")])),
        BrokenSpec(
            .inheritedStem, "a file with the name of an inherited one",
            SpecSources(extending: ValidSpec.extending, own: [SpecFile("web.yaml", "«c»" + ValidSpec.otherMethod.dropFirst())])),
        BrokenSpec(
            .unknownKey, "an override of what cannot be overridden",
            SpecSources(extending: ValidSpec.extending + "methods: { Web: { «errors»: {} } }\n")),
        BrokenSpec(
            .unknownField, "an override of a field that is not there",
            SpecSources(
                extending: ValidSpec.extending
                    + "methods: { Web: { parameters: { WebParameters: { fields: { «headername»: { default: X-Other } } } } } }\n"),
            suggests: "headerName"),
        BrokenSpec(
            .unknownField, "an override of a struct that is not there",
            SpecSources(extending: ValidSpec.extending + "methods: { Web: { parameters: { «WebParameter»: { fields: {} } } } }\n"),
            suggests: "WebParameters"),
        BrokenSpec(
            .unknownKey, "an override of a challenge with a mistake",
            SpecSources(
                extending: ValidSpec.extending
                    + "methods: { Web: { challenge: [{ name: a, status: 401, www-authenticate: { «shceme»: Bearer } }] } }\n"),
            suggests: "scheme"),
        BrokenSpec(
            .unknownErrorCase, "an override with a mistake",
            SpecSources(extending: ValidSpec.extending + "methods: { Web: { flow: { busy: «bussy» } } }\n"), suggests: "busy"),
        BrokenSpec(
            .unknownErrorCase, "an inherited mistake",
            SpecSources(extending: ValidSpec.extending, method: ValidSpec.method.changing("busy: busy", to: "busy: «bussy»")),
            suggests: "busy"),
    ]
}
