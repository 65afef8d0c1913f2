import CountersignSpec

extension MessageExample {
    /// Landscapes that extend others, and the target's dependencies.
    static let inheritance: [MessageExample] = [
        MessageExample(
            .unknownLandscape, "unknown landscape", section: "A landscape",
            because: """
                The build plugin looks for the landscape among the target's dependencies, by the name in its `landscape.yaml`. \
                Correct the name, or add the landscape's target or product to the dependencies; for the command, name its folder \
                with `--base`.
                """,
            mended: extending(), breaking: ["extends: Library": "extends: Libary"]),
        MessageExample(
            .methodsWithoutExtends, "methods without extends", section: "An override",
            because: """
                `methods` says what differs in inherited methods. A method of one's own is a file beside `landscape.yaml`; to \
                change another landscape's, name that with `extends`.
                """,
            mended: extending("methods: { ReaderKey: { summary: A key of the branch. } }\n"), breaking: ["extends: Library\n": ""]),
        MessageExample(
            .unknownInheritedMethod, "unknown inherited method", section: "An override",
            because: """
                Inherited methods are named by their files, without `.yaml`. Correct the name.
                """,
            mended: extending("methods: { ReaderKey: { summary: A key of the branch. } }\n"),
            breaking: ["ReaderKey:": "ReaderKeys:"]),
        MessageExample(
            .extendsChain, "landscape that extends an extension", section: "A landscape",
            because: """
                What a method is made of is found in two files at most, so that a reader can follow it. Extend the first landscape \
                instead, and repeat what the second one changes.
                """,
            mended: ExampleSources(
                [ExampleFile("landscape.yaml", branch)],
                extending: [
                    ExampleFile("Library/landscape.yaml", ExampleText.landscape),
                    .unshown("Library/ReaderKey.yaml", ExampleText.key),
                ]),
            breaking: [
                "summary: The catalogue of a city library.": "summary: The catalogue of a city library.\nextends: Catalogue"
            ]),
        MessageExample(
            .inheritedStem, "file with an inherited name", section: "A landscape",
            because: """
                Each inherited method has a generated file as well, and two of one name are one. Rename the file; to put it in the \
                place of the inherited method, say `omitted` of that under `methods`.
                """,
            mended: ExampleSources(
                [
                    ExampleFile("landscape.yaml", branch + "methods: { ReaderKey: omitted }\n"),
                    ExampleFile("ReaderKey.yaml", ExampleText.key.replacing("X-Key", with: "X-Branch-Key")),
                ], extending: library),
            breaking: ["methods: { ReaderKey: omitted }\n": ""]),
        MessageExample(
            .missingDependency, "missing dependency",
            because: """
                Without a dependency the import may be found all the same, where another target has built the module, and the \
                build fails on the next machine. Add the product to the target's `dependencies` in `Package.swift`.
                """,
            broken: ExampleSources(
                [ExampleFile("landscape.yaml", ExampleText.landscape), ExampleFile("ReaderTicket.yaml", ticket)],
                lacking: ["CountersignGSSAPI"], note: "The target depends on the product `Countersign` alone."),
            mended: ExampleSources(
                [ExampleFile("landscape.yaml", ExampleText.landscape), ExampleFile("ReaderTicket.yaml", ticket)],
                note: "The target depends on `Countersign` and `CountersignGSSAPI`.")),
        MessageExample(
            .unknownInheritedOperation, "unknown inherited operation", section: "An operation",
            because: """
                `omitted` takes an inherited operation away, and there is none of this name. Correct the name, or remove the line.
                """,
            mended: ExampleSources(
                [ExampleFile("landscape.yaml", branch + "operations: { ping: omitted }\n")],
                extending: [
                    ExampleFile("Library/landscape.yaml", ExampleText.landscape + operation),
                    .unshown("Library/ReaderKey.yaml", ExampleText.key),
                ]),
            breaking: ["{ ping: omitted }": "{ pong: omitted }"]),
        MessageExample(
            .unknownInheritedItem, "unknown inherited item", section: "An override",
            because: """
                A mapping in place of a list changes the items that have the `name`s of its keys. Correct the name; for a further \
                item, use `append` or `prepend`. Likewise `omitted` takes an entry of an inherited mapping away, such as a \
                parameter or an item of a query, and there is none of this name.
                """,
            mended: ExampleSources(
                [
                    ExampleFile(
                        "landscape.yaml",
                        branch + "methods:\n  ReaderPassword:\n    challenge:\n      refused: { status: [401, 403] }\n")
                ],
                extending: [
                    .unshown("Library/landscape.yaml", ExampleText.landscape),
                    ExampleFile("Library/ReaderPassword.yaml", ExampleText.password),
                ]),
            breaking: ["      refused: {": "      refusal: {"]),
        MessageExample(
            .widenedRecipients, "more recipients than the inherited ones", section: "A credential",
            because: """
                The credential would go to servers that the author of the inherited method did not mean, and a list that replaces \
                another one does not show that. Write the further servers under `append`, so that a reader of the override sees \
                what it adds.
                """,
            mended: ExampleSources([ExampleFile("landscape.yaml", branch + branches)], extending: library),
            breaking: ["for: { append: [\"{branches}\"] }": "for: [\"{servers}\", \"{branches}\"]"]),
    ]

    private static let branches = """
        methods:
          ReaderKey:
            parameters:
              branches: { type: origins, summary: The branches. }
            credential: { for: { append: ["{branches}"] } }

        """

    private static let branch = """
        countersign: 2
        landscape: Branch
        summary: The catalogue of a branch.
        extends: Library

        """

    private static let library: [ExampleFile] = [
        .unshown("Library/landscape.yaml", ExampleText.landscape), ExampleFile("Library/ReaderKey.yaml", ExampleText.key),
    ]

    /// Returns a landscape that extends the library's. Only the extending one is shown.
    private static func extending(_ text: String = "") -> ExampleSources {
        ExampleSources(
            [ExampleFile("landscape.yaml", branch + text)],
            extending: [
                .unshown("Library/landscape.yaml", ExampleText.landscape), .unshown("Library/ReaderKey.yaml", ExampleText.key),
            ])
    }

    private static let operation = """
        operations:
          ping:
            summary: Asks whether the catalogue is open.
            parameters:
              server: { type: url, example: "https://a.example", summary: S. }
            versions:
              usual:
                summary: Asks the server.
                steps:
                  - http: { send: "GET {server}", answers: [{ status: 204 }] }

        """

    private static let ticket = """
        countersign: 2
        method: ReaderTicket
        summary: Tickets of the system's Kerberos.
        parameters:
          servers: { type: origins, summary: The servers. }
        challenge:
          - { name: ticket, status: 401, www-authenticate: Negotiate }
        credential: { tickets: system, for: ["{servers}"] }
        attach:
          - sign: { negotiate: { service: HTTP } }

        """
}
