import CountersignSpec

extension BrokenSpecs {
    static let shapes: [BrokenSpec] = [
        .method(.unknownKey, "a slip in a key of a method", "mock:", "«mok»:", suggests: "mock"),
        .method(.unknownKey, "a slip in a required key", "credential:", "«credentail»:", suggests: "credential"),
        .method(
            .unknownKey, "a slip deep down", "ends-at: \"{doneURL}\"", "ends-at: \"{doneURL}\"\n      «macth»: exact",
            suggests: "match"),
        .method(.unknownKey, "nothing that is near", "mock:", "«colour»: blue\nmock:"),
        .method(.unknownKey, "a step of a later version", "present:\n", "«poll»:\n"),
        .method(.unknownKey, "a key of version 1", "mock:", "«flow»: { busy: busy }\nmock:"),
        .method(
            .unknownKey, "a failure that presenters do not have", "dismissed: cancelled", "«dismised»: cancelled",
            suggests: "dismissed"),
        .landscape(.unknownKey, "a slip in a key of a landscape", "logging:", "«loging»:", suggests: "logging"),
        .method(.wrongShape, "a text for a mapping", "mock: { session-cookie: id }", "mock: «yes»"),
        .method(
            .wrongShape, "a text for a list", "- name: login\n    status: 401\n    headers:\n      \"{headerName}\": required",
            "«login»"),
        .method(.wrongShape, "a list for a text", "summary: A web login.", "summary: «[»A web login.]"),
        .method(.wrongShape, "nothing for a text", "summary: A web login.", "«summary»:"),
        .method(.wrongShape, "a mapping as a key", "mock:", "«{» a: b }: c\nmock:"),
        BrokenSpec(.wrongShape, "a list for a file", SpecSources(method: "«-» a\n")),
        .method(.missingKey, "no method", "countersign: 2\nmethod: Web", "«c»ountersign: 2"),
        .method(.missingKey, "no version", "countersign: 2\nmethod:", "«m»ethod:"),
        .changed(
            method: ValidSpec.method, .missingKey, "a page without an address",
            ["- present:": "- «present»:", "      open: \"{loginURL}\"\n": ""]),
        .method(.missingKey, "a case without a summary", "busy: { summary: Busy. }", "«busy»: { reason: Busy. }"),
        BrokenSpec(
            .missingKey, "settings without a server",
            SpecSources(
                landscape: ValidSpec.landscape.changing("server: serverURL\n", to: "").changing("settings:", to: "«settings»:")),
            says: "settings need a server; write the name of a setting of type 'url' under 'server'", alongside: [.missingExample]),
        .method(
            .unsupportedVersion, "a later version", "countersign: 2", "countersign: «3»", suggests: "2",
            says: "this reader supports version 2 of the language, not '3'"),
        .method(
            .unsupportedVersion, "a method of version 1", "countersign: 2", "countersign: «1»", suggests: "2",
            says: "this reader supports version 2 of the language, not '1'"),
        .landscape(.unsupportedVersion, "a landscape of version 1", "countersign: 2", "countersign: «1»", suggests: "2"),
        BrokenSpec(
            .unsupportedVersion, "a landscape of version 1 that is extended",
            SpecSources(
                own: [SpecFile("landscape.yaml", ValidSpec.extending)],
                inherited: [
                    SpecFile("base/landscape.yaml", ValidSpec.landscape.changing("countersign: 2", to: "countersign: «1»"))
                ]),
            suggests: "2"),
        .method(
            .unknownWord, "a slip in a word", "cookies: shared", "cookies: «sharde»", suggests: "shared", alongside: [.missingKey]),
        .method(.unknownWord, "a type that there is not", "type: header", "type: «heder»", suggests: "header"),
        .method(.unknownWord, "a carried type that there is not", "detail: string", "detail: «text»"),
        .method(.invalidValue, "a status beyond 599", "status: 401", "status: «601»"),
        .method(.invalidValue, "a status with a zero before it", "status: 401", "status: [401, «0403»]"),
        .method(.invalidValue, "a boolean of YAML 1.1", "type: header,", "type: header, optional: «no»,"),
        .method(.invalidValue, "a header's default with a blank", "default: X-Login", "default: «X Login»"),
        .method(.invalidValue, "a header's name with a colon", "\"{headerName}\": required", "\"«X:{headerName}»\": required"),
        .method(.invalidValue, "a header's value with a line break", "\"{headerName}\": required", "\"{headerName}\": «\"a\\nb\"»"),
        .method(.invalidValue, "a cookie's name with a semicolon", "session-cookie: id", "session-cookie: «i;d»"),
        .method(.invalidValue, "a URL without a host", "open: \"{loginURL}\"", "open: «login.html»"),
        .method(.invalidValue, "a URL with a password", "open: \"{loginURL}\"", "open: «https://me:secret@a.example/»"),
        .method(.invalidValue, "a URL with a fragment", "open: \"{loginURL}\"", "open: \"«https://a.example/#top»\""),
        .method(.invalidValue, "a URL with a blank", "open: \"{loginURL}\"", "open: \"{loginURL}«/a b»\""),
        .method(.invalidValue, "a URL with half an escape", "open: \"{loginURL}\"", "open: \"{loginURL}«/a%2»\""),
        .method(.invalidValue, "a URL that goes on without a slash", "open: \"{loginURL}\"", "open: \"{loginURL}«login»\""),
        .method(
            .emptyCollection, "no challenges", "- name: login\n    status: 401\n    headers:\n      \"{headerName}\": required",
            "«[»]"),
        .method(
            .emptyCollection, "nothing that follows a refusal", "rejected:\n  - { then: [acquire], error: rejected }",
            "rejected: «[»]"),
        .landscape(.emptyCollection, "no keys of a configuration", "configuration: [region]", "configuration: «[»]"),
        .method(
            .notExactlyOne, "two kinds of match", "\"{headerName}\": required", "\"{headerName}\": { prefix: a, «contains»: b }"),
        .method(.notExactlyOne, "no kind of match", "\"{headerName}\": required", "\"«{headerName}»\": {}"),
        .method(
            .notExactlyOne, "a step with two actions", "    failures: { dismissed",
            "    «http»: { send: \"GET {loginURL}\", answers: [{ status: 200 }] }\n    failures: { dismissed"),
        .landscape(
            .misplacedKey, "a word about http for a text", "region: { type: string,", "region: { type: string, «allow-http»: true,"),
        .method(.misplacedKey, "a scheme without a status", "status: 401", "«www-authenticate»: Bearer"),
        .method(
            .misplacedKey, "failures of what cannot fail", "acquire:\n",
            "acquire:\n  - { generate: { state: random }, «failures»: { dismissed: cancelled } }\n", alongside: [.unusedCapture]),
    ]

