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

    init(
        _ profile: Profile, _ landscape: DynamicLandscape, _ variant: DynamicMethod.Variant, _ purpose: ClientPurpose,
        terminal: Terminal?
    ) {
        self.purpose = purpose
        self.profile = profile
        self.landscape = landscape
        self.variant = variant
        self.terminal = terminal
    }

    /// - Throws: ``CommandProblem``.
    func given() async throws -> GivenValues {
        let settings = landscape.resolved.settings?.fields ?? []
        let prompted = variant.resolved.prompts.flatMap(\.self).map { variant.resolved.slots[$0.slot].name.value }
        var given = GivenValues()
        for (name, source) in profile.values.sorted(by: { $0.key < $1.key }) {
            do {
                try await assign(source, to: name, settings, prompted, in: &given)
            } catch {
                throw profile.placed(error, at: .value(name))
            }
        }
        try await complete(&given)
        return given
    }

    /// Assigns a value to the parameter, setting or prompt with its name.
    private func assign(
        _ source: Profile.Source, to name: String, _ settings: [ResolvedField], _ prompted: [String], in given: inout GivenValues
    ) async throws {
        if let field = variant.fields.first(where: { $0.name.value == name }) {
            try check(source, of: name, isSecret: field.type == .secret)
            given.parameters[name] = try await texts(of: source, named: name, isSecret: field.type == .secret)
        } else if settings.contains(where: { $0.name.value == name }) {
            given.settings[name] = try await source.texts(of: name)
        } else if let field = variant.resolved.prompts.flatMap(\.self).first(where: {
            variant.resolved.slots[$0.slot].name.value == name
        }) {
            try check(source, of: name, isSecret: field.type == .secret)
        } else if name.hasSuffix("Password"), prompted.contains(String(name.dropLast("Password".count))) {
            try check(source, of: name, isSecret: true)
        } else {
            let known = variant.fields.map(\.name.value) + settings.map(\.name.value) + prompted
            throw CommandProblem(
                "There is no parameter, setting or prompt '\(name)'.",
                remedy: CommandProblem.remedy(for: name, among: Set(known).sorted()), exit: CommandExit.badData)
        }
    }

    private func texts(of source: Profile.Source, named name: String, isSecret: Bool) async throws -> [String] {
        switch purpose {
        case .status where isSecret: [Self.unknown]
        case .logout where isSecret: (try? await source.texts(of: name)) ?? [Self.unknown]
        case .requests, .status, .logout: try await source.texts(of: name)
        }
    }

    /// The placeholder for a secret that is not needed.
    private static let unknown = "-"

    /// Asks the user for required values that the profile does not provide. It asks only for secrets, because a file of profiles
    /// does not contain them.
    private func complete(_ given: inout GivenValues) async throws {
        let derived = Set(variant.derived)
        for field in variant.fields where field.type == .secret && !field.isOptional && field.defaultText == nil {
            let name = field.name.value
            guard given.parameters[name] == nil, !derived.contains(name) else { continue }
            if purpose != .requests { given.parameters[name] = [Self.unknown] }
            guard purpose == .requests, let terminal else { continue }
            guard let text = try await terminal.ask("\(field.documentation.summary) (\(name)): ", isHidden: true) else {
                throw CommandProblem("'\(name)' was not given.", exit: CommandExit.refused)
            }
            given.parameters[name] = [text]
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
