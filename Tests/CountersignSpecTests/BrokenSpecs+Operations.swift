import CountersignSpec

extension BrokenSpec {
    /// The valid landscape with operations, in which a text is replaced.
    fileprivate static func operation(
        _ code: DiagnosticCode, _ title: String, _ old: String, _ new: String, suggests suggestion: String? = nil,
        alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        BrokenSpec(
            code, title, SpecSources(landscape: ValidSpec.landscape + ValidSpec.operations.changing(old, to: new)),
            suggests: suggestion,
            alongside: consequences)
    }
}

extension BrokenSpecs {
    static let operations: [BrokenSpec] = [
        .operation(
            .unknownReference, "an operation at a field that there is not", "{settings.serverURL}", "{«settings.serverUrl»}",
            suggests: "settings.serverURL"),
        .operation(
            .unknownReference, "an operation that refers to a parameter", "{settings.serverURL}", "{«serverURL»}",
            suggests: "settings.serverURL"),
        .operation(.wrongType, "an operation at what is no URL", "{settings.serverURL}/logout", "«{settings.region}/logout»"),
        .operation(.exposedSecret, "a secret in the URL of an operation", "/logout", "/logout?key={«settings.apiKey»}"),
        .operation(
            .insecureURL, "an operation over http", "{settings.serverURL}/logout", "«http://a.example/logout»",
            suggests: "https://a.example/logout"),
        .operation(
            .misplacedKey, "an operation that asks the user", "steps: [",
            "steps: [{ «prompt»: { fields: { a: { type: string, summary: A. } } } }, "),
        .operation(
            .misplacedKey, "an operation with errors of its own", "answers: [{ status: 204 }] }",
            "answers: [{ status: 204 }] }, «failures»: { status: refused }"),
        .operation(.misplacedKey, "an operation that brings a token", "answers: [{ status: 204 }]", "answers: «oauth2-token»"),
        .operation(
            .unknownReference, "a condition on a setting that there is not", "steps: [{",
            "steps: [{ when: { «settings.regoin»: present },",
            suggests: "settings.region"),
        .operation(
            .invalidValue, "an operation with an unknown method of HTTP", "\"POST {settings.serverURL}/logout\"",
            "\"«PATCH {settings.serverURL}/logout»\""),
        .operation(
            .invalidValue, "an operation without a method of HTTP", "send: \"POST {settings.serverURL}/logout\"",
            "send: \"«{settings.serverURL}/logout»\""),
        .operation(
            .unknownKey, "the words of an operation without steps",
            "steps: [{ http: { send: \"POST {settings.serverURL}/logout\", answers: [{ status: 204 }] } }]",
            "«send»: \"POST {settings.serverURL}/logout\""),
        .operation(
            .missingKey, "an operation that is never done",
            "{ http: { send: \"POST {settings.serverURL}/logout\", answers: [{ status: 204 }] } }",
            "{ «http»: { send: \"POST {settings.serverURL}/logout\" } }"),
        .operation(
            .emptyCollection, "an operation without steps",
            "steps: [{ http: { send: \"POST {settings.serverURL}/logout\", answers: [{ status: 204 }] } }]", "steps: «[»]"),
        .operation(.duplicateName, "a status twice", "204", "[204, «204»]"),
        .operation(.invalidValue, "a status that is none", "204", "«no-content»"),
        .operation(
            .unknownWord, "an operation that ends something unknown", "user-session", "«user-sesion»", suggests: "user-session"),
        .operation(.reservedName, "an operation that every session has", "logout:", "«data»:"),
        .operation(.reservedName, "a version whose name Swift has", "v1:", "«allCases»:"),
        .operation(.invalidName, "an operation that is no name", "logout:", "«log-out»:"),
        .operation(
            .emptyCollection, "an operation without versions",
            "versions:\n      v1:\n        summary: Ends the session.\n        steps: [{ http: { send: \"POST {settings.serverURL}/logout\", answers: [{ status: 204 }] } }]",
            "versions: «{»}"),
        BrokenSpec(
            .missingSettings, "operations without settings",
            SpecSources(own: [
                SpecFile(
                    "landscape.yaml",
                    """
                    countersign: 2
                    landscape: Testing
                    summary: A landscape for tests.
                    swift: { surface: foundation }
                    operations:
                      «ping»: { summary: Pings., versions: { v1: { steps: [{ http: { send: "GET https://a.example/", answers: [{ status: 200 }] } }], summary: Pings. } } }

                    """)
            ])),
        BrokenSpec(
            .collidingTypeName, "a struct with the name of an operation's versions",
            SpecSources(
                landscape: ValidSpec.landscape.changing("logging: testing", to: "logging: testing, settings: LogoutVersion")
                    + """
                    operations:
                      «logout»:
                        summary: Logs out.
                        versions: { v1: { steps: [{ http: { send: "GET https://a.example/", answers: [{ status: 200 }] } }], summary: Pings. } }

                    """)),
    ]
}
