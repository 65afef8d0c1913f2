// What a landscape and its methods say about the Swift that is generated for them.

extension SpecLanguage {
    /// What a landscape says about its Swift.
    static let landscapeSurface = Construct(
        "the Swift of a landscape", "For which sessions observers are generated, and under which names generated code uses them.",
        keys: [
            .init(
                "surface",
                .word([
                    .init("core", "Observers of `Session`, with `async` methods and the types of HTTP Types."),
                    .init(
                        "foundation",
                        "Observers of `FoundationSession`, with requests and responses of Foundation, completion handlers and authenticators."
                    ),
                ]), default: "core", "The sessions that observers are for."),
            .init(
                "logging", .text(.loggingPrefix), default: "the landscape's name", beside: foundation,
                "The prefix of logger labels."),
            .init("imports", .list(of: .text(.moduleName)), beside: foundation, "Modules that the generated module re-exports."),
            .init(
                "settings", .text(.typeName), default: "the landscape's name and `Settings`", beside: foundation,
                "The struct with the settings."),
            .init("session", .text(.typeName), default: "FoundationSession", beside: foundation, "The session."),
            .init(
                "session-labels", .list(of: .text(.memberName)), default: "session", beside: foundation,
                "The labels of initialisers that take a session; the first is the usual one."),
            .init("task", .text(.typeName), default: "FoundationSessionTask", beside: foundation, "A task of the session."),
            .init(
                "observing", .text(.typeName), default: "FoundationSessionObserving", beside: foundation,
                "What observers conform to."),
            .init(
                "conforms", .construct(conforms), beside: foundation,
                "Protocols that generated types conform to beyond the runtime's."),
        ])

    private static let foundation = ["surface"]

    /// What a method says about its Swift.
    static let methodSurface = Construct(
        "the Swift of a method", "The names of what is generated for a method of a landscape with the surface `foundation`.",
        keys: surfaceOfParameters + [
            .init(
                "completion",
                .word([
                    .init("required", "The caller handles the end of an authentication that is started by hand."),
                    .init("logged", "A caller that hands over nothing has errors logged."),
                ]), default: "required", "Whether an authentication that is started by hand needs a completion handler."),
            .init(
                "errors", .named(.typeName, key: "the error type's name", .list(of: .text(.caseReference))),
                default: "one type, with the method's name and `Error`",
                "The error types, and the cases of `errors` that each has."),
            .init(
                "imports", .list(of: .text(.moduleName)), "The modules that have what is named here, beside those of the landscape."
            ),
            .init(
                "properties", .list(of: .text(.fieldReference)),
                "Of an enrolment: the optional texts among the parameters that are properties of the class, to be set at any time, in place of fields of the struct."
            ),
            .init("prompting", .construct(surfacePrompting), "What answers the prompts of `acquire`."),
            .init(
                "store", .construct(surfaceStore), default: "nowhere but in memory", beside: ["prompting"],
                "What keeps the answers."),
        ])

    private static let surfacePrompting = Construct(
        "the protocol of prompts", "The type that an application answers the prompts of a method by.",
        keys: [
            .init("type", .text(.typeName), required: true, "The protocol."),
            .init("label", .text(.memberName), required: true, "The property of the observer, and the label of its initialiser."),
            summaryKey,
            .init("default", .text(.typeName), default: "one has to be given", "A type of which one is made where none is given."),
            .init(
                "source", .text(.typeName), required: true,
                "A type that is made with one, and with the store, and that the runtime asks (`ProgramPrompting`)."),
        ])

    private static let surfaceStore = Construct(
        "the protocol of a store", "The type of what keeps the answers to the prompts of a method.",
        keys: [
            .init("type", .text(.typeName), required: true, "The protocol."),
            .init("label", .text(.memberName), required: true, "The property of the observer, and the label of its initialiser."),
            summaryKey,
        ])

    /// What a variant says about its Swift.
    static let variantSurface = Construct(
        "the Swift of a variant", "The names of what is generated for a variant of a method.", keys: surfaceOfParameters)

    private static let conforms = Construct(
        "conformances", "Protocols that generated types conform to beyond the runtime's.",
        keys: [
            .init("errors", .list(of: .text(.typeName)), "Protocols of the error types."),
            .init("parameters", .list(of: .text(.typeName)), "Protocols of the parameter structs."),
            .init(
                "callbacks", .list(of: .text(.typeName)),
                "Protocols of the authenticators with a `callback`; they can ask for `application(open:options:)`."),
        ])

    private static let surfaceOfParameters: [Construct.Key] = [
        .init(
            "parameters", .text(.typeName), default: "the method's name and `Parameters`", "The struct with the parameters."),
        .init(
            "labels", .list(of: .text(.memberName)), default: defaultLabel,
            "The labels of initialisers that take the parameters; the first is the usual one."),
        .init(
            "beside-settings", .list(of: .text(.fieldReference)), default: "those that nothing else gives a value",
            "The parameters that the initialiser from the landscape's settings asks for."),
        .init(
            "initialisers", .list(of: .construct(initialiser)), default: "one with all parameters",
            "The initialisers of the parameters, if there are several."),
    ]

    static let initialiser = Construct(
        "an initialiser", "An initialiser with some of the parameters. An optional one that it names has to be given.",
        keys: [
            .init("fields", .list(of: .text(.fieldReference)), required: true, "The parameters, in the order of the initialiser."),
            .init("throws", .text(.caseReference), "The error for a text that is empty; its case carries `detail: string`."),
        ])
}
