import CountersignSpec

extension MessageExample {
    /// The keys and protection spaces of credentials, and the consequences of a rejection.
    static let credentials: [MessageExample] = [
        MessageExample(
            .spaceWithoutChallenge, "directory that nothing tells apart", section: "A credential",
            because: """
                With `space: directory` a credential is for paths at and below those that were challenged (RFC 7617, section 2.2), \
                and one origin can have several. Name a value of the challenge under `per`, such as its realm, or remove `space`.
                """,
            mended: .method(
                ExampleText.password.replacing(
                    "www-authenticate: Basic }",
                    with: "www-authenticate: Basic,\n      capture: { realm: { parameter: realm, default: \"\" } } }"
                ).replacing("  for:", with: "  per: [\"{challenge.realm}\"]\n  space: directory\n  for:"),
                named: "ReaderPassword.yaml"),
            breaking: [
                "  per: [\"{challenge.realm}\"]\n": "", ",\n      capture: { realm: { parameter: realm, default: \"\" } } }": " }",
            ]),
        MessageExample(
            .nothingToResend, "nothing new to resend", section: "A rejection",
            because: """
                The same request with the same credential gets the same answer. `resend` is for a credential that the new \
                challenge changes: each field has `from`, and the challenge captures a value of one. Otherwise write `acquire`.
                """,
            mended: .method(
                ExampleText.token + "rejected:\n  - { then: [acquire], retry: 1 }\n", named: "ReaderToken.yaml"),
            breaking: ["then: [acquire]": "then: [resend]"]),
        MessageExample(
            .signatureWithoutChallenge, "signature without its challenge", section: "A challenge",
            because: """
                Digest hashes a value of the server's challenge, so each challenge of the method needs one of the scheme (RFC \
                7616, section 3.3). Name the scheme in the challenge, or the signature that answers it.
                """,
            mended: .method(
                ExampleText.password.replacing("www-authenticate: Basic", with: "www-authenticate: Digest").replacing(
                    "basic:", with: "digest:"), named: "ReaderPassword.yaml"),
            breaking: ["www-authenticate: Digest": "www-authenticate: Basic"]),
        MessageExample(
            .tooManyPaths, "too many ways", section: "A step",
            because: """
                Each way through the steps is checked, and eleven requests with two answers each make 2,048. Have one answer in \
                which the value is optional, or make two methods of it.
                """,
            broken: .method(ways(apart: true), named: "ReaderToken.yaml"),
            mended: .method(ways(apart: false), named: "ReaderToken.yaml")),
        MessageExample(
            .contradictorySpace, "contradictory space", section: "A credential",
            because: """
                `space: servers` is one credential for all servers under `for`; `per: ["{request.url.origin}"]` is one for each. \
                Keep the one that is meant.
                """,
            mended: .method(ExampleText.key),
            breaking: ["  for: [\"{servers}\"]": "  per: [\"{request.url.origin}\"]\n  space: servers\n  for: [\"{servers}\"]"]),
        MessageExample(
            .mismatchedExample, "example of another response", section: "A challenge",
            because: """
                The page of a method shows the example as its challenge, so its status, header fields and schemes are compared. \
                Record a response that the challenge recognises, or correct the challenge.
                """,
            mended: .method(
                ExampleText.password.replacing(
                    "  - { name: refused, status: 401, www-authenticate: Basic }",
                    with: """
                          - name: refused
                            status: 401
                            www-authenticate: Basic
                            example: |
                              HTTP/1.1 401 Unauthorized
                              WWW-Authenticate: Basic realm="Library"
                        """), named: "ReaderPassword.yaml"),
            breaking: ["401 Unauthorized": "403 Forbidden"]),
        MessageExample(
            .undecidedItem, "value of any item", section: "A capture of an answer",
            because: """
                The condition holds if one item of the list meets it, and the value is that of the first item that has one: of \
                another card, account or tenant. Write the condition under `where` of the capture. If the value of any item is \
                meant, let `where` require that it is `present`.
                """,
            mended: .method(
                ExampleText.token.replacing(
                    "capture: { token: { json: /token } }",
                    with: "capture:\n            token: { json: /cards/*/token, where: { /cards/*/kind: adult } }"),
                named: "ReaderToken.yaml"),
            breaking: [
                "          capture:\n": "          json: { /cards/*/kind: adult }\n          capture:\n",
                "{ json: /cards/*/token, where: { /cards/*/kind: adult } }": "{ json: /cards/*/token }",
            ]),
    ]

    /// Returns a method with eleven requests. Each has two answers, one of them with a value, or one answer in which the value is
    /// optional.
    private static func ways(apart: Bool) -> String {
        let requests = (1...11).map { number in
            let answers =
                apart
                ? "{ status: 204 },\n      { status: 200, capture: { v\(number): { header: V } } }"
                : "\n      { status: 200, capture: { v\(number): { header: V, optional: true } } }"
            return "  - http: { send: \"GET {endpoint}/\(number)\", answers: [\(answers)] }\n"
        }
        let form = [1...4, 5...8, 9...11].map { $0.map { "v\($0): \"{v\($0)?}\"" }.joined(separator: ", ") }
        return ExampleText.token.replacing("acquire:\n", with: "acquire:\n" + requests.joined()).replacing(
            "headers: { X-Key: \"{key}\" }",
            with: "headers: { X-Key: \"{key}\" }\n      form: { \(form.joined(separator: ",\n        ")) }")
    }
}
