/// Valid specs that several examples are based on: those of a city library and its catalogue.
enum ExampleText {
    static let landscape = """
        countersign: 2
        landscape: Library
        summary: The catalogue of a city library.

        """

    /// A landscape with settings, whose observers are for sessions with Foundation's types.
    static let settings = """
        countersign: 2
        landscape: Library
        summary: The catalogue of a city library.
        settings:
          serverURL: { type: url, summary: The catalogue's address. }
        server: serverURL
        swift: { surface: foundation }

        """

    /// A key in each request.
    static let key = """
        countersign: 2
        method: ReaderKey
        summary: A key in each request.
        parameters:
          servers: { type: origins, summary: The servers. }
          key: { type: secret, summary: The reader's key. }
        credential:
          eager: true
          fields:
            key: { type: secret, from: "{key}", summary: The key. }
          for: ["{servers}"]
        attach:
          - headers: { X-Key: "{credential.key}" }

        """

    /// A user name and a password that the application is asked for.
    static let password = """
        countersign: 2
        method: ReaderPassword
        summary: A card number and a PIN.
        parameters:
          servers: { type: origins, summary: The servers. }
        challenge:
          - { name: refused, status: 401, www-authenticate: Basic }
        credential:
          fields:
            card: { type: string, summary: The number of the card. }
            pin: { type: secret, summary: The PIN. }
          for: ["{servers}"]
        acquire:
          - prompt:
              fields:
                card: { type: string, summary: The number of the card. }
                pin: { type: secret, summary: The PIN. }
        attach:
          - sign:
              basic:
                user: "{credential.card}"
                password: "{credential.pin}"

        """

    /// A token that the response to a request contains.
    static let token = """
        countersign: 2
        method: ReaderToken
        summary: A token for a key.
        parameters:
          servers: { type: origins, summary: The servers. }
          endpoint: { type: url, summary: Where tokens are issued. }
          key: { type: secret, summary: The reader's key. }
        challenge:
          - { name: refused, status: 401, www-authenticate: Bearer }
        credential:
          fields:
            token: { type: secret, summary: The token. }
          for: ["{servers}"]
        acquire:
          - http:
              send: "POST {endpoint}"
              headers: { X-Key: "{key}" }
              answers:
                - status: 200
                  capture: { token: { json: /token } }
                - { status: 403, error: server }
        attach:
          - headers: { Authorization: "Bearer {credential.token}" }

        """

    /// A login page whose redirect contains a code.
    static let code = """
        countersign: 2
        method: ReaderCode
        summary: A login page, and a token for its code.
        parameters:
          servers: { type: origins, summary: The servers. }
          page: { type: url, summary: The login page. }
          endpoint: { type: url, summary: Where tokens are issued. }
          redirect: { type: url, summary: The way back. }
        challenge:
          - { name: refused, status: 401, www-authenticate: Bearer }
        credential:
          fields:
            token: { type: secret, summary: The token. }
          for: ["{servers}"]
        acquire:
          - generate: { state: random, verifier: pkce }
          - present:
              open: "{page}"
              query: { state: "{state}" }
              pkce: "{verifier}"
              until:
                redirect: "{redirect}"
                verify: { state: "{state}" }
              answers:
                - query: { code: present }
                  capture: { code: { query: code, type: secret } }
          - http:
              send: "POST {endpoint}"
              form: { code: "{code}", code_verifier: "{verifier}" }
              answers:
                - status: 200
                  capture: { token: { json: /token } }
        attach:
          - headers: { Authorization: "Bearer {credential.token}" }

        """

    /// A login page that leaves cookies in the session, and the errors that it can end in.
    static let login = """
        countersign: 2
        method: ReaderLogin
        summary: The login page of the catalogue.
        parameters:
          loginURL:
            type: url
            from: "{settings.serverURL}/login"
            summary: The page with the form.
          accountURL:
            type: url
            from: "{settings.serverURL}/account"
            summary: Where the browser is sent after the login.
        challenge:
          - { name: refused, status: 401 }
        credential: { cookies: shared }
        acquire:
          - present: { open: "{loginURL}", ends-at: "{accountURL}" }
            failures: { dismissed: cancelled, load: page }
        rejected:
          - { then: [acquire], error: stillSignedOut }
        failures: { invalid-argument: invalid, busy: busy }
        errors:
          busy: { summary: A login is under way. }
          invalid: { summary: Invalid., carries: { detail: string } }
          page: { summary: No page., carries: { error: error } }
          cancelled: { summary: The login was closed. }
          stillSignedOut: { summary: The login had no effect. }
        mock: { session-cookie: id }

        """
}
