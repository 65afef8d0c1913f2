extension SpecLanguage {
    /// The parameter struct of a discovery.
    static let discoveryParameters = Construct(
        "parameters", "What the client of a service needs to know.",
        keys: [
            summaryKey, discussionKey,
            .init(
                "fields", .named(.memberName, key: "the field's name", .construct(field)), required: true,
                "The fields, in the order of the initialiser."),
            .init(
                "configuration",
                .named(.fieldReference, key: "a field", .list(of: .text(.configurationKey))),
                "Keys in configuration files, by field; the first that is there wins."),
            .init("from", .construct(from), "Further initialisers."),
            .init(
                "initialisers", .list(of: .construct(initialiser)), default: "one with all fields",
                "The initialisers, if there are several."),
        ])

    /// A field of a parameter struct.
    private static let field = Construct(
        "a field", "A field of a parameter struct.",
        keys: [
            .init("type", .word(FieldType.ofDiscoveries.map(word)), required: true, "What it holds."),
            summaryKey, discussionKey,
            .init("default", .text(.valueOfField), "The value, if none is given."),
            .init("example", .text(.valueOfField), "A value for documentation and the mock landscape."),
            .init("optional", .text(.boolean), default: "false", "Whether it can be absent."),
            .init("allow-http", .text(.boolean), default: "false", "Allows URLs of this field to be `http:` beyond loopback."),
        ])

    private static let from = Construct(
        "further initialisers", "Other values that the struct is made from.",
        keys: [
            .init(
                "settings", .named(.fieldReference, key: "a field", .text(.textTemplate)),
                "How the fields follow from the landscape's settings, with references like `{settings.name}`."),
            .init(
                "beside", .list(of: .text(.fieldReference)), beside: ["settings"],
                "Fields that do not follow from the settings; the initialiser asks for them."),
        ])

    static let discoveryErrors = Construct(
        "an error type", "What it can end in.",
        keys: [
            summaryKey, discussionKey,
            .init(
                "cases", .named(.memberName, key: "the case's name", .construct(errorCase)), required: true, "The cases."),
        ])
}
