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

    private static let operationVersion = Construct(
        "a version of an operation", "Steps without the user, whose requests have the session's cookies.",
        keys: [
            summaryKey, discussionKey,
            .init(
                "steps", .list(of: .construct(step)), required: true,
                "The steps, which name settings like `{settings.name}`. A request that gets no answer that is expected ends the operation in an error."
            ),
        ])
}
