import CountersignSpec

extension ValidSpec {
    /// A landscape of the surface `core`.
    static let coreLandscape = """
        countersign: 2
        landscape: Testing
        summary: A landscape for tests.

        """

    /// A method of the surface `core` without a mistake.
    static let program = """
        countersign: 2
        method: Web
        summary: A login.
        parameters:
          servers: { type: origins, summary: The servers. }
          tenant: { type: string, optional: true, summary: The tenant. }
          key: { type: secret, summary: A key. }
          area: { type: string, default: all, summary: The area. }
        challenge:
          - name: login
            status: 401
            headers: { X-Area: "{area}" }
            www-authenticate: Basic
            capture:
              realm: { parameter: realm, default: "" }
              nonce: { header: X-Nonce }
          - name: stale
            status: [403, 419]
            capture:
              nonce: { header: X-Nonce }
        credential:
          fields:
            user: { type: string, summary: The user name. }
            password: { type: secret, summary: The password. }
            nonce: { type: secret, summary: The nonce., from: "{challenge.nonce}" }
          per: ["{request.url.origin}", "{challenge.realm?}", "{tenant?}"]
          space: directory
          for: ["{servers}"]
        acquire:
          - prompt:
              fields:
                user: { type: string, summary: The user name. }
                password: { type: secret, summary: The password. }
        attach:
          - headers:
              X-Key: "{key}"
              X-Nonce: "{credential.nonce}"
          - sign: { basic: { user: "{credential.user}", password: "{credential.password}" } }
        rejected:
          - { challenge: stale, then: [acquire] }
          - { then: [acquire], retry: 2 }

        """

    /// A method of the surface `core` with requests of its own.
    static let calls = """
        countersign: 2
        method: Web
        summary: A token.
        parameters:
          servers: { type: origins, summary: The servers. }
          logins: { type: origins, summary: The login servers. }
          endpoint: { type: url, summary: The endpoint. }
          mirror: { type: url, optional: true, summary: Another endpoint. }
          area: { type: string, default: all, summary: The area. }
          key: { type: secret, summary: A key. }
        challenge:
          - name: login
            status: 401
            www-authenticate: Bearer
            capture:
              realm: { parameter: realm, type: url, within: ["{request.url.origin}", "{logins}", "{mirror?}"] }
              scope: { parameter: scope, optional: true }
        credential:
          fields:
            user: { type: string, summary: The user name. }
            ticket: { type: string, summary: A ticket. }
            token: { type: secret, summary: A token. }
            lifetime: { type: duration, summary: How long the token is good for. }
          expires: { after: "{credential.lifetime?}" }
          per: ["{challenge.realm}"]
          space: directory
          for: ["{servers}"]
        acquire:
          - prompt: { fields: { user: { type: string, summary: The user name. } } }
          - http:
              send: "POST {endpoint}/ticket"
              headers: { Accept: application/json }
              form: { area: "{area}" }
              sign: { basic: { user: "{credential.user}", password: "{key}" } }
              answers:
                - status: 200
                  capture: { ticket: { header: X-Ticket } }
                - { status: [401, 403], error: server }
          - http:
              send: "GET {challenge.realm}"
              query: { scope: "{challenge.scope?}", ticket: "{credential.ticket}" }
              answers:
                - status: 200
                  capture:
                    token: { json: [/token, /access_token] }
                    lifetime: { json: /expires_in, type: duration, default: 60s }
                - status: 201
                  capture:
                    token: { header: X-Token }
                    lifetime: { header: X-Lifetime, type: duration, optional: true }
        attach:
          - headers: { Authorization: "Bearer {credential.token}" }
        rejected:
          - { then: [acquire] }

        """

    /// A method of the surface `core` with an HTTP Message Signature.
    static let message = """
        countersign: 2
        method: Web
        summary: A signature that a standard has.
        parameters:
          servers: { type: origins, summary: The servers. }
          name: { type: string, summary: The key's name. }
          key: { type: secret, summary: The key. }
        credential:
          eager: true
          fields:
            name: { type: string, from: "{name}", summary: The key's name. }
          for: ["{servers}"]
        attach:
          - sign:
              http-message:
                algorithm: hmac-sha256
                key: "{key}"
                key-id: "{credential.name}"
                components: ["@method", date]

        """

