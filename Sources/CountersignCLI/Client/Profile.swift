import Countersign
import CountersignBrowser
import CountersignDynamic
import CountersignSpec
import Foundation

/// A user's configuration of one way to sign in: a landscape, its methods, their values, and the key of the store.
struct Profile: Sendable {
    /// The source of a value. A file of profiles must not contain the text of a secret.
    enum Source: Sendable, Hashable {
        case texts([String])
        case environment(String)
        case file(String)
        case command(String)
    }

    var name: String
    /// One of the landscapes that come with the command.
    var landscape: String?
    /// A folder of specs.
    var spec: String?
    /// The folder of the landscape that `spec` extends; `nil` if that landscape comes with the command.
    var base: String?
    /// The methods in the order in which they are asked; none for the only one of the landscape.
    var methods: [String] = []
    /// The methods of the file in place of which the command line names others. There can be values for them.
    var replacedMethods: [String] = []
    var variant: String?
    /// The base URL of relative request URLs.
    var url: URL?
    var presenter: String?
    /// The local port of the redirect URI, for a server that compares the port, contrary to RFC 8252; `nil` for a free port.
    var redirectPort: UInt16?
    /// A file with certificate authorities for servers, in addition to those of the system.
    var caFile: String?
    /// The proxy, as of the option `--proxy`; `nil` for that of the environment.
    var proxy: String?
    /// A file with the key of the store.
    var keyFile: String?
    /// Values of parameters, settings and prompts, by name. `METHOD.NAME` is for one of several methods.
    var values: [String: Source] = [:]
    /// The places of its parts in the file of profiles, for errors; none of the parts that the command line gives.
    var places: [Part: SourceLocation] = [:]

    /// A part of a profile that an error can be about.
    enum Part: Hashable {
        /// The landscape, or the folder of its specs.
        case landscape
        /// The method with a name.
        case method(String)
        case variant, caFile, proxy
        /// The value with a name.
        case value(String)
    }

    init(name: String) { self.name = name }

    /// Returns the first name that is in a list twice; `nil` if there is none.
    static func repeated(in names: [String]) -> String? {
        names.enumerated().first { names[..<$0.offset].contains($0.element) }?.element
    }
}

extension Profile {
    /// Returns the profile with the values of one method, and the names of those that are for that method alone.
    ///
    /// - Parameter methods: The methods of the session.
    func narrowed(to method: String, among methods: [String]) -> (profile: Profile, ownNames: Set<String>) {
        var profile = self
        var names: Set<String> = []
        for (name, source) in values {
            let owner = String(name.prefix { $0 != "." })
            guard owner.count < name.count, methods.contains(owner) else { continue }
            profile.values[name] = nil
            let place = profile.places.removeValue(forKey: .value(name))
            guard owner == method else { continue }
            let own = String(name.dropFirst(owner.count + 1))
            names.insert(own)
            profile.values[own] = source
            profile.places[.value(own)] = place
        }
        return (profile, names)
    }
}

extension Profile {
    /// Runs work whose error is about a part of the profile, and adds its place in the file of profiles to the error.
    ///
    /// - Parameter part: `nil` for the value that the error names.
    func placing<Value>(_ part: Part? = nil, _ work: () throws -> Value) throws -> Value {
        do { return try work() } catch { throw placed(error, at: part) }
    }

