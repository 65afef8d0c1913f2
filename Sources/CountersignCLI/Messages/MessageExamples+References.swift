import CountersignSpec

extension MessageExample {
    /// References in texts.
    static let references: [MessageExample] = [
        MessageExample(
            .malformedTemplate, "malformed template", section: "An attachment",
            because: """
                A brace at the beginning of a value without quotation marks is a mapping in YAML, and a reference that is not \
                closed names nothing. Put texts with references in quotation marks; write `{{` and `}}` for braces that are meant \
                as such.
                """,
            mended: .method(ExampleText.key), breaking: ["\"{credential.key}\"": "{credential.key}"]),
        MessageExample(
            .unknownReference, "unknown reference", section: "An attachment",
            because: """
                A reference that leads nowhere would be sent as an empty text. Correct the name, or its first part: `{name}` is a \
                parameter or a value of a step, `{challenge.name}` comes from the challenge, `{credential.name}` is a field of the \
                credential.
                """,
            mended: .method(ExampleText.key), breaking: ["{credential.key}": "{credential.kye}"]),
        MessageExample(
            .unknownField, "unknown field", section: "A prompt",
            because: """
                A value that is to be kept needs a field to be kept in. Correct the name, or declare the field under `credential`.
                """,
            mended: .method(ExampleText.password, named: "ReaderPassword.yaml"),
            breaking: ["        pin: {": "        pinn: {"]),
        MessageExample(
            .unknownErrorCase, "unknown error case", section: "An error case",
            because: """
                Errors of a method are the cases that it declares under `errors`: they become an enumeration in Swift. Correct the \
                name, or declare the case.
                """,
            mended: .foundation(ExampleText.login), breaking: ["error: stillSignedOut": "error: signedOut"]),
        MessageExample(
            .wrongType, "wrong type", section: "A parameter",
            because: """
                A text of any kind could end a header field or lead to another server. Give the parameter the type that its place \
                needs: `header` for the name of a field, `url` for the beginning of an address.
                """,
            mended: .method(
                ExampleText.key.replacing(
                    "credential:\n", with: "  field: { type: header, default: X-Key, summary: The field. }\ncredential:\n"
                ).replacing("{ X-Key:", with: "{ \"{field}\":")),
            breaking: ["type: header": "type: string"]),
        MessageExample(
            .optionalReference, "reference to what may be absent", section: "A parameter",
            because: """
                Without the value there would be half a text. `{name?}` leaves out the whole text that it stands in, such as the \
                header field; write that, or give the parameter a default.
                """,
            mended: .method(
                ExampleText.key.replacing(
                    "credential:\n", with: "  branch: { type: string, optional: true, summary: The branch. }\ncredential:\n"
                ).replacing("{ X-Key:", with: "{ X-Branch: \"{branch?}\", X-Key:")),
            breaking: ["{branch?}": "{branch}"]),
        MessageExample(
            .exposedSecret, "exposed secret", section: "A request",
            because: """
                URLs stand in logs, histories and the `Referer` of other requests (RFC 9110, section 17.9). Send the secret in a \
                header field or in a form; declare fields that hold it as `secret`.
                """,
            mended: .method(ExampleText.token, named: "ReaderToken.yaml"),
            breaking: ["headers: { X-Key: \"{key}\" }": "query: { key: \"{key}\" }"]),
        MessageExample(
            .insecureURL, "insecure URL", section: "A parameter",
            because: """
                What is sent over `http:` can be read and changed on the way, credentials with it. Write `https:`; for a server on \
                a private network that has no certificate, `allow-http: true` beside the value says that it is meant.
                """,
            mended: .method(
                ExampleText.token.replacing(
                    "  endpoint: { type: url, summary: Where tokens are issued. }",
                    with: """
                          endpoint:
                            type: url
                            default: "https://login.example/token"
                            summary: Where tokens are issued.
                        """), named: "ReaderToken.yaml"),
            breaking: ["https://login.example": "http://login.example"]),
        MessageExample(
            .missingSettings, "missing settings", section: "A setting",
            because: """
                `from` makes a parameter of the landscape's settings, and there are none. Declare them in `landscape.yaml`, or \
                remove `from` and let the application give the value.
                """,
            mended: ExampleSources([
                ExampleFile("landscape.yaml", ExampleText.settings), ExampleFile("ReaderLogin.yaml", ExampleText.login),
            ]),
            breaking: [
                "settings:\n  serverURL: { type: url, summary: The catalogue's address. }\nserver: serverURL\n": ""
            ]),
        MessageExample(
            .needlessMark, "needless mark", section: "A field of a credential",
            because: """
                `{name?}` says that the value can be absent, a case that never comes here. Remove the question mark, or make the \
                value optional.
                """,
            mended: .method(ExampleText.key), breaking: ["from: \"{key}\"": "from: \"{key?}\""]),
    ]