    /// A method of the surface `core` whose requests have a signature that the spec describes.
    static let computed = """
        countersign: 2
        method: Web
        summary: A signature that no standard has.
        parameters:
          servers: { type: origins, summary: The servers. }
          name: { type: string, summary: The key's name. }
          key: { type: secret, summary: The key. }
        challenge:
          - { name: login, status: 401, headers: { X-Nonce: present }, capture: { nonce: { header: X-Nonce } } }
        credential:
          fields:
            nonce: { type: string, from: "{challenge.nonce}", summary: The nonce. }
          for: ["{servers}"]
        attach:
          - generate: { salt: random }
            compute:
              now: { time: unix }
              digest: { hash: sha-256, of: "{request.body}" }
              signature: { hmac: sha-512, key: "{key}", of: "{request.method}{request.target}\\n{salt}{now}{digest}{credential.nonce}\\n{name}" }
            headers: { X-Time: "{now}", X-Salt: "{salt}", X-Signature: "{signature}" }

        """

    /// A method that presents tickets.
    static let tickets = """
        countersign: 2
        method: Web
        summary: A ticket.
        parameters:
          servers: { type: origins, summary: The servers. }
          principal: { type: string, optional: true, summary: Whose tickets. }
          secret: { type: secret, summary: The secret. }
          isBound: { type: boolean, default: "false", summary: Whether they are bound. }
        challenge:
          - { name: ticket, status: 401, www-authenticate: Negotiate }
        credential:
          tickets: system
          for: ["{servers}"]
        attach:
          - sign: { negotiate: { service: HTTP, principal: "{principal?}", bound: "{isBound?}" } }
          - headers: { X-Client: "{secret}" }

        """

    /// A method that uses XML, and announces that with each request.
    static let elements = """
        countersign: 2
        method: Web
        summary: A login in XML.
        parameters:
          servers: { type: origins, summary: The servers. }
          provider: { type: url, summary: The provider. }
          kind: { type: string, default: "text/xml", summary: The media type. }
          secret: { type: secret, summary: The secret. }
        announce:
          Accept: "{kind}"
        challenge:
          - name: login
            status: 200
            headers: { Content-Type: text/xml }
            capture: { request: { xml: /Envelope/Body/Request, type: xml } }
        credential:
          fields: { token: { type: secret, summary: The token. } }
          for: ["{servers}"]
        acquire:
          - http:
              send: "POST {provider}"
              xml: "<Envelope><Body>{challenge.request}<Proof>{secret}</Proof></Body></Envelope>"
              answers:
                - status: 200
                  xml: { /Envelope/Body/@version: "2" }
                  capture: { token: { xml: /Envelope/Body/Token } }
                - status: 200
                  xml: { /Envelope/Body/Fault: present }
                  capture: { fault: { xml: /Envelope/Body/Fault, type: xml } }
          - when: { fault: present }
            http:
              send: "POST {provider}"
              xml: "<Envelope><Body>{fault}</Body></Envelope>"
              answers: [{ error: server }]
        attach:
          - headers: { X-Token: "{credential.token}" }

        """

    /// A method of the surface `core` whose tokens are bound to a key.
    static let bound = """
        countersign: 2
        method: Web
        summary: A token that is bound to a key.
        parameters:
          servers: { type: origins, summary: The servers. }
          endpoint: { type: url, summary: The endpoint. }
          name: { type: string, summary: The client. }
          isBound: { type: boolean, default: "false", summary: Whether tokens are bound. }
        challenge:
          - { name: token, status: 401, www-authenticate: DPoP }
        credential:
          fields:
            key: { type: secret, summary: The key. }
            token: { type: secret, summary: The token. }
          for: ["{servers}"]
        acquire:
          - when: { isBound: "true" }
            generate: { newKey: p256-key }
          - when: { isBound: "true" }
            compute: { hash: { thumbprint: "{newKey}" } }
          - compute: { key: { value: "{newKey?}" } }
          - http:
              send: "POST {endpoint}"
              sign: { dpop: { key: "{credential.key?}" } }
              client: { id: "{name}" }
              form: { dpop_jkt: "{hash?}" }
              answers:
                - status: 200
                  json: { /token_type: { any-case: DPoP } }
                  capture: { token: { json: /access_token, type: secret } }
        attach:
          - headers: { Authorization: "DPoP {credential.token}" }
          - sign: { dpop: { key: "{credential.key?}", token: "{credential.token}" } }
        rejected:
          - { then: [acquire] }

        """

