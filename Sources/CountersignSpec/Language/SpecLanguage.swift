/// The vocabulary of the spec language: everything that a file can contain.
///
/// The reader checks files against these tables, and the JSON Schema and the reference page are generated from them, so that all
/// three have the same keys.
package enum SpecLanguage {
    /// The versions that files can declare with `countersign:`.
    package enum Version: String, Sendable, Hashable, CaseIterable {
        case two = "2"
    }

    static let versionKey = Construct.Key(
        "countersign", .version, required: true,
        "The version of this language: \(Version.allCases.map { "`\($0.rawValue)`" }.joined(separator: " or ")).")

    static let summaryKey = Construct.Key(
        "summary", .text(.prose), required: true, "One sentence, which becomes the documentation of the generated code.")
    static let discussionKey = Construct.Key("discussion", .text(.prose), "Further documentation in Markdown.")

    /// Returns the keys that parameters and settings have in common.
    ///
    /// - Parameter types: The types of their values.
    static func givenValueKeys(_ types: [FieldType] = FieldType.ofParameters) -> [Construct.Key] {
        [
            .init("type", .word(types.map(word)), required: true, "The type of the value."),
            .init(
                "values", .named(.choice, key: "the value", .text(.prose)),
                "The values of the type `choice`, at least two, with one sentence about each. They become the cases of an enumeration: `client_secret_basic` becomes `clientSecretBasic`. An override adds values, replaces sentences, and removes an inherited value with the word `omitted`."
            ),
            summaryKey, discussionKey,
            .init("example", .text(.valueOfField), "A value for documentation and the mock landscape."),
            .init(
                "configuration", .list(of: .text(.configurationKey)),
                "The keys in configuration files. The first that is present is used."),
            .init(
                "default", .text(.valueOfField),
                "The value if none is given. A `string` with an empty default is absent if it is empty."),
            .init("optional", .text(.boolean), default: "false", "Whether the value can be absent."),
            .init("allow-http", .text(.boolean), default: "false", "Whether URLs may be `http:` for hosts other than loopback."),
        ]
    }

    static func word(_ type: FieldType) -> ValueShape.Word {
        switch type {
        case .url: ValueShape.Word(type.rawValue, "An absolute URL.")
        case .string: ValueShape.Word(type.rawValue, "Any text.")
        case .header: ValueShape.Word(type.rawValue, "The name of a header field.")
        case .secret: ValueShape.Word(type.rawValue, "A text that is redacted in descriptions and logs.")
        case .boolean: ValueShape.Word(type.rawValue, "`true` or `false`.")
        case .choice:
            ValueShape.Word(
                type.rawValue, "One of the texts in `values`. Steps refer to it like to a `string`, and compare it by `same`.")
        case .scopes: ValueShape.Word(type.rawValue, "A set of OAuth scopes, separated by spaces.")
        case .texts: ValueShape.Word(type.rawValue, "A list of texts, separated by commas; absent if it is empty.")
        case .origins: ValueShape.Word(type.rawValue, "The origins that may receive the credential.")
        case .requestHandler:
            ValueShape.Word(type.rawValue, "A function of the application that changes a request before it is sent.")
        }
    }
}
