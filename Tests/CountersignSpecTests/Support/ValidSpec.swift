import CountersignSpec

/// A small landscape without a mistake, from which tests make broken ones.
enum ValidSpec {
    static let landscape = """
        countersign: 1
        landscape: Testing
        summary: A landscape for tests.
        logging: testing
        settings:
          TestingSettings:
            summary: The settings.
            fields:
              serverURL: { type: url, summary: The server. }
              region: { type: string, example: eu, summary: The region. }
              tenant: { type: string, optional: true, summary: The tenant. }
              apiKey: { type: secret, example: key, summary: The key. }
            server: serverURL
            configuration:
              region: [region]

        """

    static let method = """
        countersign: 1
        method: Web
        summary: A web login.
        parameters:
          WebParameters:
            summary: What a login needs.
            fields:
              loginURL: { type: url, summary: The login page. }
              doneURL: { type: url, summary: The end. }
              headerName: { type: header, default: X-Login, summary: The header. }
            from:
              settings:
                loginURL: "{settings.serverURL}/login"
                doneURL: "{settings.serverURL}/done"
            configuration:
              loginURL: [login.url]
        challenge:
          - name: login
            status: 401
            headers:
              "{headerName}": required
        credential: session-cookies
        flow:
          busy: busy
          invalid-argument: invalid
          authenticate:
            - present:
                url: "{loginURL}"
                finish: { at: "{doneURL}" }
              fails: { dismissed: cancelled, load: page }
          after-resend:
            - fail: rejected
        errors:
          WebError:
            summary: Why a login failed.
            cases:
              busy: { summary: Busy. }
              invalid: { summary: Invalid., carries: { detail: string } }
              page: { summary: Page., carries: { error: error } }
              cancelled: { summary: Cancelled. }
              rejected: { summary: Rejected. }
        mock: { session-cookie: id }

        """

    /// Another method, whose challenges cannot be those of ``method``.
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
              v1: { post: "{settings.serverURL}/logout", status: 204, summary: Ends the session. }

        """

    /// A landscape that extends ``landscape``.
    static let extending = """
        countersign: 1
        landscape: Extending
        summary: Differs a little.
        extends: Testing

        """
}

extension SpecFile {
    init(_ path: String, _ text: String) { self.init(path: path, bytes: Array(text.utf8)) }
}

extension SpecSources {
    /// The valid landscape with its one method, each changed as told.
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