    /// A method of the surface `core` that signs tokens: one for a login, and one that requests carry.
    static let assertion = """
        countersign: 2
        method: Web
        summary: Tokens that the client signs.
        parameters:
          servers: { type: origins, summary: The servers. }
          endpoint: { type: url, summary: The endpoint. }
          name: { type: string, summary: The client. }
          scopes: { type: string, optional: true, summary: The scopes. }
          keyName: { type: string, optional: true, summary: The key's name. }
          key: { type: secret, summary: The key. }
        challenge:
          - { name: login, status: 401, www-authenticate: Bearer }
        credential:
          fields:
            token: { type: secret, summary: A token. }
            own: { type: secret, summary: A token of the client. }
          expires: { after: 55m }
          for: ["{servers}"]
        acquire:
          - compute:
              assertion:
                jwt:
                  key: "{key}"
                  key-id: "{keyName?}"
                  rsa-algorithm: PS256
                  lifetime: 3m
                  claims: { iss: "{name}", aud: ["{endpoint}"], scope: "{scopes?}", level: 2 }
          - compute: { own: { jwt: { key: "{key}", claims: { iss: "{name}" }, clock-skew: 30s } } }
          - http:
              send: "POST {endpoint}"
              form: { assertion: "{assertion}" }
              answers: [{ status: 200, capture: { token: { json: /token } } }]
        attach:
          - headers: { Authorization: "Bearer {credential.token}", X-Client: "{credential.own}" }
        rejected:
          - { then: [acquire] }

        """

    /// A method of the surface `core` whose steps have conditions, values of their own, and JSON.
    static let steps = """
        countersign: 2
        method: Web
        summary: A token for a password and a passcode.
        parameters:
          servers: { type: origins, summary: The servers. }
          endpoint: { type: url, summary: The endpoint. }
          user: { type: string, optional: true, summary: The user name. }
          password: { type: secret, optional: true, summary: The password. }
          project: { type: string, optional: true, summary: The project. }
          seed: { type: secret, optional: true, summary: The key of passcodes. }
        challenge:
          - { name: login, status: 401, www-authenticate: Bearer }
        credential:
          fields:
            token: { type: secret, summary: A token. }
            expires: { type: date, summary: When it runs out. }
          expires: { at: "{credential.expires?}" }
          for: ["{servers}"]
        acquire:
          - prompt: { fields: { user: { type: string, summary: The name. }, password: { type: secret, summary: The password. } } }
          - when: { project: present }
            compute: { scope: { json: { project: "{project}" } } }
          - http:
              send: "POST {endpoint}/login"
              json: { login: { user: "{user}", password: "{password}" }, scope: "{scope?}" }
              answers:
                - status: 201
                  capture: { token: { header: X-Token }, expires: { json: /expires, type: date, optional: true } }
                - status: 202
                  capture: { receipt: { header: X-Receipt, type: secret } }
                - { status: 401, error: server }
          - when: { receipt: present, seed: present }
            compute: { passcode: { totp: "{seed}" } }
          - when: { receipt: present }
            prompt: { fields: { passcode: { type: secret, summary: A passcode. } } }
          - when: { receipt: present }
            http:
              send: "POST {endpoint}/second"
              headers: { X-Receipt: "{receipt}" }
              json: { passcode: "{passcode}", scope: "{scope?}" }
              answers:
                - status: 201
                  capture: { token: { header: X-Token }, expires: { header: Expires, type: date, optional: true } }
        attach:
          - headers: { Authorization: "Bearer {credential.token}" }
        rejected:
          - { then: [acquire] }
        end:
          - when: { project: present }
            compute: { scope: { json: { project: "{project}" } } }
          - http:
              send: "DELETE {endpoint}/login"
              headers: { X-Token: "{credential.token}" }
              answers: [{ status: 204, capture: { next: { header: X-Next, optional: true } } }, { status: 403, error: server }]
          - when: { next: present }
            http: { send: "POST {endpoint}/logout", json: ["{next}", "{scope?}", "{user?}"], answers: [{ status: 200 }] }

        """

