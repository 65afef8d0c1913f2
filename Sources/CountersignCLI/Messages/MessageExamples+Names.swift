import CountersignSpec

extension MessageExample {
    /// Names, of types and of files.
    static let names: [MessageExample] = [
        MessageExample(
            .invalidName, "invalid name", section: "A method",
            because: """
                Names in a spec become names of properties, types and cases in Swift. Write those of types in UpperCamelCase and \
                all others in lowerCamelCase.
                """,
            mended: .method(ExampleText.key), breaking: ["method: ReaderKey": "method: readerKey"]),
        MessageExample(
            .reservedName, "reserved name", section: "A parameter",
            because: """
                The name is a keyword of Swift, or one that the generated code declares or calls itself, and would not compile or \
                mean something else. Choose another.
                """,
            mended: .method(
                ExampleText.key.replacing(
                    "credential:\n", with: "  branch: { type: string, default: main, summary: The branch. }\ncredential:\n"
                ).replacing("{ X-Key:", with: "{ X-Branch: \"{branch}\", X-Key:")),
            breaking: ["  branch: {": "  self: {", "\"{branch}\"": "\"{self}\""]),
        MessageExample(
            .duplicateName, "duplicate name", section: "An attachment",
            because: """
                The names of header fields do not differ by case (RFC 9110, section 5.1), so one of two values would be lost. \
                Remove one of them.
                """,
            mended: .method(
                ExampleText.key.replacing("{ X-Key:", with: "{ X-Client: reader, X-Key:")),
            breaking: ["X-Client:": "x-key:"]),
        MessageExample(
            .duplicateMethod, "duplicate method", section: "A method",
            because: """
                The generated types of a method begin with its name, and applications refer to it by that. Rename one of the two; \
                a copied file is the usual reason.
                """,
            mended: ExampleSources([
                .unshown("landscape.yaml", ExampleText.landscape), ExampleFile("ReaderKey.yaml", ExampleText.key),
                ExampleFile("StaffKey.yaml", ExampleText.key.replacing("ReaderKey", with: "StaffKey")),
            ]),
            breaking: ["StaffKey": "ReaderKey"]),
        MessageExample(
            .collidingTypeName, "colliding type name", section: "A landscape",
            because: """
                All types of a landscape are in one module, beside the module's own name: two of one name do not compile. Rename \
                the landscape, the method, or the type under `swift`.
                """,
            mended: ExampleSources([
                ExampleFile("landscape.yaml", ExampleText.landscape), ExampleFile("ReaderKey.yaml", ExampleText.key),
            ]),
            breaking: ["landscape: Library": "landscape: ReaderKeyObserver"]),
        MessageExample(
            .collidingFiles, "colliding files",
            because: """
                `ReaderKey.yaml` becomes `ReaderKey.generated.swift`, and some file systems do not tell names apart that differ by \
                case. Rename one of the files.
                """,
            broken: ExampleSources([
                .unshown("landscape.yaml", ExampleText.landscape), ExampleFile("ReaderKey.yaml", ExampleText.key),
                ExampleFile("readerkey.yml", ExampleText.key.replacing("ReaderKey", with: "StaffKey")),
            ]),
            mended: ExampleSources([
                .unshown("landscape.yaml", ExampleText.landscape), ExampleFile("ReaderKey.yaml", ExampleText.key),
                ExampleFile("StaffKey.yaml", ExampleText.key.replacing("ReaderKey", with: "StaffKey")),
            ])),
        MessageExample(
            .severalLandscapes, "several landscapes", section: "A landscape",
            because: """
                A target is one landscape, and a module has one name. Remove one of the files, or move it to a target of its own \
                with its methods.
                """,
            broken: ExampleSources([
                ExampleFile("landscape.yaml", ExampleText.landscape),
                ExampleFile("landscape.yml", ExampleText.landscape.replacing("Library", with: "Archive")),
                .unshown("ReaderKey.yaml", ExampleText.key),
            ]),
            mended: ExampleSources([
                ExampleFile("landscape.yaml", ExampleText.landscape), .unshown("ReaderKey.yaml", ExampleText.key),
            ])),
        MessageExample(
            .missingLandscape, "missing landscape", section: "A landscape",
            because: """
                The name of the module and what all methods share stand in `landscape.yaml`. Add the file; three lines are enough.
                """,
            broken: ExampleSources(
                [ExampleFile("ReaderKey.yaml", ExampleText.key)], note: "`ReaderKey.yaml` is the only file of the target."),
            mended: ExampleSources([
                ExampleFile("landscape.yaml", ExampleText.landscape), .unshown("ReaderKey.yaml", ExampleText.key),
            ])),
    ]
}
