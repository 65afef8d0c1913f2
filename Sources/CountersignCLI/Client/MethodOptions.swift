import ArgumentParser

/// The landscape that specs extend, and the variant of a method.
struct MethodOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of the landscape that '--spec' extends, if it does not come with the command.", valueName: "folder"),
        completion: .directory)
    var base: String?

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

    /// Returns the values of the options `--set`, `--set-env` and `--set-file`, each name once. Several texts with one name form a
    /// list.
    ///
    /// - Throws: `ValidationError` for another form, and for a name with several values that are not texts.
    static func sources(
        _ texts: [String], environment: [String], files: [String]
    ) throws -> [(name: String, source: Profile.Source)] {
        var sources: [(name: String, source: Profile.Source)] = []
        for (name, text) in try pairs(texts) {
            if let place = sources.firstIndex(where: { $0.name == name }), case .texts(let earlier) = sources[place].source {
                sources[place].source = .texts(earlier + [text])
            } else {
                sources.append((name, .texts([text])))
            }
        }
        let variables = try pairs(environment).map { (name: $0.name, source: Profile.Source.environment($0.value)) }
        let paths = try pairs(files).map { (name: $0.name, source: Profile.Source.file($0.value)) }
        for entry in variables + paths {
            guard !sources.contains(where: { $0.name == entry.name }) else {
                throw ValidationError("'\(entry.name)' is given twice: only '--set' can be repeated with one name, for a list.")
            }
            sources.append(entry)
        }
        return sources
    }
}