    /// A method of the surface `core` whose credential is a value of the challenge.
    static let echo = """
        countersign: 2
        method: Web
        summary: What the server says is sent back.
        parameters: { server: { type: url, summary: The server. } }
        challenge:
          - name: conflict
            status: 409
            capture: { id: { header: X-Id } }
          - name: expired
            status: 410
            capture: { id: { header: X-Id } }
        credential:
          fields: { id: { type: secret, from: "{challenge.id}", summary: The identifier. } }
          for: ["{server}"]
        attach: [{ headers: { X-Id: "{credential.id}" } }]
        rejected:
          - { challenge: expired, then: [resend], retry: 2 }
          - { challenge: conflict, then: [resend] }

        """

    /// An operation with parameters and results, for the end of ``coreLandscape``.
    static let question = """
        operations:
          ask:
            summary: Asks.
            parameters:
              server: { type: url, example: "https://a.example", summary: The server. }
              key: { type: secret, summary: A key. }
              hint: { type: string, optional: true, summary: A hint. }
            results:
              isGood: { type: boolean, summary: Whether it is good. }
              user: { type: string, summary: The user. }
              ticket: { type: secret, optional: true, summary: A ticket. }
              until: { type: date, optional: true, summary: Until when. }
            versions:
              usual:
                summary: Asks the server.
                steps:
                  - http:
                      send: "POST {server}/ask"
                      headers: { X-Key: "{key}" }
                      query: { hint: "{hint?}" }
                      answers:
                        - status: 200
                          json: { /good: "true" }
                          capture:
                            isGood: { json: /good, type: boolean, strict: true }
                            user: { json: /user }
                            ticket: { json: /ticket, optional: true }
                            until: { json: /until, type: date, optional: true }
                        - status: 202
                          capture:
                            isGood: { json: /good, type: boolean }
                            user: { header: X-User }

        """

    /// A method of the surface `core` whose credential is cookies.
    static let form = """
        countersign: 2
        method: Web
        summary: A form.
        parameters:
          page: { type: url, summary: The form. }
          userField: { type: string, default: user, summary: The field for the user. }
          hiddenField: { type: string, default: csrf, summary: The hidden field. }
          hint: { type: string, optional: true, summary: A hint. }
          wrong: { type: string, default: Fails., summary: What a wrong password leads to. }
          code: { type: string, default: "1", summary: The code of the error. }
          user: { type: string, optional: true, summary: The user. }
          password: { type: secret, optional: true, summary: The password. }
          key: { type: secret, summary: A key. }
        challenge:
          - { name: error, status: 200, json: { /error/code: "{code}" } }
          - { name: refused, status: 401 }
        credential:
          cookies: private
          for: ["{page}"]
        acquire:
          - prompt:
              fields:
                user: { type: string, summary: The user. }
                password: { type: secret, summary: The password. }
          - http:
              send: "GET {page}"
              answers:
                - { status: 200, capture: { hidden: { input: "{hiddenField}", optional: true } } }
          - http:
              send: "POST {page}"
              form:
                "{userField}": "{user}"
                password: "{password}"
                "{hiddenField}": "{hidden?}"
                key: "{key}"
                hint: "{hint?}"
              answers:
                - { status: 200, text: { contains: "{wrong}" }, error: server }
                - { status: [302, 303], cookies: present }
                - { status: 200, error: server }
        rejected:
          - { then: [acquire], retry: 1 }

        """

