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
        .operation(.wrongType, "an operation at what is no URL", "{settings.serverURL}", "{«settings.region»}"),
        .operation(.exposedSecret, "a secret in the URL of an operation", "/logout", "/logout?key={«settings.apiKey»}"),
        .operation(
            .insecureURL, "an operation over http", "{settings.serverURL}/logout", "«http://a.example/logout»",
            suggests: "https://a.example/logout"),
        .operation(.notExactlyOne, "an operation with two methods of HTTP", "post:", "post: \"{settings.serverURL}/x\", «delete»:"),
        .operation(
            .missingKey, "an operation that is never done", "v1: { post: \"{settings.serverURL}/logout\", status: 204,",
            "«v1»: { post: \"{settings.serverURL}/logout\","),
        .operation(.duplicateName, "a status twice", "204", "[204, «204»]"),
        .operation(.invalidValue, "a status that is none", "204", "«no-content»"),
        .operation(
            .unknownWord, "an operation that ends something unknown", "user-session", "«user-sesion»", suggests: "user-session"),
        .operation(.reservedName, "an operation that every session has", "logout:", "«data»:"),
        .operation(.reservedName, "a version whose name Swift has", "v1:", "«allCases»:"),
        .operation(.invalidName, "an operation that is no name", "logout:", "«log-out»:"),
        .operation(
            .emptyCollection, "an operation without versions",
            "versions:\n      v1: { post: \"{settings.serverURL}/logout\", status: 204, summary: Ends the session. }",
            "versions: «{»}"),
        BrokenSpec(
            .missingSettings, "operations without settings",
            SpecSources(own: [
                SpecFile(
                    "landscape.yaml",
                    """
                    countersign: 1
                    landscape: Testing
                    summary: A landscape for tests.
                    «operations»:
                      ping: { summary: Pings., versions: { v1: { get: "https://a.example/", status: 200, summary: Pings. } } }

                    """)
            ])),
        BrokenSpec(
            .collidingTypeName, "a struct with the name of an operation's versions",
            SpecSources(
                landscape: ValidSpec.landscape.changing("TestingSettings", to: "LogoutVersion")
                    + """
                    operations:
                      «logout»:
                        summary: Logs out.
                        versions: { v1: { get: "https://a.example/", status: 200, summary: Pings. } }

                    """)),
    ]
}