    static let schemes: [BrokenSpec] = [
        .scheme(.wrongShape, "a list for a scheme", "www-authenticate: «[»Bearer]"),
        .scheme(.wrongShape, "a text for parameters", "www-authenticate: { scheme: Bearer, parameters: «error» }"),
        .scheme(.unknownKey, "a slip in the field", "«www-autenticate»: Bearer", suggests: "www-authenticate"),
        .method(.misplacedKey, "a scheme of a proxy without a status", "status: 401", "«proxy-authenticate»: Basic"),
        .scheme(.invalidValue, "a scheme of a proxy that is no token", "proxy-authenticate: «Basic realm=a»"),
        .changed(
            ValidSpec.calls, .unknownKey, "a scheme of a proxy in an answer",
            ["- { status: [401, 403], error: server }": "- { status: 407, «proxy-authenticate»: Basic, error: server }"],
            suggests: "www-authenticate"),
        .scheme(.unknownKey, "a slip in scheme", "proxy-authenticate: { «shceme»: Basic }", suggests: "scheme"),
        .scheme(
            .unknownKey, "a match of no kind", "www-authenticate: { scheme: Bearer, parameters: { error: { «contain»: a } } }",
            suggests: "contains"),
        .scheme(.missingKey, "parameters of no scheme", "«www-authenticate»: { parameters: { error: a } }"),
        .scheme(.invalidValue, "a scheme with parameters in one text", "www-authenticate: «Bearer error=a»"),
        .scheme(.invalidValue, "a reference for a scheme", "www-authenticate: { scheme: \"«{headerName}»\" }"),
        .scheme(
            .invalidValue, "a parameter's name with a blank",
            "www-authenticate: { scheme: Bearer, parameters: { «error code»: a } }"),
        .scheme(
            .invalidValue, "a parameter's value with a line break",
            "www-authenticate: { scheme: Bearer, parameters: { error: «\"a\\nb\"» } }"),
        .scheme(.emptyCollection, "no parameters", "www-authenticate: { scheme: Bearer, parameters: «{»} }"),
        .scheme(
            .notExactlyOne, "two kinds of match of a parameter",
            "www-authenticate: { scheme: Bearer, parameters: { error: { prefix: a, «contains»: b } } }"),
        .scheme(
            .notExactlyOne, "no kind of match of a parameter",
            "www-authenticate: { scheme: Bearer, parameters: { «error»: {} } }"),
        .scheme(
            .duplicateName, "a parameter twice but for case",
            "www-authenticate: { scheme: Bearer, parameters: { error: a, «Error»: b } }"),
        .scheme(
            .unknownReference, "a slip in a parameter's value",
            "www-authenticate: { scheme: Bearer, parameters: { realm: \"a {«hederName»}\" } }", suggests: "headerName"),
    ]