    /// A method of the surface `core` whose credential is in the first request.
    static let eager = """
        countersign: 2
        method: Web
        summary: A key.
        parameters:
          servers: { type: origins, summary: The servers. }
          field: { type: header, default: X-Key, summary: The field. }
          tenant: { type: string, summary: The tenant. }
        challenge:
          - name: refused
            status: 401
        credential:
          eager: true
          fields:
            key: { type: secret, summary: The key. }
          per: ["{tenant}"]
          for: ["{servers}"]
        acquire:
          - prompt:
              fields:
                key: { type: secret, summary: The key. }
        attach:
          - headers: { "{field}": "{credential.key}" }
        rejected:
          - { then: [acquire], retry: 2 }

        """

    /// A method of the surface `core` whose requests are signed by the server's clock.
    static let signed = """
        countersign: 2
        method: Web
        summary: Signed requests.
        parameters:
          servers: { type: origins, summary: The servers. }
          id: { type: string, summary: The key's identifier. }
          key: { type: secret, summary: The key. }
        challenge:
          - name: clock
            status: 403
            capture: { time: { header: Date, type: clock } }
          - name: refused
            status: 401
        credential:
          eager: true
          fields:
            key: { type: secret, from: "{key}", summary: The key. }
            clock: { type: clock, from: "{challenge.time?}", summary: The server's clock. }
          for: ["{servers}"]
        attach:
          - sign:
              aws-sigv4: { id: "{id}", key: "{credential.key}", region: eu, service: s3, clock: "{credential.clock?}" }
        rejected:
          - { challenge: clock, then: [resend], retry: 1 }

        """

    /// A method of the surface `core` with a login page that leaves cookies.
    static let browser = """
        countersign: 2
        method: Web
        summary: A login in a browser.
        parameters:
          login: { type: url, summary: The page. }
          done: { type: url, summary: The end. }
          server: { type: url, summary: The server. }
          key: { type: string, summary: A text. }
        challenge:
          - { name: login, status: 401, headers: { X-Key: "{key}" } }
        credential:
          cookies: private
          for: ["{server}"]
        acquire:
          - present:
              open: "{login}"
              ends-at: "{done}"
              match: path

        """

    /// A method of the surface `core` with a login page, and a credential that is renewed.
    static let pages = """
        countersign: 2
        method: Web
        summary: A login.
        parameters:
          servers: { type: origins, summary: The servers. }
          page: { type: url, summary: The page. }
          endpoint: { type: url, summary: The endpoint. }
          redirect: { type: url, summary: The way back. }
          client: { type: string, summary: The client. }
          secret: { type: secret, optional: true, summary: Its secret. }
          issuer: { type: string, optional: true, summary: The issuer. }
        challenge:
          - { name: login, status: 401, www-authenticate: Bearer, capture: { scope: { parameter: scope, optional: true } } }
        credential:
          fields:
            token: { type: secret, summary: A token. }
            refresh: { type: secret, summary: What renews it. }
            lifetime: { type: duration, summary: How long the token is good for. }
          expires: { after: "{credential.lifetime?}" }
          for: ["{servers}"]
        acquire:
          - generate: { state: random, verifier: pkce }
          - present:
              open: "{page}"
              query: { client_id: "{client}", scope: "{challenge.scope?}", state: "{state}" }
              pkce: "{verifier}"
              until:
                redirect: "{redirect}"
                verify: { state: "{state}", iss: "{issuer?}" }
              answers:
                - { query: { error: present }, error: server }
                - { query: { code: present }, capture: { code: { query: code, type: secret } } }
          - http:
              send: "POST {endpoint}"
              client: { id: "{client}", secret: "{secret?}" }
              form: { code: "{code}", code_verifier: "{verifier}", redirect_uri: "{redirect}" }
              answers:
                - status: 200
                  capture: &tokens
                    token: { json: /access_token, type: secret }
                    refresh: { json: /refresh_token, type: secret, optional: true }
                    lifetime: { json: /expires_in, type: duration, optional: true }
        renew:
          - http:
              send: "POST {endpoint}"
              client: { id: "{client}", secret: "{secret?}" }
              form: { grant_type: refresh_token, refresh_token: "{credential.refresh}" }
              answers:
                - { status: 400, error: server }
                - { status: 200, capture: *tokens }
        attach:
          - headers: { Authorization: "Bearer {credential.token}" }
        rejected:
          - { then: [renew, acquire] }

        """
}

