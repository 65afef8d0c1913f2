import CountersignSpec

extension BrokenSpec {
    /// The valid method with a further parameter, and texts replaced.
    fileprivate static func parameter(
        _ code: DiagnosticCode, _ title: String, _ parameter: String, _ changes: KeyValuePairs<String, String> = [:],
        alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        let method = ValidSpec.method.changing("  headerName: {", to: "  \(parameter)\n  headerName: {")
        return .changed(method: method, code, title, changes, alongside: consequences)
    }
}

extension BrokenSpecs {
    static let references: [BrokenSpec] = [
        .method(.malformedTemplate, "a brace that is not closed", "open: \"{loginURL}\"", "open: \"«{»loginURL\""),
        .method(.malformedTemplate, "a brace that is not open", "open: \"{loginURL}\"", "open: \"{loginURL}/«}»\""),
        .method(.malformedTemplate, "nothing in braces", "open: \"{loginURL}\"", "open: \"{loginURL}/«{}»\""),
        .method(.malformedTemplate, "an expression in braces", "open: \"{loginURL}\"", "open: \"«{loginURL + 1}»\""),
        .method(
            .malformedTemplate, "behind an escape the place is that of the text", "open: \"{loginURL}\"",
            "open: «\"{loginURL}\\x2f{\"»"),
        .method(
            .malformedTemplate, "a mark on a setting", "{settings.serverURL}/login", "«{settings.serverURL?}»/login"),
        .method(.unknownReference, "a slip in a reference", "open: \"{loginURL}\"", "open: \"{«loginUrl»}\"", suggests: "loginURL"),
        .method(.unknownReference, "a slip in a header's name", "\"{headerName}\"", "\"{«headername»}\"", suggests: "headerName"),
        .method(
            .unknownReference, "a slip in a plain text", "{headerName}\": required", "{headerName}\": a {«hederName»}",
            suggests: "headerName"),
        .method(
            .unknownReference, "the settings in a step", "open: \"{loginURL}\"", "open: \"{«settings.serverURL»}\"",
            says:
                "settings can only be used under 'from' of a parameter; add a parameter with 'from: \"{settings.serverURL}\"', and refer to it; there are 'loginURL', 'doneURL', 'headerName'"
        ),
        .method(
            .unknownReference, "a slip in a setting", "{settings.serverURL}/login", "{«settings.serverUrl»}/login",
            suggests: "settings.serverURL", says: "the settings have no field 'serverUrl'"),
        .method(
            .unknownReference, "a setting without its prefix", "{settings.serverURL}/login", "{«serverURL»}/login",
            suggests: "settings.serverURL", says: "here, a reference begins with 'settings.'"),
        .method(
            .unknownReference, "a parameter that follows from another", "{settings.serverURL}/login", "{«headerName»}/login",
            says: "here, a reference begins with 'settings.'"),
        .landscape(
            .unknownField, "a server that is no setting", "server: serverURL", "server: «serverUrl»", suggests: "serverURL",
            alongside: [.missingExample]),
        .method(.unknownErrorCase, "a slip in a failure", "dismissed: cancelled", "dismissed: «canceled»", suggests: "cancelled"),
        .method(.unknownErrorCase, "a slip in a rejection", "error: rejected", "error: «reject»", suggests: "rejected"),
        .method(.unknownErrorCase, "a slip in busy", "busy: busy", "busy: «bussy»", suggests: "busy"),
        .method(
            .unknownErrorCase, "a slip in invalid-argument", "invalid-argument: invalid", "invalid-argument: «invalit»",
            suggests: "invalid"),
        .method(.wrongType, "a text where a URL begins", "open: \"{loginURL}\"", "open: \"«{headerName}/login»\""),
        .method(
            .wrongType, "a reference in a host", "open: \"{loginURL}\"", "open: \"«https://login.{headerName}.example/»\""),
        .method(.wrongType, "a URL as a header's name", "\"{headerName}\": required", "\"{«loginURL»}\": required"),
        .parameter(
            .wrongType, "a text for a boolean", "isNew: { type: boolean, from: \"{«settings.region»}\", summary: New. }"),
        .parameter(
            .wrongType, "a URL for origins", "servers: { type: origins, from: \"«{settings.serverURL}»\", summary: S. }"),
        .landscape(.wrongType, "a server that is no URL", "server: serverURL", "server: «region»", alongside: [.missingExample]),
        .method(
            .optionalReference, "an optional setting in a path", "{settings.serverURL}/login",
            "{settings.serverURL}/{«settings.tenant»}/login"),
        .parameter(
            .optionalReference, "an optional setting for a required parameter",
            "name: { type: string, from: \"{«settings.tenant»}\", summary: Name. }"),
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
            .wrongType, "a secret for a header's name", "headerName: { type: header, default: X-Login,",
            "headerName: { type: header, from: \"{«settings.apiKey»}\","),
        .parameter(
            .exposedSecret, "a secret that stands in a text",
            "key: { type: secret, from: \"«a {settings.apiKey}»\", summary: Key. }"),
        .parameter(
            .exposedSecret, "a secret in a challenge", "key: { type: secret, from: \"{settings.apiKey}\", summary: Key. }",
            ["required": "\"{«key»}\""]),
        .parameter(
            .exposedSecret, "a secret in a parameter of a scheme",
            "key: { type: secret, from: \"{settings.apiKey}\", summary: Key. }",
            ["status: 401": "status: 401\n    www-authenticate: { scheme: Bearer, parameters: { realm: \"{«key»}\" } }"]),
        .parameter(
            .optionalReference, "an optional parameter in a parameter of a scheme",
            "tenant: { type: string, optional: true, summary: T. }",
            ["status: 401": "status: 401\n    www-authenticate: { scheme: Bearer, parameters: { realm: \"{«tenant»}\" } }"]),
        .method(
            .insecureURL, "http in a step", "open: \"{loginURL}\"", "open: «http://a.example/»", suggests: "https://a.example/"),
        .method(
            .insecureURL, "http to a name below localhost, which may be another machine's", "open: \"{loginURL}\"",
            "open: «http://app.localhost/»", suggests: "https://app.localhost/"),
        .method(
            .insecureURL, "http in a template", "\"{settings.serverURL}/login\"", "\"«http://a.example/»{settings.region}\"",
            suggests: "https://a.example/"),
        .landscape(
            .insecureURL, "http in an example", "region: { type: string, example: eu,",
            "region: { type: url, example: «http://a.example»,", suggests: "https://a.example"),
        BrokenSpec(
            .missingSettings, "a landscape without settings",
            SpecSources(
                landscape:
                    "countersign: 2\nlandscape: Testing\nsummary: A landscape for tests.\nswift: { surface: foundation }\n",
                method: ValidSpec.method.changing("from:", to: "«from»:")),
            says: "the landscape declares no settings"),
    ]

    static let parameters: [BrokenSpec] = [
        .landscape(
            .secretDefault, "a secret with a default", "apiKey: { type: secret, example: key,",
            "apiKey: { type: secret, «default»: key,"),
        .landscape(
            .optionalDefault, "an optional setting with a default", "optional: true, summary: The tenant.",
            "optional: true, «default»: a, summary: The tenant."),
        .landscape(
            .missingExample, "a setting without an example", "region: { type: string, example: eu,", "«region»: { type: string,"),
        .changed(
            method: ValidSpec.method, .missingExample, "a parameter without an example",
            ["loginURL: { type: url, from: \"{settings.serverURL}/login\",": "«loginURL»: { type: url,"],
            says:
                "a required parameter that does not come from the settings needs an 'example' for the mock landscape; 'loginURL' has none"
        ),
        .parameter(
            .unusedParameter, "a parameter that nothing refers to", "«spare»: { type: string, default: a, summary: Spare. }"),
        .landscape(
            .unknownWord, "a setting of a type that there is not", "region: { type: string, example: eu,",
            "region: { type: «integer», example: 3,"),
        .landscape(
            .invalidValue, "a key of a configuration with a blank", "configuration: [region]", "configuration: [«the region»]"),
        .landscape(.wrongShape, "a key of a configuration that is no list", "configuration: [region]", "configuration: «region»"),
        .parameter(
            .invalidName, "a configuration of a name", "«Web»: { type: string, default: a, configuration: [web], summary: W. }"),
    ]

    static let methods: [BrokenSpec] = [
        .method(
            .matchesEverything, "a challenge that is every response",
            "- name: login\n    status: 401\n    headers:\n      \"{headerName}\": required", "- «name»: login"),
        .method(.wrongCarriedValues, "a load without its error", "load: page", "load: «cancelled»"),
        .method(.wrongCarriedValues, "a dismissal with an error", "dismissed: cancelled", "dismissed: «page»"),
        .method(.wrongCarriedValues, "a rejection with a value", "error: rejected", "error: «invalid»"),
        .method(.wrongCarriedValues, "an argument without its detail", "invalid-argument: invalid", "invalid-argument: «busy»"),
        .method(.wrongCarriedValues, "a second authentication with a value", "busy: busy", "busy: «invalid»"),
        .changed(
            method: ValidSpec.method, .wrongCarriedValues, "a detail that is called otherwise",
            ["invalid-argument: invalid": "invalid-argument: «invalid»", "detail: string": "text: string"],
            says: "the case 'invalid' does not fit here: it must carry 'detail: string'"),
        .method(
            .errorNeverRaised, "a case that nothing raises", "rejected: { summary: Rejected. }",
            "rejected: { summary: Rejected. }\n  «expired»: { summary: Expired. }"),
        .method(
            .finishAtPage, "a page that is its own end", "ends-at: \"{doneURL}\"", "ends-at: \"«{loginURL}»\"",
            alongside: [.unusedParameter]),
    ]
}
