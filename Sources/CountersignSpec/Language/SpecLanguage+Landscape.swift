extension SpecLanguage {
    /// The file `landscape.yaml`.
    package static let landscape = Construct(
        "a landscape", "What the methods of a landscape share.",
        keys: [
            Version.one.key,
            landscapeKey,
            extendsKey,
            summaryKey, discussionKey,
            .init("logging", .text(.loggingPrefix), default: "the landscape's name", "The prefix of logger labels."),
            .init("imports", .list(of: .text(.moduleName)), "Modules that the generated module re-exports."),
            .init("names", .construct(names), "The names under which generated code uses the surface's types."),
            .init("conforms", .construct(conforms), "Protocols that generated types conform to beyond the runtime's."),
            .init(
                "settings", .named(.typeName, key: "the struct's name", .construct(settings)), "The struct that all methods share."),
            operationsKey,
            .init(
                "methods",
                .named(
                    .stem, key: "an inherited file, without `.yaml`", .shorthand(.word([omitted]), or: .construct(methodOverride))),
                "What differs from the landscape that this one extends."),
        ])

    static let extendsKey = Construct.Key(
        "extends", .text(.typeName), "The landscape that this one takes its methods and keys from.")

    static let landscapeKey = Construct.Key(
        "landscape", .text(.typeName), required: true, "The name, which is also the module's.")

    static let omitted = ValueShape.Word("omitted", "What is inherited under this name is left out.")

    private static let names = Construct(
        "the names of surface types", "The names under which generated code uses the surface's types.",
        keys: [
            .init("session", .text(.typeName), default: "FoundationSession", "The session."),
            .init(
                "session-labels", .list(of: .text(.memberName)), default: "session",
                "The labels of initialisers that take a session; the first is the usual one."),
            .init("task", .text(.typeName), default: "FoundationSessionTask", "A task of the session."),
            .init("observing", .text(.typeName), default: "FoundationSessionObserving", "What observers conform to."),
        ])

    static let conforms = Construct(
        "conformances", "Protocols that generated types conform to beyond the runtime's.",
        keys: [
            .init("errors", .list(of: .text(.typeName)), "Protocols of the error types."),
            .init("parameters", .list(of: .text(.typeName)), "Protocols of the parameter structs."),
            .init(
                "callbacks", .list(of: .text(.typeName)),
                "Protocols of the authenticators with a `callback`; they can ask for `application(open:options:)`."),
        ])

    private static let settings = parameterStruct(
        "settings", "What all methods of the landscape share.",
        further: [
            .init("server", .text(.fieldReference), required: true, "The `url` field that is the server's address.")
        ])

    /// What a landscape can change of an inherited method: mappings are merged, lists and texts replaced.
    package static let methodOverride = Construct(
        "an override", "What differs from the inherited method.", isOverride: true,
        keys: [
            summaryKey, discussionKey,
            .init(
                "parameters", .named(.typeName, key: "the struct's name", .construct(parametersOverride)),
                "What differs in the parameters."),
            challengeKey, credentialKey, attachKey, flowKey, grantsKey, mockKey,
            pinsKey, bearerKey, obtainKey, retireKey, cancelledKey,
        ])

    private static let parametersOverride = Construct(
        "an override of parameters", "What differs in a parameter struct; its fields stay.",
        keys: [
            .init(
                "fields", .named(.memberName, key: "the field's name", .construct(fieldOverride)), "Other defaults and examples."),
            .init("from", .construct(from), "Other initialisers."),
            .init(
                "configuration", .named(.fieldReference, key: "a field", .list(of: .text(.configurationKey))),
                "Other keys in configuration files."),
        ])

    private static let fieldOverride = Construct(
        "an override of a field", "Another default or example.",
        keys: ["default", "example", "allow-http"].compactMap(field.key))
}
