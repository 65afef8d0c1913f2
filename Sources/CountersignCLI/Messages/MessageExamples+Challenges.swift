import CountersignSpec

extension MessageExample {
    /// Challenges, the ways through a method, and its errors.
    static let challenges: [MessageExample] = [
        MessageExample(
            .matchesEverything, "challenge that is every response", section: "A challenge",
            because: """
                Without a condition each response would begin an authentication, the page that was asked for as well. Name the \
                status that the server answers with, and what else tells the challenge apart.
                """,
            mended: .method(ExampleText.password, named: "ReaderPassword.yaml"),
            breaking: ["{ name: refused, status: 401, www-authenticate: Basic }": "{ name: refused }"]),
        MessageExample(
            .overlappingChallenges, "overlapping challenges", section: "A challenge",
            because: """
                Which method answers such a response would depend on the order in which the application registers observers. Add \
                what tells the challenges apart, such as a header field that is `present` in one and `absent` in the other; if \
                the overlap is meant, name both methods under `overlaps` in `landscape.yaml`.
                """,
            mended: ExampleSources([
                .unshown("landscape.yaml", ExampleText.landscape), ExampleFile("ReaderPassword.yaml", ExampleText.password),
                ExampleFile("ReaderToken.yaml", ExampleText.token),
            ]),
            breaking: ["status: 401, www-authenticate: Bearer": "status: 401"]),
        MessageExample(
            .unreachableStep, "unreachable step", section: "A rejection",
            because: """
                Rejections and answers are tried in their order, and the first that fits is taken: what fits less often comes \
                first. Move it up, or remove it.
                """,
            broken: rejections(["{ then: [acquire] }", "{ challenge: expired, then: [acquire], retry: 2 }"]),
            mended: rejections(["{ challenge: expired, then: [acquire], retry: 2 }", "{ then: [acquire] }"])),
        MessageExample(
            .neverSucceeds, "request that never succeeds", section: "A request",
            because: """
                If each answer is an error, the method cannot come to its end. Describe the answer of a server that accepts the \
                request, too.
                """,
            mended: .method(
                ExampleText.token.replacing(
                    "acquire:\n",
                    with: """
                        acquire:
                          - http:
                              send: "GET {endpoint}/terms"
                              answers:
                                - { status: 403, error: server }
                                - { status: 204 }

                        """), named: "ReaderToken.yaml"),
            breaking: ["        - { status: 204 }\n": ""]),
        MessageExample(
            .wrongCarriedValues, "wrong associated values", section: "An error case",
            because: """
                A case of `errors` gets its associated values from where it is raised: a page that cannot be shown has an `error`, \
                a wrong argument a `detail`, a rejection neither. Give the case what `carries` needs there, or raise another.
                """,
            mended: .foundation(ExampleText.login),
            breaking: ["page: { summary: No page., carries: { error: error } }": "page: { summary: No page. }"]),
        MessageExample(
            .errorNeverRaised, "error that is never raised", section: "An error case",
            because: """
                Applications would handle a case that never comes. Raise it in `failures`, a step or `rejected`, or remove it.
                """,
            mended: .foundation(ExampleText.login),
            breaking: ["errors:\n": "errors:\n  expired: { summary: The login has expired. }\n"]),
    ]