    /// Returns an error about a part of the profile with its place in the file of profiles.
    func placed(_ error: any Error, at part: Part?) -> any Error {
        switch error {
        case let problem as CommandProblem:
            guard let place = part.flatMap({ places[$0] }) else { return problem }
            // A mistake in the file is one of a configuration, also if it is one of usage on the command line.
            let exit = problem.exit == CommandExit.usage ? CommandExit.badData : problem.exit
            return CommandProblem("\(place.prefix)\(problem.description)", remedy: problem.remedy, exit: exit)
        case DynamicProblem.invalid(_, let name, _):
            guard let place = places[part ?? .value(name)] else { return error }
            return CommandProblem("\(place.prefix)\(error).", exit: CommandExit.badData)
        case DynamicProblem.unknown(_, let name, let known):
            guard let place = part.flatMap({ places[$0] }) else { return error }
            return CommandProblem(
                "\(place.prefix)\(error).", remedy: known.isEmpty ? nil : CommandProblem.remedy(for: name, among: known),
                exit: CommandExit.badData)
        case DynamicProblem.ambiguous(kind: "method", _):
            guard let place = part.flatMap({ places[$0] }) else { return error }
            return CommandProblem(
                "\(place.prefix)\(error).", remedy: "Name one under 'method' of the profile, or with '--method'.",
                exit: CommandExit.badData)
        default: return error
        }
    }
}

extension SourceLocation {
    /// The place at the beginning of a message, as editors parse it.
    fileprivate var prefix: String { "\(file):\(line):\(column): " }
}

/// The file with a user's profiles.
struct ProfileFile {
    let path: String
    let profiles: [Profile]

    /// Returns the default path of the file.
    static func usualPath(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        let configuration = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
        let base = configuration ?? HomeFolder.url(environment).appending(path: ".config")
        return base.appending(path: "countersign/profiles.yaml").path(percentEncoded: false)
    }

    /// Reads a file. If it has commands, only the user and root may be able to change it.
    ///
    /// - Throws: ``CommandProblem`` with the location of the error.
    init(path: String) throws {
        guard let data = WholeFile.bytes(atPath: path) else {
            throw CommandProblem(
                "The file with profiles cannot be read: \(path).",
                remedy: FileManager.default.fileExists(atPath: path)
                    ? nil : "There is no such file. 'countersign help request' has an example of one.", exit: CommandExit.noInput)
        }
        try self.init(text: String(decoding: data, as: UTF8.self), path: path)
        try requireSafeCommands()
    }

    init(text: String, path: String) throws {
        self.path = path
        let (root, diagnostics) = YAMLValue.read(SpecFile(path: path, bytes: Array(text.utf8)))
        if let mistake = diagnostics.first(where: { $0.severity == .error }) {
            throw Self.problem(mistake.message, at: mistake.location)
        }
        guard let root else {
            profiles = []
            return
        }
        let reader = ProfileReader(path: path)
        profiles = try reader.entries(of: root, as: "a mapping of names to profiles")
            .map { try reader.profile($0.key, $0.value) }
    }

    /// Returns the profile with a name.
    ///
    /// - Throws: ``CommandProblem``.
    func profile(named name: String) throws -> Profile {
        guard let profile = profiles.first(where: { $0.name == name }) else {
            throw CommandProblem(
                "There is no profile '\(name)' in \(path).",
                remedy: profiles.isEmpty
                    ? "Write one there; 'countersign help request' has an example."
                    : CommandProblem.remedy(for: name, among: profiles.map(\.name)),
                exit: profiles.isEmpty ? CommandExit.badData : CommandExit.usage)
        }
        return profile
    }

    static func problem(_ text: String, at place: SourceLocation, remedy: String? = nil) -> CommandProblem {
        CommandProblem("\(place.prefix)\(text).", remedy: remedy, exit: CommandExit.badData)
    }
}

/// Reads the nodes of a file of profiles.
private struct ProfileReader {
    let path: String

    private static let keys = [
        "base", "ca-file", "key-file", "landscape", "method", "methods", "presenter", "proxy", "redirect-port", "spec", "url",
        "values", "variant",
    ]

    /// The keys of parts that an error can be about after the file is read.
    private static let parts: [String: Profile.Part] = [
        "ca-file": .caFile, "landscape": .landscape, "proxy": .proxy, "spec": .landscape, "variant": .variant,
    ]

    func entries(
        of node: YAMLValue, as expectation: String
    ) throws -> [(key: String, value: YAMLValue, place: SourceLocation)] {
        guard case .mapping(let entries, _) = node else { throw problem("expected \(expectation)", node) }
        return entries.map { ($0.key.value, $0.value, $0.key.location) }
    }

