import CountersignSpec

/// A small landscape without a mistake, from which tests make faulty ones.
enum ValidSpec {
    static let landscape = """
        countersign: 2
        landscape: Testing
        summary: A landscape for tests.
        settings:
          serverURL: { type: url, summary: The server. }
          region: { type: string, example: eu, configuration: [region], summary: The region. }
          tenant: { type: string, optional: true, summary: The tenant. }
          apiKey: { type: secret, example: key, summary: The key. }
        server: serverURL
        swift: { surface: foundation, logging: testing }

        """

    static let method = """
        countersign: 2
        method: Web
        summary: A web login.
        parameters:
          loginURL: { type: url, from: "{settings.serverURL}/login", configuration: [login.url], summary: The login page. }
          doneURL: { type: url, from: "{settings.serverURL}/done", summary: The end. }
          headerName: { type: header, default: X-Login, summary: The header. }
        challenge:
          - name: login
            status: 401
            headers:
              "{headerName}": required
        credential: { cookies: shared }
        acquire:
          - present:
              open: "{loginURL}"
              ends-at: "{doneURL}"
            failures: { dismissed: cancelled, load: page }
        rejected:
          - { then: [acquire], error: rejected }
        failures: { invalid-argument: invalid, busy: busy }
        errors:
          busy: { summary: Busy. }
          invalid: { summary: Invalid., carries: { detail: string } }
          page: { summary: Page., carries: { error: error } }
          cancelled: { summary: Cancelled. }
          rejected: { summary: Rejected. }
        mock: { session-cookie: id }

        """

    /// Another method, whose challenges differ from those of ``method``.
    static let otherMethod =
        method
        .replacing("Web", with: "Other")
        .replacing("status: 401", with: "status: 403")

    /// Operations for the end of ``landscape``.
    static let operations = """
        operations:
          logout:
            summary: Logs out.
            ends: user-session
            versions:
              v1:
                summary: Ends the session.
                steps: [{ http: { send: "POST {settings.serverURL}/logout", answers: [{ status: 204 }] } }]

        """

    /// A landscape that extends ``landscape``.
    static let extending = """
        countersign: 2
        landscape: Extending
        summary: Differs a little.
        extends: Testing

        """
}

extension SpecFile {
    init(_ path: String, _ text: String) { self.init(path: path, bytes: Array(text.utf8)) }
}

extension SpecSources {
    /// The valid landscape with its one method, each with the given changes.
    init(landscape: String = ValidSpec.landscape, method: String = ValidSpec.method) {
        self.init(own: [SpecFile("landscape.yaml", landscape), SpecFile("Web.yaml", method)])
    }

    /// A landscape that extends the valid one.
    init(extending landscape: String, own: [SpecFile] = [], method: String = ValidSpec.method) {
        self.init(
            own: [SpecFile("landscape.yaml", landscape)] + own,
            inherited: [SpecFile("base/landscape.yaml", ValidSpec.landscape), SpecFile("base/Web.yaml", method)])
    }
}
