/// The vocabulary of the spec language: all that a file can say.
///
/// The reader checks files against these tables, and the JSON Schema and the reference page are made from them, so none of the three can
/// know a key that the others do not.
package enum SpecLanguage {
    /// The versions that files declare with `countersign:`. Each has constructs of its own; the files of a landscape are of one version.
    package enum Version: String, Sendable, Hashable, CaseIterable {
        case one = "1"
        case two = "2"

        var key: Construct.Key {
            Construct.Key("countersign", .version(self), required: true, "The version of this language: `\(rawValue)`.")
        }
    }

    static let summaryKey = Construct.Key(
        "summary", .text(.prose), required: true, "One sentence; becomes documentation of the generated code.")
    static let discussionKey = Construct.Key("discussion", .text(.prose), "What else to know, in Markdown.")

    /// The mapping under the name of a parameter struct.
    static func parameterStruct(_ title: String, _ summary: String, further keys: [Construct.Key]) -> Construct {
        Construct(
            title, summary,
            keys: [
                summaryKey, discussionKey,
                .init(
                    "fields", .named(.memberName, key: "the field's name", .construct(field)), required: true,
                    "The fields, in the order of the initialiser."),
                .init(
                    "configuration",
                    .named(.fieldReference, key: "a field", .list(of: .text(.configurationKey))),
                    "Keys in configuration files, by field; the first that is there wins."),
            ] + keys)
    }

    /// A field of a parameter struct.
    package static let field = Construct(
        "a field", "A field of a parameter struct.",
        keys: [
            .init("type", fieldType(in: .one), required: true, "What it holds."),
            summaryKey, discussionKey,
            .init("default", .text(.valueOfField), "The value, if none is given."),
            .init("example", .text(.valueOfField), "A value for documentation and the mock landscape."),
            .init("optional", .text(.boolean), default: "false", "Whether it can be absent."),
            .init("allow-http", .text(.boolean), default: "false", "Allows URLs of this field to be `http:` beyond loopback."),
        ])

    static func fieldType(in version: Version) -> ValueShape { .word(FieldType.all(in: version).map(word)) }

    static func word(_ type: FieldType) -> ValueShape.Word {
        switch type {
        case .url: ValueShape.Word(type.rawValue, "An absolute URL.")
        case .string: ValueShape.Word(type.rawValue, "Any text.")
        case .header: ValueShape.Word(type.rawValue, "The name of a header field.")
        case .secret: ValueShape.Word(type.rawValue, "A text that is redacted wherever it could be seen.")
        case .boolean: ValueShape.Word(type.rawValue, "`true` or `false`.")
        case .integer: ValueShape.Word(type.rawValue, "A whole number.")
        case .duration: ValueShape.Word(type.rawValue, "A number with a unit, such as `250ms`, `120s`, `5m`, `1h`.")
        case .scopes: ValueShape.Word(type.rawValue, "A set of OAuth scopes, written with spaces between them.")
        case .texts: ValueShape.Word(type.rawValue, "Texts, written with commas between them.")
        case .origins: ValueShape.Word(type.rawValue, "The servers that may receive the credential, by scheme, host and port.")
        case .requestHandler:
            ValueShape.Word(type.rawValue, "A function of the application that changes a request before it is sent.")
        }
    }
}