    /// Parameters and settings.
    static let parameters: [MessageExample] = [
        MessageExample(
            .secretDefault, "secret with a default", section: "A parameter",
            because: """
                The default of a secret would be in the repository and in each application: no secret at all. Remove it; the \
                application reads the value from where it keeps secrets.
                """,
            mended: .method(ExampleText.key),
            breaking: [
                "key: { type: secret, summary: The reader's key. }": "key: { type: secret, default: \"0000\", summary: The key. }"
            ]),
        MessageExample(
            .optionalDefault, "optional with a default", section: "A parameter",
            because: """
                What has a default is never absent. Remove `default`, if the method can do without the value; remove `optional` \
                otherwise.
                """,
            mended: .method(
                ExampleText.key.replacing(
                    "credential:\n",
                    with: """
                          branch:
                            type: string
                            default: main
                            summary: The branch of the library.
                        credential:

                        """
                ).replacing("{ X-Key:", with: "{ X-Branch: \"{branch}\", X-Key:")),
            breaking: ["    default: main\n": "    optional: true\n    default: main\n", "{branch}": "{branch?}"]),
        MessageExample(
            .missingExample, "missing example", section: "A setting",
            because: """
                The mock landscape and the documentation are made from the spec alone, and need a value for what an application \
                would give. Add `example`, with a value that is neither a secret nor real.
                """,
            mended: ExampleSources([
                ExampleFile(
                    "landscape.yaml",
                    ExampleText.settings.replacing(
                        "server:",
                        with: """
                              branch:
                                type: string
                                example: main
                                summary: The branch of the library.
                            server:
                            """)), .unshown("ReaderLogin.yaml", ExampleText.login),
            ]),
            breaking: ["    example: main\n": ""]),
        MessageExample(
            .unusedParameter, "unused parameter", section: "A parameter",
            because: """
                An application would have to give a value that changes nothing. Use the parameter where it was meant to be, or \
                remove it.
                """,
            mended: .method(ExampleText.key),
            breaking: [
                "credential:\n": "  branch: { type: string, summary: The branch. }\ncredential:\n"
            ]),
        MessageExample(
            .literalSecret, "secret in a spec", section: "A field of a credential",
            because: """
                A spec is code: it is committed, reviewed and shipped, and the secret with it. Declare a parameter of type \
                `secret` and refer to it. A secret that was committed is no longer one; have the server replace it.
                """,
            mended: .method(ExampleText.key),
            breaking: ["  key: { type: secret, summary: The reader's key. }\n": "", "from: \"{key}\"": "from: letmein"]),
        MessageExample(
            .identifyingParameter, "identifying parameter", section: "A parameter",
            because: """
                A credential that was stored with one value would be used with another one, which can mean another server, client \
                or user. Remove `identifies: false`: with another value, the method obtains another credential.
                """,
            mended: .method(
                ExampleText.key.replacing(
                    "credential:\n", with: "  branch: { type: string, summary: The branch. }\ncredential:\n"
                ).replacing("{ X-Key:", with: "{ X-Branch: \"{branch}\", X-Key:")),
            breaking: ["branch: { type: string,": "branch: { type: string, identifies: false,"]),
    ]
}
