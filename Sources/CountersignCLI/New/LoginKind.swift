import ArgumentParser

/// The kinds of logins that a new landscape can begin with.
enum LoginKind: String, CaseIterable, ExpressibleByArgument {
    case token, form, basic, key

    /// Returns a complete spec, with comments for its adaptation.
    func spec(named method: String) -> String {
        switch self {
        case .token: Self.tokenSpec(method)
        case .form: Self.formSpec(method)
        case .basic: Self.basicSpec(method)
        case .key: Self.keySpec(method)
        }
    }

    private static func tokenSpec(_ method: String) -> String {
        """
        # A login with a user name and a password in JSON, which returns a bearer token.
        countersign: 2
        method: \(method)
        summary: A token for a user name and a password.

        # Set by the application.
        parameters:
          server:
            type: url
            example: "https://api.example"
            summary: The URL of the API, without a trailing slash.
          # The stored logins of different users are separated by it.
          user:
            type: string
            optional: true
            summary: The user name. If it is absent, the application is asked.

        # A response that requires a login. All conditions of a challenge must hold; add
        # the ones that distinguish it from other responses with this status, such as
        #   www-authenticate: Bearer
        #   json: { /error: no_session }
        #   json: { /code: 4711 }
        # 'countersign probe URL' shows the response of a server.
        challenge:
          - name: unauthorized
            status: 401

        # The values that are kept after a login, and the servers that may receive them.
        credential:
          fields:
            token: { type: secret, summary: The token. }
            lifetime: { type: duration, summary: The lifetime of the token. }
          expires: { after: "{credential.lifetime?}" }
          for: ["{server}"]

        # The login: values that the user enters, a request, and the expected responses.
        acquire:
          - prompt:
              fields:
                user: { type: string, summary: The user name. }
                password: { type: secret, summary: The password. }
          - http:
              send: "POST {server}/login"
              json: { username: "{user}", password: "{password}" }
              answers:
                - status: 200
                  # JSON Pointers of the values in the response. A value in a
                  # header field is { header: X-Token, type: secret }.
                  capture:
                    token: { json: /access_token, type: secret }
                    lifetime: { json: /expires_in, type: duration, optional: true }
                # The server has refused the login. If it does so with status 200, add
                # what distinguishes both answers, such as json: { /ok: false }.
                - { status: [400, 401, 403], error: server }

        # A refresh token saves the user the next login. Add it to the fields of the
        # credential and to the captures above, and begin the rule below with 'renew':
        #   - { then: [renew, acquire], retry: 2 }
        # renew:
        #   - http:
        #       send: "POST {server}/refresh"
        #       json: { refresh_token: "{credential.refresh}" }
        #       answers:
        #         - status: 200
        #           capture:
        #             token: { json: /access_token, type: secret }
        #             refresh: { json: /refresh_token, type: secret }
        #             lifetime: { json: /expires_in, type: duration, optional: true }
        #         # The session has ended.
        #         - { status: [400, 401], error: server }

        # Added to each request.
        attach:
          - headers: { Authorization: "Bearer {credential.token}" }

        # A challenge to a request with a token: a new login. After a refused login, the
        # user is asked again, at most this many times.
        rejected:
          - { then: [acquire], retry: 2 }

        """
    }

    private static func formSpec(_ method: String) -> String {
        """
        # A login form, which sets a session cookie.
        countersign: 2
        method: \(method)
        summary: A login form that sets a session cookie.

        # Set by the application.
        parameters:
          server:
            type: url
            example: "https://app.example"
            summary: The URL of the application, without a trailing slash.
          # The stored logins of different users are separated by it.
          user:
            type: string
            optional: true
            summary: The user name. If it is absent, the application is asked.

        # Responses that require a login: the first that matches is used. All conditions
        # of a challenge must hold.
        challenge:
          - { name: refused, status: 401 }
          - name: redirected
            status: [302, 303, 307]
            headers: { Location: { prefix: "{server}/login" } }

        # The cookies of the login are kept, and sent to this server only.
        credential:
          cookies: private
          for: ["{server}"]

        # The login: values that the user enters, requests, and the expected responses.
        acquire:
          - prompt:
              fields:
                user: { type: string, summary: The user name. }
                password: { type: secret, summary: The password. }
          # The hidden input of the form's page is sent with the form. Without one,
          # remove this request and the field below.
          - http:
              send: "GET {server}/login"
              answers:
                - status: 200
                  capture:
                    hidden: { input: csrf_token, type: secret, optional: true }
          - http:
              send: "POST {server}/login"
              form:
                username: "{user}"
                password: "{password}"
                csrf_token: "{hidden?}"
              answers:
                # Back to the form: the server has refused the login.
                - status: [302, 303]
                  headers: { Location: { prefix: "{server}/login" } }
                  error: server
                # The login. If other responses set cookies, too, name the session's:
                #   cookies: { session: present }
                - { status: [204, 302, 303], cookies: present }
                # The form again, often with a cookie. If a login has status 200, add
                # this status above, and name the session's cookie there.
                - { status: [200, 400, 401, 403, 422], error: server }

        # A challenge to a request with the cookies: a new login. After a refused login,
        # the user is asked again, at most this many times.
        rejected:
          - { then: [acquire], retry: 2 }

        # The logout. A session that has ended already is no error. A server that
        # refuses with 403 may require a hidden input here, too: get a page with it
        # first, as above.
        end:
          - http:
              send: "POST {server}/logout"
              answers: [{ status: [200, 204, 302, 303, 401] }]

        """
    }

    private static func basicSpec(_ method: String) -> String {
        """
        # A user name and a password in each request (HTTP Basic, RFC 7617).
        countersign: 2
        method: \(method)
        summary: A user name and a password, by HTTP Basic.

        # Set by the application.
        parameters:
          server:
            type: url
            example: "https://api.example"
            summary: The URL of the API.

        # A response that requires a password. All conditions of a challenge must hold.
        challenge:
          - name: unauthorized
            status: 401
            www-authenticate: Basic
            capture: { realm: { parameter: realm, default: "" } }

        # The values that are kept, and the servers that may receive them. Each realm
        # has a password of its own.
        credential:
          fields:
            user: { type: string, summary: The user name. }
            password: { type: secret, summary: The password. }
          per: ["{challenge.realm}"]
          for: ["{server}"]

        # The values that the user enters.
        acquire:
          - prompt:
              fields:
                user: { type: string, summary: The user name. }
                password: { type: secret, summary: The password. }

        # Added to each request.
        attach:
          - sign:
              basic:
                user: "{credential.user}"
                password: "{credential.password}"

        # A challenge to a request with a password: the user is asked again, at most
        # this many times.
        rejected:
          - { then: [acquire], retry: 2 }

        """
    }

    private static func keySpec(_ method: String) -> String {
        """
        # An API key in a header field of each request.
        countersign: 2
        method: \(method)
        summary: An API key in a header field.

        # Set by the application.
        parameters:
          key: { type: secret, summary: The key. }
          server:
            type: url
            example: "https://api.example"
            summary: The URL of the API.

        # The value that is kept, and the servers that may receive it. 'eager' adds it
        # to each request from the first one on, without a challenge.
        credential:
          eager: true
          fields:
            key: { type: secret, from: "{key}", summary: The key. }
          for: ["{server}"]

        # Added to each request.
        attach:
          - headers: { X-API-Key: "{credential.key}" }

        """
    }
}
