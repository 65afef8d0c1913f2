import ArgumentParser

/// The method of a landscape.
struct MethodOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of the landscape that '--spec' extends, if it does not come with the command.", valueName: "folder"),
        completion: .directory)
    var base: String?

    @Option(help: ArgumentHelp("The method, if the landscape has several.", valueName: "name"))
    var method: String?

    @Option(help: ArgumentHelp("The variant of the method, if it has several.", valueName: "name"))
    var variant: String?

    /// Splits values in the form `name=value`.
    ///
    /// - Throws: `ValidationError` for another form.
    static func pairs(_ texts: [String]) throws -> [(name: String, value: String)] {
        try texts.map { text in
            let name = text.prefix { $0 != "=" }
            let value = text.dropFirst(name.count + 1)
            guard !name.isEmpty, text.count > name.count else {
                throw ValidationError("'\(name)' does not have the form 'name=value'.")
            }
            guard !value.isEmpty else { throw ValidationError("'\(name)=' has no value.") }
            return (String(name), String(value))
        }
    }
}