    /// Steps: pages, requests, and the values that they pass on.
    static let steps: [MessageExample] = [
        MessageExample(
            .unverifiedRedirect, "unverified redirect", section: "The end of a page",
            because: """
                Any page can send the browser to the redirect address, with a code of its own choice (RFC 6749, section 10.12). \
                Send a `random` value in the page's `query`, and compare it under `verify`.
                """,
            mended: .method(ExampleText.code, named: "ReaderCode.yaml"),
            breaking: [
                "verify: { state: \"{state}\" }": "verify: { kind: library }",
                "query: { state: \"{state}\" }": "query: { kind: library }",
                "{ state: random, verifier: pkce }": "{ verifier: pkce }",
            ]),
        MessageExample(
            .finishAtPage, "page that ends where it begins", section: "A login page",
            because: """
                A page ends when the browser is sent to the address under `ends-at`. If that is the page itself, the login may end \
                before the page is shown. Name the address that the server sends the browser to after the login.
                """,
            mended: .foundation(ExampleText.login),
            breaking: [
                "ends-at: \"{accountURL}\"": "ends-at: \"{loginURL}\"",
                """
                  accountURL:
                    type: url
                    from: "{settings.serverURL}/account"
                    summary: Where the browser is sent after the login.

                """: "",
            ]),
        MessageExample(
            .unusedCapture, "unused value", section: "A capture",
            because: """
                A value that nothing uses was often meant for a request: without a `nonce` that it expects, a server refuses a \
                login, or does not protect it. Use the value, or do not capture it.
                """,
            mended: .method(ExampleText.token, named: "ReaderToken.yaml"),
            breaking: [
                "{ token: { json: /token } }": "{ token: { json: /token }, id: { json: /id } }"
            ]),
        MessageExample(
            .neverRenews, "renewal that never ends", section: "A method",
            because: """
                When the server refuses a renewal, the credential is dropped and the next login begins. Describe that answer with \
                an `error`: without it, the renewal would be repeated without end. A renewal also sends a part of the credential, and \
                captures a new one.
                """,
            mended: .method(renewal, named: "ReaderToken.yaml"),
            breaking: ["        - { status: 400, error: server }\n": ""]),
        MessageExample(
            .proofKeyMethod, "proof key without its verifier", section: "A login page",
            because: """
                The page gets the hash of a code verifier, and the token request proves by the verifier itself that both come from \
                one client (RFC 7636). With one of them alone, the server refuses the code or protects nothing.
                """,
            mended: .method(ExampleText.code, named: "ReaderCode.yaml"), breaking: [", code_verifier: \"{verifier}\"": ""]),
        MessageExample(
            .unfilledField, "field that is not filled", section: "An answer",
            because: """
                After an accepted answer the steps go on, and a field that no step has filled would be sent empty. Capture it in \
                each answer without an `error`, fill it by `from` or by a prompt, or make the answer an error.
                """,
            mended: .method(ExampleText.token, named: "ReaderToken.yaml"),
            breaking: ["- { status: 403, error: server }": "- { status: 403 }"]),
        MessageExample(
            .filledTwice, "field that is filled twice", section: "A field of a credential",
            because: """
                Of two values, one would be lost. Decide where the field comes from: `from` makes it of what is known, a step \
                fills it from the user or a server.
                """,
            mended: .method(ExampleText.password, named: "ReaderPassword.yaml"),
            breaking: [
                "challenge:\n": "  reader: { type: string, summary: The reader. }\nchallenge:\n",
                "card: { type: string, summary: The number of the card. }":
                    "card: { type: string, from: \"{reader}\", summary: The card. }",
            ]),
        MessageExample(
            .unattachedField, "field that is in no request", section: "An attachment",
            because: """
                A credential is what requests carry; a field that none has is stored for nothing. Name it under `attach`, in a \
                later step or in `expires`, or let a step keep the value for itself.
                """,
            mended: .method(ExampleText.token, named: "ReaderToken.yaml"),
            breaking: [
                "token: { type: secret, summary: The token. }\n":
                    "token: { type: secret, summary: The token. }\n    id: { type: string, summary: The token's number. }\n",
                "{ token: { json: /token } }": "{ token: { json: /token }, id: { json: /id } }",
            ]),
        MessageExample(
            .connectionHeader, "field of the connection", section: "An attachment",
            because: """
                `Host`, `Content-Length` and the like belong to the transport, which writes them for the connection that it has; a \
                second value can split a request in two. Remove the field; a server behind a proxy is named by its URL.
                """,
            mended: .method(ExampleText.key),
            breaking: ["{ X-Key:": "{ Host: library.example, X-Key:"]),
    ]

    /// Returns a method with two challenges and the given rules for rejections.
    private static func rejections(_ rules: [String]) -> ExampleSources {
        let text = ExampleText.token.replacing("credential:\n", with: "  - { name: expired, status: 419 }\ncredential:\n")
        return .method(text + "rejected:\n" + rules.map { "  - \($0)\n" }.joined(), named: "ReaderToken.yaml")
    }

    private static let renewal =
        ExampleText.token
        .replacing("    token: {", with: "    refresh: { type: secret, summary: What renews it. }\n    token: {")
        .replacing(
            "{ token: { json: /token } }", with: "{ token: { json: /token }, refresh: { json: /next } }"
        )
        .replacing(
            "attach:\n",
            with: """
                renew:
                  - http:
                      send: "POST {endpoint}"
                      form: { refresh: "{credential.refresh}" }
                      answers:
                        - status: 200
                          capture: { token: { json: /token } }
                        - { status: 400, error: server }
                attach:

                """) + "rejected:\n  - { then: [renew, acquire] }\n"
}