    func profile(_ name: String, _ node: YAMLValue) throws -> Profile {
        var profile = Profile(name: name)
        for (key, value, place) in try entries(of: node, as: "a mapping with the keys of the profile '\(name)'") {
            if let part = Self.parts[key] { profile.places[part] = value.location }
            switch key {
            case "landscape": profile.landscape = try text(value)
            case "spec": profile.spec = try file(value)
            case "base": profile.base = try file(value)
            case "method", "methods":
                guard profile.methods.isEmpty else {
                    throw ProfileFile.problem("a profile has either 'method' or 'methods'", at: place)
                }
                for (name, place) in try key == "method" ? [(text(value), value.location)] : names(value) {
                    guard !profile.methods.contains(name) else {
                        throw ProfileFile.problem("the method '\(name)' is named twice", at: place)
                    }
                    profile.methods.append(name)
                    profile.places[.method(name)] = place
                }
            case "variant": profile.variant = try text(value)
            case "presenter":
                guard let choice = PresenterChoice(rawValue: try text(value)) else {
                    throw problem(
                        "a presenter must be one of \(PresenterChoice.allCases.map(\.rawValue).joined(separator: ", "))", value)
                }
                profile.presenter = choice.rawValue
            case "redirect-port":
                guard let port = UInt16(try text(value)), port > 0 else { throw problem("expected a port number", value) }
                profile.redirectPort = port
            case "ca-file": profile.caFile = try file(value)
            case "proxy": profile.proxy = try text(value)
            case "key-file": profile.keyFile = try file(value)
            case "url":
                guard let url = URL(string: try text(value)), Origin(url) != nil, url.user == nil else {
                    throw problem("expected an absolute URL with https or http, and without a user name", value)
                }
                profile.url = url
            case "values":
                for (name, value, place) in try entries(of: value, as: "a mapping of names to values") {
                    profile.values[name] = try source(value)
                    profile.places[.value(name)] = place
                }
            default:
                throw ProfileFile.problem(
                    "unknown profile key '\(key)'", at: place, remedy: CommandProblem.remedy(for: key, among: Self.keys))
            }
        }
        guard (profile.landscape == nil) != (profile.spec == nil) else {
            throw problem("the profile '\(name)' needs either 'landscape' or 'spec'", node)
        }
        return profile
    }

    private func text(_ node: YAMLValue) throws -> String {
        guard case .text(let text, _) = node else { throw problem("expected a text", node) }
        return text
    }

    /// Returns the names in a list, with their places.
    private func names(_ node: YAMLValue) throws -> [(String, SourceLocation)] {
        guard case .list(let items, _) = node, !items.isEmpty else {
            throw problem("expected a list of methods, such as [A, B]", node)
        }
        return try items.map { (try text($0), $0.location) }
    }

    /// Returns a path, which can be relative to the folder of the profiles.
    private func file(_ node: YAMLValue) throws -> String {
        let text = HomeFolder.expanding(try text(node))
        guard !text.hasPrefix("/") else { return text }
        return URL(filePath: path).deletingLastPathComponent().appending(path: text).path(percentEncoded: false)
    }

    private func source(_ node: YAMLValue) throws -> Profile.Source {
        if case .list(let items, _) = node { return .texts(try items.map(text)) }
        guard case .mapping = node else { return .texts([try text(node)]) }
        let entries = try entries(of: node, as: "a value")
        guard entries.count == 1 else {
            throw problem("a value must have exactly one of the keys 'env', 'file' and 'command'", node)
        }
        switch entries[0].key {
        case "env": return .environment(try text(entries[0].value))
        case "file": return .file(try file(entries[0].value))
        case "command": return .command(try text(entries[0].value))
        default: throw problem("a value must have one of the keys 'env', 'file' and 'command', not '\(entries[0].key)'", node)
        }
    }

    private func problem(_ text: String, _ node: YAMLValue) -> CommandProblem { ProfileFile.problem(text, at: node.location) }
}
