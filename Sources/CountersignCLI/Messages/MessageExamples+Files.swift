import CountersignSpec

extension MessageExample {
    /// Files and YAML.
    static let files: [MessageExample] = [
        MessageExample(
            .unreadableFile, "unreadable file",
            because: """
                A landscape is read as a whole: without the file, its method would be missing in the application. Give the user \
                who builds the right to read the file, or remove what names it.
                """,
            broken: ExampleSources(
                [
                    .unshown("landscape.yaml", ExampleText.landscape),
                    ExampleFile("ReaderKey.yaml", bytes: nil, description: "The file is there, with the permissions `000`."),
                ]),
            mended: ExampleSources([
                .unshown("landscape.yaml", ExampleText.landscape),
                ExampleFile(
                    "ReaderKey.yaml", bytes: Array(ExampleText.key.utf8),
                    description: "The same file, after `chmod 644 ReaderKey.yaml`."),
            ])),
        MessageExample(
            .fileTooLarge, "file too large",
            because: """
                The largest spec in this package has 15 kilobytes; a file beyond one mebibyte was put into the folder by mistake. \
                Remove it, or what was appended to it.
                """,
            broken: ExampleSources([
                .unshown("landscape.yaml", ExampleText.landscape),
                ExampleFile(
                    "ReaderKey.yaml", bytes: Array((ExampleText.key + String(repeating: "# HTTP/1.1 401\n", count: 70_000)).utf8),
                    description: "A method, and behind it the log of a server in 70,000 lines of comments."),
            ]),
            mended: ExampleSources([
                .unshown("landscape.yaml", ExampleText.landscape),
                ExampleFile(
                    "ReaderKey.yaml", bytes: Array(ExampleText.key.utf8),
                    description: "The method alone. The log is in a file whose name does not end in `.yaml`."),
            ])),
        MessageExample(
            .invalidUTF8, "not UTF-8",
            because: """
                In another encoding the same bytes are other characters, and summaries become documentation. Save the file as \
                UTF-8; an editor calls that its encoding.
                """,
            broken: ExampleSources(
                [
                    .unshown("landscape.yaml", ExampleText.landscape),
                    ExampleFile("ReaderKey.yaml", bytes: latin1(ExampleText.key.replacing("reader's", with: "Bücherei's"))),
                ], note: "The file was saved in ISO 8859-1, where `ü` is the one byte `FC`."),
            mended: .method(ExampleText.key.replacing("reader's", with: "Bücherei's"))),
        MessageExample(
            .invalidCharacter, "control character",
            because: """
                Control characters are invisible in an editor, and YAML 1.2 has none but tab and line ends (section 5.1). Delete \
                the character; the message names it and its place.
                """,
            broken: .method(
                ExampleText.key.replacing("A key in", with: "A key\u{8} in"),
                note: "Behind `key` there is a backspace, U+0008, which was pasted from a terminal."),
            mended: .method(ExampleText.key)),
        MessageExample(
            .invalidYAML, "invalid YAML",
            because: """
                What follows a syntax error has no certain meaning, so the file is not read any further. The place is where YAML \
                could not go on; look for a bracket or a quotation mark before it that is not closed.
                """,
            mended: .method(ExampleText.key), breaking: ["for: [\"{servers}\"]": "for: [\"{servers}\""]),
        MessageExample(
            .tab, "tab as indentation",
            because: """
                How wide a tab is depends on the editor, so YAML does not count it (YAML 1.2, section 6.1). Indent with spaces; \
                most editors do it for files that end in `.yaml` where `.editorconfig` says `indent_style = space`.
                """,
            mended: .method(ExampleText.key), breaking: ["  eager: true": "\teager: true"]),
        MessageExample(
            .emptyFile, "empty file",
            because: """
                A file without content declares no method, and nothing would be generated for it. Write the method, or remove the \
                file.
                """,
            broken: .method("# To do.\n"), mended: .method(ExampleText.key)),
        MessageExample(
            .severalDocuments, "several documents",
            because: """
                The name of a file is that of the generated file, and one of them describes one method. Move what follows the line \
                `---` to a file of its own.
                """,
            broken: ExampleSources([ExampleFile("landscape.yaml", ExampleText.landscape + "---\n" + ExampleText.key)]),
            mended: ExampleSources([
                ExampleFile("landscape.yaml", ExampleText.landscape), ExampleFile("ReaderKey.yaml", ExampleText.key),
            ])),
        MessageExample(
            .duplicateKey, "duplicate key", section: "A method",
            because: """
                Many parsers of YAML take the last value of a key and drop the others in silence. Remove one of them, or rename it \
                if both are meant.
                """,
            mended: .method(ExampleText.key),
            breaking: ["summary: A key in each request.\n": "summary: A key.\nsummary: A key in each request.\n"]),
        MessageExample(
            .tag, "YAML tag",
            because: """
                The type of a value is that of its key, whatever it looks like in YAML: `true`, `401` and `no` need no quotation \
                marks and no tags. Remove the tag.
                """,
            mended: .method(ExampleText.key), breaking: ["eager: true": "eager: !!bool true"]),
        MessageExample(
            .mergeKey, "merge key",
            because: """
                YAML 1.2 has no merge keys, and parsers differ on what wins. Repeat the keys, give a whole value an anchor \
                (`&name`) and use it as `*name`, or share a whole method with `extends`.
                """,
            broken: .method(challenges(second: "  - <<: *page\n    name: expired\n    status: 403\n")),
            mended: .method(challenges(second: "  - name: expired\n    status: 403\n    headers: *page\n"))),
        MessageExample(
            .nestingTooDeep, "nesting too deep",
            because: """
                No construct needs more than a dozen levels. A file that nests deeper was written by a program, or is made to \
                exhaust the parser; correct what wrote it.
                """,
            broken: ExampleSources([
                .unshown("landscape.yaml", ExampleText.landscape),
                ExampleFile(
                    "ReaderKey.yaml",
                    bytes: Array(
                        ("countersign: 2\nmethod:\n" + String(repeating: " [\n", count: 120) + String(repeating: " ]\n", count: 120))
                            .utf8),
                    description: "A script has written 120 opening brackets, each in its line, behind `method:`."),
            ]),
            mended: .method(ExampleText.key)),
        MessageExample(
            .tooManyNodes, "too many values",
            because: """
                An alias stands for all of its anchor's values, so a few lines of aliases of aliases can become millions of \
                values. Write the values that are meant, or have fewer aliases.
                """,
            broken: .method(laughs), mended: .method(ExampleText.key)),
    ]

    /// Returns the text in ISO 8859-1.
    private static func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

    /// Returns a method with two challenges, of which the second one shares values with the first.
    private static func challenges(second: String) -> String {
        ExampleText.key.replacing(
            "credential:\n",
            with: """
                challenge:
                  - name: refused
                    status: 401
                    headers: &page { Content-Type: { prefix: text/html } }
                \(second)credential:

                """)
    }

    /// Each line expands to nine times as many values as the line before.
    private static let laughs =
        "countersign: 2\nmethod: ReaderKey\na0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        + (1...5).map { level in
            "a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", "))]\n"
        }.joined()
}
