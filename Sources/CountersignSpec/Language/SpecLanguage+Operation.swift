extension SpecLanguage {
    /// The calls of a landscape that stand outside of any challenge, such as a logout.
    static let operationsKey = Construct.Key(
        "operations",
        .named(.memberName, key: "the operation's name", .shorthand(.word([omitted]), or: .construct(operation))),
        "Calls outside of any challenge, such as a logout, each of which becomes a method of the session.")

    private static let operation = Construct(
        "an operation", "A call outside of any challenge, in one version or several.",
        keys: [
            summaryKey, discussionKey,
            .init(
                "types", .text(.typeName), default: "the operation's name, with a capital letter",
                "What the names of its generated types begin with, such as `Logout` for `LogoutVersion`."),
            .init(
                "parameters", .named(.memberName, key: "the parameter's name", .construct(operationParameter)),
                default: "the landscape's settings alone",
                "What it needs to know, in the order of the initialiser. Steps name them like `{name}`."),
            .init(
                "documents", .named(.memberName, key: "the document's name", .construct(document)),
                "What servers publish, such as the metadata of an authorization server. The steps name a value as `{document.value}`; it is fetched before them, and the session keeps it."
            ),
            .init(
                "results", .named(.memberName, key: "the result's name", .construct(result)), default: "nothing",
                "What the steps find out for the application. They fill each on every way through them, unless it is optional; steps after that name it like `{results.name}`."
            ),
            .init(
                "ends", .word(operationEnds), default: ResolvedOperation.End.nothing.rawValue,
                "What ends here once it was asked for, also if the server could not be reached."),
            .init(
                "versions", .named(.memberName, key: "the version's name", .construct(operationVersion)), required: true,
                "The versions that the server knows; the first is taken if the caller names none."),
        ])

    private static let operationEnds = ResolvedOperation.End.allCases.map { end in
        switch end {
        case .nothing: ValueShape.Word(end.rawValue, "Nothing.")
        case .userSession:
            ValueShape.Word(end.rawValue, "The user's session: cookies, tokens and running authentications are dropped.")
        }
    }

    private static let operationParameter = Construct(
        "a parameter of an operation", "A value that the application gives.",
        keys: givenValueKeys(FieldType.ofOperations).filter { $0.name != "configuration" })

    private static let result = Construct(
        "a result", "A value that the steps find out for the application.",
        keys: [
            .init("type", .word(ResolvedOperation.ResultType.allCases.map(word)), required: true, "What it holds."),
            summaryKey, discussionKey,
            .init("optional", .text(.boolean), default: "false", "Whether it can be absent."),
        ])

    private static func word(_ type: ResolvedOperation.ResultType) -> ValueShape.Word {
        switch type {
        case .string: ValueShape.Word(type.rawValue, "Any text.")
        case .secret: ValueShape.Word(type.rawValue, "A text that is redacted wherever it could be seen.")
        case .url: ValueShape.Word(type.rawValue, "An address that a server has named, at one of the origins of `within`.")
        case .boolean: ValueShape.Word(type.rawValue, "`true` or `false`; it is not optional.")
        case .texts: ValueShape.Word(type.rawValue, "A list of texts, at least one.")
        case .date: ValueShape.Word(type.rawValue, "A point in time.")
        case .duration: ValueShape.Word(type.rawValue, "A length of time.")
        }
    }

    private static let operationVersion = Construct(
        "a version of an operation", "Steps without the user, whose requests have the session's cookies.",
        keys: [
            summaryKey, discussionKey,
            .init(
                "steps", .list(of: .construct(step)), required: true,
                "The steps, which name parameters like `{name}` and settings like `{settings.name}`, and fill the results. A request that gets no answer that is expected ends the operation in an error."
            ),
        ])
}