extension SpecSources {
    /// The valid landscape of the surface `core` with one method, each with the given changes.
    init(core landscape: String = ValidSpec.coreLandscape, program: String) {
        self.init(own: [SpecFile("landscape.yaml", landscape), SpecFile("Web.yaml", program)])
    }
}

extension ValidSpec {
    /// A method that reads published and signed data of a server.
    static let publication = """
        countersign: 2
        method: Web
        summary: A login.
        parameters:
          servers: { type: origins, summary: The servers. }
          issuer: { type: url, summary: The issuer. }
          more: { type: origins, optional: true, summary: Further servers. }
          client: { type: string, summary: The client. }
        documents:
          server:
            at:
              - "{issuer}/.well-known/openid-configuration"
              - { well-known: oauth-authorization-server, of: "{issuer}" }
            json: { /issuer: "{issuer}" }
            capture:
              tokenURL: { json: /token_endpoint, type: url, within: ["{issuer}", "{more?}"] }
              keysURL: { json: /jwks_uri, type: url, within: ["{issuer}"] }
              isStrict: { json: /strict, type: boolean }
            expires: 1h
        challenge:
          - { name: login, status: 401, www-authenticate: Bearer }
        credential:
          fields:
            token: { type: secret, summary: A token. }
            subject: { type: string, place: store, summary: The user. }
          for: ["{servers}"]
        acquire:
          - generate: { nonce: random }
          - when: { server.isStrict: "true" }
            http:
              send: "POST {server.tokenURL}"
              form: { nonce: "{nonce}" }
              answers: [{ status: 200 }]
          - http:
              send: "POST {server.tokenURL}"
              form: { client_id: "{client}", nonce: "{nonce}" }
              answers:
                - status: 200
                  capture:
                    token: { json: /access_token, type: secret }
                    identity: { json: /id_token, type: secret }
          - verify:
              jwt: "{identity}"
              keys: "{server.keysURL}"
              claims: { iss: "{issuer}", aud: "{client}", nonce: "{nonce}" }
              access-token: "{credential.token}"
              capture: { subject: { json: /sub } }
        attach:
          - headers: { Authorization: "Bearer {credential.token}" }
        rejected:
          - { then: [acquire] }

        """

    /// A method of the surface `core` whose user types a code on another device.
    static let device = """
        countersign: 2
        method: Web
        summary: A token for a device.
        parameters:
          servers: { type: origins, summary: The servers. }
          pages: { type: origins, summary: The servers of the page. }
          endpoint: { type: url, summary: The endpoint. }
        challenge:
          - { name: login, status: 401, www-authenticate: Bearer }
        credential:
          fields:
            token: { type: secret, summary: A token. }
          for: ["{servers}"]
        acquire:
          - http:
              send: "POST {endpoint}/device"
              answers:
                - status: 200
                  capture:
                    device: { json: /device, type: secret }
                    user: { json: /user }
                    page: { json: /page, type: url, within: ["{pages}"] }
                    whole: { json: /whole, type: url, within: ["{pages}"], optional: true }
                    interval: { json: /interval, type: duration, default: 5s }
                    lifetime: { json: /lifetime, type: duration, default: 10m }
          - present: { open: "{page}", code: "{user}", complete: "{whole?}", lifetime: "{lifetime}" }
          - repeat:
              while: { credential.token: absent }
              every: "{interval}"
              within: 10m
              steps:
                - http:
                    send: "POST {endpoint}/token"
                    form: { device: "{device}" }
                    answers:
                      - { status: 400, json: { /error: authorization_pending } }
                      - { status: 400, json: { /error: slow_down }, delay: 5s }
                      - { status: 400, error: server }
                      - { status: 200, capture: { token: { json: /token } } }
        attach:
          - headers: { Authorization: "Bearer {credential.token}" }
        rejected:
          - { then: [acquire] }

        """
}
