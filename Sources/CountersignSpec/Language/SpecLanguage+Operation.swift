extension SpecLanguage {
    /// The operations of a landscape outside of any challenge, such as a logout.
    static let operationsKey = Construct.Key(
        "operations",
        .named(.memberName, key: "the operation's name", .shorthand(.word([omitted]), or: .construct(operation))),
        "Operations outside of any challenge, such as a logout. Each becomes a method of the session.")

    private static let operation = Construct(
        "an operation", "An operation outside of any challenge, in one or several versions.",
        keys: [
            summaryKey, discussionKey,
            .init(
                "types", .text(.typeName), default: "the operation's name, with a capital letter",
                "The prefix of its generated types, such as `Logout` for `LogoutVersion`."),
            .init(
                "parameters", .named(.memberName, key: "the parameter's name", .construct(operationParameter)),
                default: "the landscape's settings alone",
                "The parameters of the operation, in the order of the initialiser. Steps refer to them as `{name}`."),
            .init(
                "documents", .named(.memberName, key: "the document's name", .construct(document)),
                "Documents that servers publish, such as the metadata of an authorization server. Steps refer to a value as `{document.value}`. A document is fetched before the steps and cached in the session."
            ),
            .init(
                "results", .named(.memberName, key: "the result's name", .construct(result)), default: "nothing",
                "The results for the application. The steps set each result on every path, unless it is optional. Later steps refer to it as `{results.name}`."
            ),
            .init(
                "ends", .word(operationEnds), default: ResolvedOperation.End.nothing.rawValue,
                "What the operation ends locally, even if the server could not be reached."),
            .init(
                "versions", .named(.memberName, key: "the version's name", .construct(operationVersion)), required: true,
                "The versions that the server supports. The first is the default."),
        ])

    private static let operationEnds = ResolvedOperation.End.allCases.map { end in
        switch end {
        case .nothing: ValueShape.Word(end.rawValue, "Nothing.")
        case .userSession:
            ValueShape.Word(end.rawValue, "The user's session: cookies, tokens and running authentications are dropped.")
        }
    }

    private static let operationParameter = Construct(
        "a parameter of an operation", "A value of the application.",
        keys: givenValueKeys(FieldType.ofOperations).filter { $0.name != "configuration" })

    private static let result = Construct(
        "a result", "A result for the application.",
        keys: [
            .init("type", .word(ResolvedOperation.ResultType.allCases.map(word)), required: true, "The type of the value."),
            summaryKey, discussionKey,
            .init("optional", .text(.boolean), default: "false", "Whether the value can be absent."),
        ])

    private static func word(_ type: ResolvedOperation.ResultType) -> ValueShape.Word {
        switch type {
        case .string: ValueShape.Word(type.rawValue, "Any text.")
        case .secret: ValueShape.Word(type.rawValue, "A text that is redacted in descriptions and logs.")
        case .url: ValueShape.Word(type.rawValue, "A URL that a server has named, at one of the origins of `within`.")
        case .boolean: ValueShape.Word(type.rawValue, "`true` or `false`; it is not optional.")
        case .texts: ValueShape.Word(type.rawValue, "A list of texts, at least one.")
        case .date: ValueShape.Word(type.rawValue, "A point in time.")
        case .duration: ValueShape.Word(type.rawValue, "A duration.")
        }
    }

    private static let operationVersion = Construct(
        "a version of an operation", "Steps without the user. Their requests carry the session's cookies.",
        keys: [
            summaryKey, discussionKey,
            .init(
                "steps", .list(of: .construct(step)), required: true,
                "The steps. They refer to parameters as `{name}` and to settings as `{settings.name}`, and set the results. An unexpected response ends the operation with an error."
            ),
        ])
}
