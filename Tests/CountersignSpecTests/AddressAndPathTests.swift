import TestTurns
import Testing

@testable import CountersignSpec

/// Specs whose credential would be sent to any server, or whose steps would lack a value.
@Suite(.takesTurns) struct AddressAndPathTests {
    private static func messages(_ spec: String) -> [String] {
        SpecReader.read(SpecSources(program: spec)).diagnostics.map(\.message)
    }

    // MARK: Addresses

    /// A method that renews its token at a URL that the server has named.
    private static let renewed = """
        countersign: 2
        method: Web
        summary: A token.
        parameters:
          servers: { type: origins, summary: The servers. }
          endpoint: { type: url, summary: The endpoint. }
          key: { type: secret, summary: The key. }
          isOld: { type: boolean, default: "false", summary: Whether the server is old. }
        challenge:
          - { name: login, status: 401, www-authenticate: Bearer }
        credential:
          fields:
            place: { type: string, summary: The URL of renewals. }
            token: { type: secret, summary: The token. }
          for: ["{servers}"]
        acquire:
          - when: { isOld: "true" }
            http:
              send: "POST {endpoint}/old"
              form: { key: "{key}" }
              answers:
                - status: 200
                  capture: { place: { json: /old, type: url, within: ["{endpoint}"] }, token: { json: /token } }
          - when: { isOld: "false" }
            http:
              send: "POST {endpoint}"
              form: { key: "{key}" }
              answers:
                - status: 200
                  capture: { place: { json: /place, type: url, within: ["{endpoint}"] }, token: { json: /token } }
        renew:
          - http:
              send: "POST {credential.place}"
              form: { token: "{credential.token}" }
              answers:
                - status: 200
                  capture: { place: { json: /next, type: url, within: ["{endpoint}"] }, token: { json: /token } }
                - { status: 400, error: server }
        attach:
          - headers: { Authorization: "Bearer {credential.token}" }
        rejected:
          - { then: [renew, acquire] }

        """

    @Test(arguments: [("com.example.app:/callback", true), ("com.example.app:callback", false), ("app:/callback", false)])
    func `a URL can have a private-use scheme without a host`(example: String, isValid: Bool) {
        let spec = Self.renewed.changing("endpoint: { type: url,", to: "endpoint: { type: url, example: \"\(example)\",")
        #expect(Self.messages(spec).contains { $0.contains("is not an absolute URL") } != isValid)
    }

    @Test func `a token is sent to a URL within the origins of the spec`() {
        #expect(Self.messages(Self.renewed) == [])
    }

    @Test(arguments: ["/place", "/next"])
    func `a field with a URL of a server cannot be set to an unchecked text`(pointer: String) {
        let spec = Self.renewed.changing(
            "{ json: \(pointer), type: url, within: [\"{endpoint}\"] }", to: "{ json: \(pointer) }")
        #expect(Self.messages(spec) == ["'place' is a 'url'; write 'type: url'"])
    }

    @Test func `the message about an unchecked text points to the response that has set the URL`() throws {
        let spec = Self.renewed.changing("{ json: /place, type: url, within: [\"{endpoint}\"] }", to: "{ json: /place }")
        let notes = SpecReader.read(SpecSources(program: spec)).diagnostics.flatMap(\.notes)
        let line = try #require(notes.first?.location.line)
        #expect(spec.split(separator: "\n", omittingEmptySubsequences: false)[line - 1].contains("type: url, within"))
    }

    @Test func `a field that an earlier step sets to an unchecked text is not a URL`() {
        let spec = Self.renewed.changing("{ json: /old, type: url, within: [\"{endpoint}\"] }", to: "{ json: /old }")
        let messages = Self.messages(spec)
        #expect(messages.count == 1)
        #expect(messages.first?.hasPrefix("the URL of a request must be a whole reference to a URL") == true)
    }

    @Test func `a field that has a text from the login is not a URL after some responses of a renewal`() {
        let spec = Self.renewed
            .changing("{ json: /old, type: url, within: [\"{endpoint}\"] }", to: "{ json: /old }")
            .changing("{ json: /place, type: url, within: [\"{endpoint}\"] }", to: "{ json: /place }")
            .changing("send: \"POST {credential.place}\"", to: "send: \"POST {endpoint}/renew\"")
            .changing(
                "        - { status: 400, error: server }\n",
                to: """
                            - { status: 201, capture: { token: { json: /token } } }
                            - { status: 400, error: server }
                      - http: { send: "POST {credential.place}", form: { key: "{key}" }, answers: [{ status: 200 }] }

                    """)
        let messages = Self.messages(spec)
        #expect(messages.count == 1)
        #expect(messages.first?.hasPrefix("the URL of a request must be a whole reference to a URL") == true)
    }

