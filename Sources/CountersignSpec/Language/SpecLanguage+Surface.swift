// The options of the Swift code that is generated for a landscape and its methods.

extension SpecLanguage {
    /// The options of the Swift code of a landscape.
    static let landscapeSurface = Construct(
        "the Swift of a landscape", "The sessions for which observers are generated, and the names in generated code.",
        keys: [
            .init(
                "surface",
                .word([
                    .init("core", "Observers of `Session`, with `async` methods and the types of swift-http-types."),
                    .init(
                        "foundation",
                        "Observers of `FoundationSession`, with Foundation's requests and responses, completion handlers and authenticators."
                    ),
                ]), default: "core", "The type of session for the observers."),
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
                "The labels of initialisers with a session. The first is preferred."),
            .init(
                "observing", .text(.typeName), default: "FoundationSessionObserving", beside: foundation,
                "The protocol of the observers."),
            .init(
                "conforms", .construct(conforms), beside: foundation,
                "Additional protocols of generated types."),
        ])

    private static let foundation = ["surface"]

    /// The options of the Swift code of a method.
    static let methodSurface = Construct(
        "the Swift of a method", "The names in generated code, for a method of a landscape with the surface `foundation`.",
        keys: surfaceOfParameters + [
            .init(
                "completion",
                .word([
                    .init("required", "An explicit authentication needs a completion handler."),
                    .init("logged", "Without a completion handler, errors are logged."),
                ]), default: "required", "Whether an explicit authentication needs a completion handler."),
            .init(
                "errors", .named(.typeName, key: "the error type's name", .list(of: .text(.caseReference))),
                default: "one type, with the method's name and `Error`",
                "The error types, with their cases of `errors`."),
            .init(
                "imports", .list(of: .text(.moduleName)),
                "The modules of the types that are named here, in addition to those of the landscape."
            ),
            .init(
                "properties", .list(of: .text(.fieldReference)),
                "For an enrolment: the optional text parameters that are settable properties of the class in place of fields of the struct."
            ),
            .init("prompting", .construct(surfacePrompting), "The protocol that answers the prompts of `acquire`."),
            .init(
                "store", .construct(surfaceStore), default: "memory only", beside: ["prompting"],
                "The protocol that stores the answers."),
        ])

    private static let surfacePrompting = Construct(
        "the protocol of prompts", "The protocol by which an application answers the prompts of a method.",
        keys: [
            .init("type", .text(.typeName), required: true, "The protocol."),
            .init("label", .text(.memberName), required: true, "The property of the observer, and the label of its initialiser."),
            summaryKey,
            .init("default", .text(.typeName), default: "none: one must be given", "The type of the default instance."),
            .init(
                "source", .text(.typeName), required: true,
                "A type that wraps an instance and the store for the runtime (`ProgramPrompting`)."),
        ])

    private static let surfaceStore = Construct(
        "the protocol of a store", "The protocol that stores the answers to the prompts of a method.",
        keys: [
            .init("type", .text(.typeName), required: true, "The protocol."),
            .init("label", .text(.memberName), required: true, "The property of the observer, and the label of its initialiser."),
            summaryKey,
        ])

    /// The options of the Swift code of a variant.
    static let variantSurface = Construct(
        "the Swift of a variant", "The names in generated code for a variant of a method.", keys: surfaceOfParameters)

    private static let conforms = Construct(
        "conformances", "Additional protocols of generated types.",
        keys: [
            .init("errors", .list(of: .text(.typeName)), "Protocols of the error types."),
            .init("parameters", .list(of: .text(.typeName)), "Protocols of the parameter structs."),
            .init(
                "callbacks", .list(of: .text(.typeName)),
                "Protocols of the authenticators with a `callback`. They can require `application(open:options:)`."),
        ])

    private static let surfaceOfParameters: [Construct.Key] = [
        .init(
            "parameters", .text(.typeName), default: "the method's name and `Parameters`", "The struct with the parameters."),
        .init(
            "labels", .list(of: .text(.memberName)), default: defaultLabel,
            "The labels of initialisers with the parameters. The first is preferred."),
        .init(
            "beside-settings", .list(of: .text(.fieldReference)), default: "those without another value",
            "The parameters of the initialiser from the landscape's settings."),
        .init(
            "initialisers", .list(of: .construct(initialiser)), default: "one with all parameters",
            "The initialisers of the parameters, if there are several."),
    ]

    static let initialiser = Construct(
        "an initialiser", "An initialiser with some of the parameters. Optional parameters that it lists are required.",
        keys: [
            .init("fields", .list(of: .text(.fieldReference)), required: true, "The parameters, in the order of the initialiser."),
            .init("throws", .text(.caseReference), "The error for an empty text. Its case carries `detail: string`."),
        ])
}
