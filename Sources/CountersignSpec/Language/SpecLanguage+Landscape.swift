extension SpecLanguage {
    /// The file `landscape.yaml`.
    package static let landscape = Construct(
        "a landscape", "The shared part of a landscape's methods.",
        keys: [
            versionKey, landscapeKey, extendsKey, summaryKey, discussionKey,
            .init(
                "settings", .named(.memberName, key: "the setting's name", .construct(setting)),
                "Values that all methods share, in the order of the initialiser. They are a struct from which parameters can be created. Only with the surface `foundation`."
            ),
            .init(
                "server", .text(.fieldReference), beside: ["settings"], "The setting of type `url` that is the server's URL."
            ),
            operationsKey,
            .init(
                "overlaps", .list(of: .list(of: .text(.typeName))),
                "Groups of methods that the same response may challenge. The observer that is registered first answers."
            ),
            .init(
                "methods",
                .named(
                    .stem, key: "an inherited file, without `.yaml`", .shorthand(.word([omitted]), or: .construct(methodOverride))),
                "The differences from the inherited methods: mappings are merged, lists and texts are replaced. A mapping in place of a list is merged with the items whose `name`s are its keys, such as challenges and steps; the lists under `prepend` and `append` are added before and after the items. The word `omitted` removes an inherited item, an inherited entry of a mapping by names, such as a parameter, an item of a query or a field of a form, and an inherited optional key whose value is a mapping or a list, such as `client` or `end`."
            ),
            .init(
                "mock", .text(.prose), "The command that runs a mock of the landscape's servers, for the landscape's page."),
            .init("swift", .construct(landscapeSurface), "Options of the generated Swift code."),
        ])

    static let extendsKey = Construct.Key(
        "extends", .text(.typeName), "The landscape from which this one inherits methods and keys.")

    static let landscapeKey = Construct.Key(
        "landscape", .text(.typeName), required: true, "The name of the landscape and of the module.")

    package static let omitted = ValueShape.Word("omitted", "The inherited item is removed.")

    /// The keys of items that an override adds before and after those of an inherited list.
    package static let prepended = "prepend"
    package static let appended = "append"
    static let addedItems = [prepended, appended]

    /// The keys of an inherited method that a landscape can override: mappings are merged, lists and texts replaced.
    package static let methodOverride = Construct(
        "an override", "The differences from the inherited method.", isOverride: true, keys: methodKeys)

    private static let setting = Construct("a setting", "A value that all methods share.", keys: givenValueKeys())
}
