import ArgumentParser
import CountersignBrowser
import Foundation

/// The landscape, its method and the values, from a profile or from the command line alone.
struct ClientOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "A profile; by default the only one in the file, if neither '--landscape' nor '--spec' is given.", valueName: "name"))
    var profile: String?

    @Option(
        help: ArgumentHelp("The file with profiles; ~/.config/countersign/profiles.yaml by default.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var profiles: String?

    @Option(
        help: ArgumentHelp("A landscape that comes with the command, such as OAuth.", valueName: "name"),
        completion: .list(ShippedLandscapes.names))
    var landscape: String?

    @Option(
        help: ArgumentHelp(
            "A folder with the specs of a landscape, which are executed without generated code.", valueName: "folder"),
        completion: .directory)
    var spec: String?

    @Option(
        name: .customLong("method"),
        help: ArgumentHelp(
            "The method, if the landscape has several. Repeatable, for a server that asks for several, such as a second factor.",
            valueName: "name"))
    var methods: [String] = []

    @OptionGroup var choice: MethodOptions

    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp(
            """
            A value of a parameter, a setting or a prompt. Repeatable; several with one name form a list. With several methods, \
            'METHOD.NAME=…' is a value for one of them.
            """, valueName: "name=value"))
    var values: [String] = []

    @Option(
        name: .customLong("set-env"), parsing: .singleValue,
        help: ArgumentHelp("Like '--set', with the value of an environment variable; for secrets.", valueName: "name=variable"))
    var environmentValues: [String] = []

    @Option(
        name: .customLong("set-file"), parsing: .singleValue,
        help: ArgumentHelp("Like '--set', with the content of a file; for secrets.", valueName: "name=file"),
        completion: .file())
    var fileValues: [String] = []

    @Option(
        help: ArgumentHelp(
            "How to show login pages: \(PresenterChoice.allCases.map(\.rawValue).joined(separator: ", ")); automatic by default.",
            valueName: "name"), completion: .list(PresenterChoice.allCases.map(\.rawValue)))
    var presenter: String?

    @Option(
        help: ArgumentHelp(
            "The local port of the redirect URL, for a server that compares it; a free one by default.", valueName: "port"))
    var redirectPort: UInt16?

    @OptionGroup var connection: ConnectionOptions

    @Option(
        help: ArgumentHelp(
            "A file of mode 600 with the key of the store: 32 random bytes, raw or in Base64.", valueName: "file"),
        completion: .file())
    var keyFile: String?

    @Option(
        help: ArgumentHelp("The folder of the store; ~/.local/share/countersign/profiles/PROFILE by default.", valueName: "folder"),
        completion: .directory)
    var store: String?

    @OptionGroup var limit: TimeLimit

    @Flag(help: "Store nothing, and use nothing that is stored.")
    var noStore = false

    @Flag(name: .shortAndLong, help: "Show each request and response, without secrets.")
    var verbose = false

    func validate() throws {
        guard [profile, landscape, spec].compactMap(\.self).count <= 1 else {
            throw ValidationError("'--profile', '--landscape' and '--spec' exclude each other: give only one of them.")
        }
        if let presenter, PresenterChoice(rawValue: presenter) == nil {
            throw ValidationError(
                "There is no presenter '\(presenter)', only \(PresenterChoice.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        if let name = Profile.repeated(in: methods) {
            throw ValidationError("'--method \(name)' is given twice: name each method once.")
        }
        _ = try sources()
    }

    private func sources() throws -> [(name: String, source: Profile.Source)] {
        try MethodOptions.sources(values, environment: environmentValues, files: fileValues)
    }

    /// Returns the profile with the changes of the command line.
    ///
    /// - Throws: ``CommandProblem``.
    func resolved() throws -> Profile {
        var profile = try found()
        if !methods.isEmpty {
            for name in profile.methods { profile.places[.method(name)] = nil }
            profile.replacedMethods = profile.methods.filter { !methods.contains($0) }
            profile.methods = methods
        }
        profile.variant = choice.variant ?? profile.variant
        profile.base = choice.base ?? profile.base
        profile.presenter = presenter ?? profile.presenter
        profile.redirectPort = redirectPort ?? profile.redirectPort
        profile.caFile = connection.caFile ?? profile.caFile
        profile.proxy = connection.proxy ?? profile.proxy
        profile.keyFile = keyFile ?? profile.keyFile
        for (name, source) in try sources() {
            profile.values[name] = source
            // Values of the command line have no place in the file.
            profile.places[.value(name)] = nil
        }
        if choice.variant != nil { profile.places[.variant] = nil }
        if choice.base != nil { profile.places[.landscape] = nil }
        if connection.proxy != nil { profile.places[.proxy] = nil }
        if connection.caFile != nil { profile.places[.caFile] = nil }
        return profile
    }

    private func found() throws -> Profile {
        if let landscape {
            var profile = Profile(name: landscape)
            profile.landscape = landscape
            return profile
        }
        if let spec {
            var profile = Profile(name: URL(filePath: spec).standardizedFileURL.lastPathComponent)
            profile.spec = spec
            return profile
        }
        let path = profiles ?? ProfileFile.usualPath()
        guard profiles != nil || profile != nil || FileManager.default.fileExists(atPath: path) else {
            throw CommandProblem(
                "No landscape was specified.",
                remedy:
                    "Give '--landscape' (\(ShippedLandscapes.names.joined(separator: ", "))) or '--spec', or write a profile into \(path). 'countersign probe URL' finds the landscape of a server.",
                exit: CommandExit.usage)
        }
        let file = try ProfileFile(path: path)
        if let profile { return try file.profile(named: profile) }
        guard file.profiles.count == 1 else {
            throw CommandProblem(
                "No profile was specified.",
                remedy: file.profiles.isEmpty
                    ? "The file \(path) has none; 'countersign help request' has an example."
                    : "Give '--profile': \(file.profiles.map(\.name).joined(separator: ", ")). 'countersign status --all' shows all.",
                exit: CommandExit.usage)
        }
        return file.profiles[0]
    }
}