    /// A field of the type `url` with a value of the challenge.
    private static func placed(_ value: String) -> String {
        ValidSpec.calls
            .changing(
                "ticket: { type: string,", to: "place: { type: url, from: \"\(value)\", summary: P. }\n    ticket: { type: string,"
            )
            .changing("GET {challenge.realm}", to: "GET {credential.place}")
    }

    @Test(arguments: ["{challenge.realm}", "{endpoint}", "{endpoint}/login", "https://login.example/"])
    func `a field of type 'url' is a URL within origins, of the application, or of the spec`(value: String) {
        #expect(Self.messages(Self.placed(value)) == [])
    }

    @Test(arguments: ["{challenge.scope}", "https://{challenge.scope}/login", "https://{area}.example/"])
    func `a field of type 'url' is no text, which could name any server`(value: String) {
        let messages = Self.messages(
            Self.placed(value).changing("scope: { parameter: scope, optional: true }", to: "scope: { parameter: scope }")
                .changing("{challenge.scope?}", to: "{challenge.scope}"))
        #expect(messages.count == 1)
        #expect(messages.first?.hasPrefix("the URL of 'place' must be a whole reference to a URL") == true)
    }

    // MARK: Values

    /// A method with repeated steps, the first of which runs only once.
    private static func repeated(_ reference: String) -> String {
        """
        countersign: 2
        method: Web
        summary: A token.
        parameters:
          servers: { type: origins, summary: The servers. }
          endpoint: { type: url, summary: The endpoint. }
          isKnown: { type: boolean, default: "false", summary: Whether there is a session. }
        challenge:
          - { name: login, status: 401, www-authenticate: Bearer }
        credential:
          fields:
            session: { type: secret, summary: The session. }
            token: { type: secret, summary: The token. }
          for: ["{servers}"]
        acquire:
          - when: { isKnown: "true" }
            http:
              send: "POST {endpoint}/known"
              answers: [{ status: 200, capture: &begun { session: { json: /session }, ticket: { json: /ticket } } }]
          - repeat:
              while: { credential.token: absent }
              steps:
                - when: { credential.session: absent }
                  http: { send: "POST {endpoint}/new", answers: [{ status: 200, capture: *begun }] }
                - http:
                    send: "GET {endpoint}/wait"
                    headers: { X-Ticket: "\(reference)" }
                    answers: [{ status: 200, capture: { token: { json: /token } } }, { status: 202 }]
        attach:
          - headers: { Authorization: "Bearer {credential.token}", X-Session: "{credential.session}" }
        rejected:
          - { then: [acquire] }

        """
    }

    @Test func `a value that one run of repeated steps sets may be absent in the next`() {
        #expect(Self.messages(Self.repeated("{ticket?}")) == [])
        #expect(
            Self.messages(Self.repeated("{ticket}")) == [
                "'ticket' may be absent; write '{ticket?}' to omit the whole text in that case"
            ])
    }

    /// A method that both a refused connection and a response challenge.
    private static func refused(_ reference: String) -> String {
        """
        countersign: 2
        method: Web
        summary: A certificate.
        parameters:
          servers: { type: origins, summary: The servers. }
          endpoint: { type: url, summary: The endpoint. }
        challenge:
          - { name: handshake, tls: client-certificate }
          - { name: page, status: 400, headers: { X-Hint: present }, capture: { hint: { header: X-Hint } } }
        credential:
          fields: { identity: { type: identity, summary: The certificate. } }
          for: ["{servers}"]
        acquire:
          - http: { send: "GET {endpoint}", headers: { X-Hint: "\(reference)" }, answers: [{ status: 200 }] }
          - prompt: { fields: { identity: { type: identity, summary: The certificate. } } }
        attach:
          - identity: "{credential.identity}"
        rejected:
          - { then: [acquire] }

        """
    }

    @Test func `a value of a challenge is absent after a refused connection`() {
        #expect(Self.messages(Self.refused("{challenge.hint?}")) == [])
        #expect(
            Self.messages(Self.refused("{challenge.hint}")) == [
                "'challenge.hint' may be absent; write '{challenge.hint?}' to omit the whole text in that case"
            ])
    }
}
