extension ValidSpec {
    /// A method of the surface `core` whose login names a recipient of the credential.
    static let recipient = """
        countersign: 2
        method: Web
        summary: A token for the server that the login names.
        parameters:
          login: { type: url, summary: The login server. }
          instances: { type: origins, summary: The servers that a login may name. }
          password: { type: secret, summary: The password. }
        challenge:
          - { name: refused, status: 401 }
        credential:
          fields:
            token: { type: secret, summary: A token. }
            instance: { type: url, summary: The server of the user. }
          space: servers
          for: ["{login}", "{credential.instance}"]
        acquire:
          - http:
              send: "POST {login}/token"
              form: { password: "{password}" }
              answers:
                - status: 200
                  capture:
                    token: { json: /token }
                    instance: { json: /instance, type: url, within: ["{instances}"] }
                - { status: 403, error: server }
        attach:
          - headers: { Authorization: "Bearer {credential.token}" }
        rejected:
          - { then: [acquire], retry: 1 }

        """
}
