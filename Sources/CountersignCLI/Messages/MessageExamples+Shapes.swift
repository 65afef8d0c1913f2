import CountersignSpec

extension MessageExample {
    /// Keys, shapes and values.
    static let shapes: [MessageExample] = [
        MessageExample(
            .unknownKey, "unknown key", section: "A method",
            because: """
                An ignored key is a setting that has no effect, and its author would not notice. Correct the key's name; the \
                reference has the keys of each construct, and an editor with the JSON Schema completes them.
                """,
            mended: .method(ExampleText.key.replacing("summary: A key in", with: "title: Reader key\nsummary: A key in")),
            breaking: ["title:": "tittle:"]),
        MessageExample(
            .wrongShape, "wrong shape", section: "An attachment",
            because: """
                A key takes a text, a list or a mapping, and the reader does not guess which was meant. Here, `attach` is a list: \
                its items begin with a hyphen.
                """,
            mended: .method(ExampleText.key), breaking: ["  - headers:": "  headers:"]),
        MessageExample(
            .missingKey, "missing key", section: "A credential",
            because: """
                What a method cannot do without has no default. Here, `for` names the servers that may receive the credential: \
                without it, a key could go to any server that asks.
                """,
            mended: .method(ExampleText.key), breaking: ["  for: [\"{servers}\"]\n": ""]),
        MessageExample(
            .unsupportedVersion, "unsupported version", section: "A method",
            because: """
                A spec of another version of the language has other keys, which this reader cannot judge. Write the spec in \
                version 2; for a later version, update the package.
                """,
            mended: .method(ExampleText.key), breaking: ["countersign: 2": "countersign: 1"]),
        MessageExample(
            .unknownWord, "unknown word", section: "A parameter",
            because: """
                A key with a closed set of words takes no other. Use one of those that the message or the reference lists: here, \
                `secret` is the type of a text that is redacted wherever it could be seen.
                """,
            mended: .method(ExampleText.key), breaking: ["key: { type: secret, summary": "key: { type: password, summary"]),
        MessageExample(
            .invalidValue, "invalid value", section: "An attachment",
            because: """
                Each text is read as what its key asks for: a status, a URL, a duration, a name. The message says which; here, the \
                name of a header field has no white space (RFC 9110, section 5.1).
                """,
            mended: .method(ExampleText.key), breaking: ["X-Key:": "X Key:"]),
        MessageExample(
            .emptyCollection, "empty list or mapping", section: "A credential",
            because: """
                An empty list looks like a decision and is none. Fill it, or remove the key if it is not required.
                """,
            mended: .method(ExampleText.key), breaking: ["for: [\"{servers}\"]": "for: []"]),
        MessageExample(
            .notExactlyOne, "not exactly one", section: "A capture of an answer",
            because: """
                Keys that exclude each other stand in a construct one at a time: of two, it would be unknown which one counts. \
                Here, a value comes from one place of the response; keep the one that the server fills.
                """,
            mended: .method(ExampleText.token, named: "ReaderToken.yaml"),
            breaking: ["{ json: /token }": "{ json: /token, header: X-Token }"]),
        MessageExample(
            .misplacedKey, "misplaced key", section: "A landscape",
            because: """
                Some keys mean something beside another alone. Add the other key, or remove this one: here, `server` names one of \
                the `settings`.
                """,
            mended: ExampleSources([ExampleFile("landscape.yaml", ExampleText.settings)]),
            breaking: ["settings:\n  serverURL: { type: url, summary: The catalogue's address. }\n": ""]),
    ]
}