    /// The Swift names of the valid method, with the given name of its error type.
    private static func errorType(_ name: String) -> String {
        "swift: { errors: { \(name): [busy, invalid, page, cancelled, rejected] } }\nmock:"
    }

    static let names: [BrokenSpec] = [
        .method(.invalidName, "a method in lower case", "method: Web", "method: «web»"),
        .method(.invalidName, "a type with a dash", "mock:", errorType("«Web-Error»")),
        .method(
            .invalidName, "a case in upper case", "cancelled: { summary", "«Cancelled»: { summary", alongside: [.unknownErrorCase]),
        .method(
            .invalidName, "a parameter that begins with a digit", "  headerName: {",
            "  «1st»: { type: string, default: a, summary: First. }\n  headerName: {"),
        .method(.invalidName, "a label with a blank", "name: login", "name: «log in»"),
        .method(
            .reservedName, "a case that generated code has", "cancelled: { summary", "«code»: { summary",
            alongside: [.unknownErrorCase]),
        .method(
            .reservedName, "a parameter that generated code has", "  headerName: {",
            "  «description»: { type: string, default: a, summary: D. }\n  headerName: {"),
        .method(.reservedName, "a type that generated code needs", "mock:", errorType("«URL»")),
        .method(
            .reservedName, "a method whose types the runtime has", "method: Web", "method: «Program»",
            alongside: [.reservedName, .reservedName]),
        .method(.duplicateName, "two challenges of one name", "credential:", "  - { name: «login», status: 403 }\ncredential:"),
        .method(.duplicateName, "a header twice but for case", "\"{headerName}\": required", "x-login: a\n      «X-Login»: a"),
        .method(.duplicateName, "a status twice", "status: 401", "status: [401, 403, «401»]"),
        BrokenSpec(
            .duplicateMethod, "two methods of one name",
            SpecSources(own: [
                SpecFile("landscape.yaml", ValidSpec.landscape), SpecFile("A.yaml", ValidSpec.method),
                SpecFile(
                    "B.yaml",
                    ValidSpec.otherMethod.changing("method: Other", to: "method: «Web»")),
            ])),
        BrokenSpec(
            .collidingTypeName, "one error type in two files",
            SpecSources(own: [
                SpecFile("landscape.yaml", ValidSpec.landscape), SpecFile("A.yaml", ValidSpec.method),
                SpecFile("B.yaml", ValidSpec.otherMethod.changing("mock:", to: errorType("«WebError»"))),
            ])),
        .method(.collidingTypeName, "the name of a generated type", "mock:", errorType("«WebObserver»")),
        .method(.collidingTypeName, "the name of the module", "mock:", errorType("«Testing»")),
        .method(.collidingTypeName, "the name of the settings", "mock:", "swift: { parameters: «TestingSettings» }\nmock:"),
        BrokenSpec(
            .collidingFiles, "two files that differ in case",
            SpecSources(own: [
                SpecFile("landscape.yaml", ValidSpec.landscape), SpecFile("Web.yaml", ValidSpec.method),
                SpecFile("web.yaml", "«c»" + ValidSpec.otherMethod.dropFirst()),
            ])),
        BrokenSpec(
            .collidingFiles, "two files that differ in their extension",
            SpecSources(own: [
                SpecFile("landscape.yaml", ValidSpec.landscape), SpecFile("Web.yaml", ValidSpec.method),
                SpecFile("Web.yml", "«c»" + ValidSpec.otherMethod.dropFirst()),
            ])),
        BrokenSpec(
            .severalLandscapes, "two landscapes",
            SpecSources(own: [
                SpecFile("Landscape.yaml", ValidSpec.landscape), SpecFile("Web.yaml", ValidSpec.method),
                SpecFile("landscape.yaml", "«c»" + ValidSpec.landscape.dropFirst()),
            ])),
        BrokenSpec(
            .missingLandscape, "no landscape", SpecSources(own: [SpecFile("Web.yaml", "«c»" + ValidSpec.method.dropFirst())])),
    ]
}
