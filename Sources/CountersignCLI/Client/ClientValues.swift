import Countersign
import CountersignBrowser
import CountersignDynamic
import CountersignSpec
import Foundation

/// Assigns the values of a profile to parameters, settings and prompts.
struct ClientValues {
    private let profile: Profile
    private let landscape: DynamicLandscape
    private let variant: DynamicMethod.Variant
    private let purpose: ClientPurpose
    private let terminal: Terminal?
    private let others: [DynamicMethod.Variant]
    private let ownNames: Set<String>

    /// - Parameters:
    ///   - others: The methods that the profile has values for. A value for one of them is not an unknown one of this method.
    ///   - ownNames: The names of the values that are for this method alone.
    init(
        _ profile: Profile, _ landscape: DynamicLandscape, _ variant: DynamicMethod.Variant, _ purpose: ClientPurpose,
        terminal: Terminal?, others: [DynamicMethod.Variant] = [], ownNames: Set<String> = []
    ) {
        self.purpose = purpose
        self.profile = profile
        self.landscape = landscape
        self.variant = variant
        self.terminal = terminal
        self.others = others
        self.ownNames = ownNames
    }

    /// - Parameter input: What was read and typed for other methods of the session; that for this one is added.
    /// - Throws: ``CommandProblem``.
    func given(reusing input: inout ClientInput) async throws -> GivenValues {
        let settings = landscape.resolved.settings?.fields ?? []
        let prompted = Self.promptedNames(of: variant)
        var given = GivenValues()
        for (name, source) in profile.values.sorted(by: { $0.key < $1.key }) {
            do {
                try await assign(source, to: name, settings, prompted, in: &given, &input)
            } catch {
                throw profile.placed(error, at: .value(name))
            }
        }
        try await complete(&given, &input)
        return given
    }

    /// Returns the names of the values that prompts ask for.
    private static func promptedNames(of variant: DynamicMethod.Variant) -> [String] {
        variant.resolved.prompts.flatMap(variant.resolved.asked).map { variant.resolved.slots[$0.slot].name.value }
    }

    /// Whether a value is a parameter, a prompt, or the password of a prompt's archive.
    private static func has(_ variant: DynamicMethod.Variant, _ name: String) -> Bool {
        let prompted = promptedNames(of: variant)
        return variant.fields.contains { $0.name.value == name } || prompted.contains(name)
            || name.hasSuffix("Password") && prompted.contains(String(name.dropLast("Password".count)))
    }

    /// Assigns a value to the parameter, setting or prompt with its name.
    private func assign(
        _ source: Profile.Source, to name: String, _ settings: [ResolvedField], _ prompted: [String], in given: inout GivenValues,
        _ input: inout ClientInput
    ) async throws {
        if let field = variant.fields.first(where: { $0.name.value == name }) {
            try check(source, of: name, isSecret: field.type == .secret)
            given.parameters[name] = try await texts(of: source, named: name, isSecret: field.type == .secret, &input)
            // A name does not tell a setting from a parameter, so both have the value.
            if settings.contains(where: { $0.name.value == name }) { given.settings[name] = given.parameters[name] }
        } else if settings.contains(where: { $0.name.value == name }) {
            given.settings[name] = try await input.texts(of: source, named: name)
        } else if let field = variant.resolved.prompts.flatMap(variant.resolved.asked).first(where: {
            variant.resolved.slots[$0.slot].name.value == name
        }) {
            try check(source, of: name, isSecret: field.type == .secret)
            if case .texts(let texts) = source, texts.count != 1 {
                throw DynamicProblem.invalid(kind: "prompt", name: name, expectation: "a single value")
            }
        } else if name.hasSuffix("Password"), prompted.contains(String(name.dropLast("Password".count))) {
            try check(source, of: name, isSecret: true)
        } else if ownNames.contains(name) || !others.contains(where: { Self.has($0, name) }) {
            let variants = ownNames.contains(name) ? [variant] : [variant] + others
            let known =
                settings.map(\.name.value) + variants.flatMap { $0.fields.map(\.name.value) + Self.promptedNames(of: $0) }
            throw CommandProblem(
                "There is no parameter, setting or prompt '\(name)'.",
                remedy: CommandProblem.remedy(for: name, among: Set(known).sorted()), exit: CommandExit.badData)
        }
    }

    private func texts(
        of source: Profile.Source, named name: String, isSecret: Bool, _ input: inout ClientInput
    ) async throws -> [String] {
        switch purpose {
        case .status where isSecret: [Self.unknown]
        case .logout where isSecret: (try? await input.texts(of: source, named: name)) ?? [Self.unknown]
        case .requests, .status, .logout: try await input.texts(of: source, named: name)
        }
    }

    /// The placeholder for a secret that is not needed.
    private static let unknown = "-"

    /// Asks the user for required values that the profile does not provide. It asks only for secrets, because a file of profiles
    /// does not contain them.
    private func complete(_ given: inout GivenValues, _ input: inout ClientInput) async throws {
        let derived = Set(variant.derived)
        for field in variant.fields where field.type == .secret && !field.isOptional && field.defaultText == nil {
            let name = field.name.value
            guard given.parameters[name] == nil, !derived.contains(name) else { continue }
            if purpose != .requests { given.parameters[name] = [Self.unknown] }
            guard purpose == .requests, let terminal else { continue }
            if let text = input.typed[name] {
                given.parameters[name] = [text]
                continue
            }
            guard let text = try await terminal.ask("\(field.documentation.summary) (\(name)): ", isHidden: true) else {
                throw CommandProblem("'\(name)' was not given.", exit: CommandExit.refused)
            }
            given.parameters[name] = [text]
            input.typed[name] = text
        }
    }

    /// Throws if a secret is on the command line or in a profile. The list of processes shows the one, and every program of the
    /// user can read the other.
    private func check(_ source: Profile.Source, of name: String, isSecret: Bool) throws {
        guard isSecret, source.isInTheOpen else { return }
        throw CommandProblem(
            "'\(name)' is a secret, which must not be on a command line or in a profile.",
            remedy:
                "Name its source: '--set-env \(name)=VARIABLE' or '--set-file \(name)=FILE'; in a profile { env: … }, { file: … } or { command: … }.",
            exit: CommandExit.badData)
    }
}

/// The values that were read and typed for the methods of one session: a pipe can be read only once, and a question is asked once.
struct ClientInput {
    private var read: [Profile.Source: [String]] = [:]
    /// The typed secrets, by the names of the parameters.
    var typed: [String: String] = [:]

    /// Returns the texts of a value, which is read if it was not before.
    ///
    /// - Parameter name: The value's name, for messages.
    /// - Throws: ``CommandProblem``, which does not contain the value.
    mutating func texts(of source: Profile.Source, named name: String) async throws -> [String] {
        if let texts = read[source] { return texts }
        let texts = try await source.texts(of: name)
        read[source] = texts
        return texts
    }
}
