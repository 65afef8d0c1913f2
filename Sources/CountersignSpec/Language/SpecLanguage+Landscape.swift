extension SpecLanguage {
    /// The file `landscape.yaml`.
    package static let landscape = Construct(
        "a landscape", "What the methods of a landscape share.",
        keys: [
            versionKey, landscapeKey, extendsKey, summaryKey, discussionKey,
            .init(
                "settings", .named(.memberName, key: "the setting's name", .construct(setting)),
                "What all methods share, in the order of the initialiser: a struct, from which parameters can be made."),
            .init(
                "server", .text(.fieldReference), beside: ["settings"], "The `url` among the settings that is the server's address."
            ),
            operationsKey,
            .init(
                "overlaps", .list(of: .list(of: .text(.typeName))),
                "Methods that one response can challenge by intention, in groups by their names: the observer that is registered first answers."
            ),
            .init(
                "methods",
                .named(
                    .stem, key: "an inherited file, without `.yaml`", .shorthand(.word([omitted]), or: .construct(methodOverride))),
                "What differs in the methods of the landscape that this one extends: mappings are merged, lists and texts replaced. A mapping in place of a list is merged with those of its items that have the `name`s of its keys, such as challenges and steps, or takes one away with the word `omitted`; lists under `prepend` and `append` are put before its items and behind them."
            ),
            .init("swift", .construct(landscapeSurface), "What is generated in Swift."),
        ])

    static let extendsKey = Construct.Key(
        "extends", .text(.typeName), "The landscape that this one takes its methods and keys from.")

    static let landscapeKey = Construct.Key(
        "landscape", .text(.typeName), required: true, "The name, which is also the module's.")

    package static let omitted = ValueShape.Word("omitted", "What is inherited under this name is left out.")

    /// The keys of items that an override puts before those of an inherited list, and behind them.
    package static let prepended = "prepend"
    package static let appended = "append"
    static let addedItems = [prepended, appended]

    /// What a landscape can change of an inherited method: mappings are merged, lists and texts replaced.
    package static let methodOverride = Construct(
        "an override", "What differs from the inherited method.", isOverride: true, keys: methodKeys)

    private static let setting = Construct("a setting", "A value that all methods share.", keys: givenValueKeys())
}
