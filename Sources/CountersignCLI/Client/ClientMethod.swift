import Countersign
import CountersignBrowser
import CountersignDynamic
import CountersignFileStore
import CountersignSpec
import Foundation
import HTTPTypes

/// One of the methods by which a session signs in, with its values.
struct ClientMethod {
    let method: DynamicMethod
    let variant: DynamicMethod.Variant
    /// The profile, with the values of this method.
    let profile: Profile
    let filled: FilledProgram

    var name: String { method.name }

    /// Returns the methods that a profile names, each with its variant.
    ///
    /// The variant of the profile belongs to the methods with several variants.
    ///
    /// - Throws: ``CommandProblem``; ``DynamicProblem``.
    static func chosen(
        by profile: Profile, in landscape: DynamicLandscape
    ) throws -> [(method: DynamicMethod, variant: DynamicMethod.Variant)] {
        let methods: [DynamicMethod] =
            profile.methods.isEmpty
            ? [try profile.placing(.landscape) { try landscape.method(named: nil) }]
            : try profile.methods.map { name in try profile.placing(.method(name)) { try landscape.method(named: name) } }
        let isKnown = methods.contains { method in method.variants.contains { $0.name == profile.variant } }
        return try methods.map { method in
            let name = method.variants.count > 1 || !isKnown ? profile.variant : nil
            let variant = try profile.placing(.variant) { try method.variant(named: name) }
            return (method, variant)
        }
    }

    /// Returns the methods in place of which the command line names others, each with all its variants.
    static func replaced(
        in profile: Profile, of landscape: DynamicLandscape
    ) -> [(method: DynamicMethod, variant: DynamicMethod.Variant)] {
        landscape.methods.filter { profile.replacedMethods.contains($0.name) }
            .flatMap { method in method.variants.map { (method: method, variant: $0) } }
    }

    /// Returns the observer that signs in.
    ///
    /// - Parameter tokenSession: The session of token requests.
    func observer(store: ClientStore?, terminal: Terminal?, tokenSession: Session) -> any SessionObserver {
        switch method.kind {
        case .cookies:
            AuthenticatorObserver(name: "\(name)Observer", authenticator: filled.authenticator())
        case .token:
            GrantAuthenticator(filled, session: tokenSession).observer(
                named: "\(name)Observer",
                store: store.map { CredentialTokenStore($0.files, name: filled.storeName) } ?? MemoryTokenStore())
        case .attached, .enrolment:
            ManagedObserver(
                filled, prompter: ClientPrompter(method: name, program: variant.resolved, profile: profile, terminal: terminal),
                store: store?.files)
        }
    }

    /// Returns the names of the header fields in which requests carry the credential. None if the server names one of them, and has
    /// not named it yet.
    ///
    /// - Parameter observer: The observer of the method.
    func fieldNames(carriedBy observer: any SessionObserver) -> Set<HTTPField.Name> {
        switch method.kind {
        case .cookies: [.cookie]
        case .token: [.authorization]
        case .attached, .enrolment: filled.fieldNames.union((observer as? ManagedObserver)?.fieldNames ?? [])
        }
    }

    /// The servers that may receive the credential, according to the values. None, if the values do not limit them.
    var destinations: [Origin] {
        filled.program.credential.destinations.flatMap { slot -> [Origin] in
            switch filled.values[slot] {
            case .origins(let origins): Array(origins.origins ?? [])
            case .url(let url): [Origin(url)].compactMap(\.self)
            default: []
            }
        }
    }

    /// The servers for which a token can be stored: the profile's, and those of the URLs among the values.
    var servers: [URL] {
        let addresses = filled.values.compactMap { value in if case .url(let url) = value { url } else { nil } }
        var seen: Set<Origin> = []
        return ([profile.url].compactMap(\.self) + addresses).filter { url in
            Origin(url).map { seen.insert($0).inserted } ?? false
        }
    }

    /// Whether the credential may be sent to a server, according to the servers that the values name.
    func isFor(_ url: URL) -> Bool {
        guard let origin = Origin(url) else { return false }
        return filled.values.contains { value in
            switch value {
            case .origins(let origins): origins.origins?.contains(origin) ?? true
            case .url(let url): Origin(url) == origin
            default: false
            }
        }
    }

    /// Whether a part of the credential in these header fields is computed for each request, such as a signature.
    func isComputed(_ fields: [HTTPField]) -> Bool {
        filled.program.attach.contains { placement in
            switch placement {
            case .digest, .signature, .messageSignature, .computed, .negotiate: true
            // A token that is not bound to a key has no proof.
            case .proof: fields.contains { $0.name.canonicalName == "dpop" }
            case .header, .query, .json, .form, .basic, .connection: false
            }
        }
    }

    /// The part of requests that carries the credential, if it is not in a header field; `nil` if that is unknown.
    var otherPlace: String? {
        filled.program.attach.compactMap { placement -> String? in
            switch placement {
            case .query: "in the query of the URL"
            case .computed(_, let headers, _) where headers.isEmpty: "in the query of the URL"
            case .json, .form: "in the body"
            case .connection: "the client certificate"
            default: nil
            }
        }.first
    }

    /// Returns the text of a parameter.
    func value(named name: String) -> String? {
        filled.program.slots.firstIndex { $0.name == name }.flatMap { filled.values[$0].text }
    }

    /// The profile's values that are neither secrets nor URLs, by the names of parameters and prompts.
    var visibleValues: [String: String] {
        let program = variant.resolved
        let asked = program.prompts.joined().filter { $0.type == .text }.map { program.slots[$0.slot].name.value }
        let names = variant.fields.filter { [.string, .choice].contains($0.type) }.map(\.name.value) + asked
        return Dictionary(
            names.compactMap { name in
                guard case .texts(let texts)? = profile.values[name] else { return nil }
                return (name, texts.joined(separator: " "))
            }, uniquingKeysWith: { first, _ in first })
    }
}

extension ClientMethod {
    /// Chooses the values of a method, and fills its program with them.
    ///
    /// - Parameters:
    ///   - chosen: A method, with its variant.
    ///   - all: All methods that the profile has values for. A value with a name of another one of them is no unknown one.
    ///   - input: What was read and typed for the earlier methods.
    /// - Throws: ``CommandProblem``; ``DynamicProblem``.
    init(
        _ chosen: (method: DynamicMethod, variant: DynamicMethod.Variant),
        among all: [(method: DynamicMethod, variant: DynamicMethod.Variant)], of landscape: DynamicLandscape, _ profile: Profile,
        _ purpose: ClientPurpose, terminal: Terminal?, reusing input: inout ClientInput
    ) async throws {
        let (own, names) = profile.narrowed(to: chosen.method.name, among: all.map(\.method.name))
        let values = ClientValues(
            own, landscape, chosen.variant, purpose, terminal: terminal, others: all.map(\.variant), ownNames: names)
        let given = try await values.given(reusing: &input)
        let filled = try own.placing { try Self.filled(chosen.method, chosen.variant, with: given) }
        self.init(method: chosen.method, variant: chosen.variant, profile: own, filled: filled)
    }

    /// Fills the program of a method.
    ///
    /// - Throws: ``DynamicProblem``; ``CommandProblem``, which names all parameters without a value, if they are several.
    private static func filled(
        _ method: DynamicMethod, _ variant: DynamicMethod.Variant, with given: GivenValues
    ) throws -> FilledProgram {
        do {
            return try method.filled(variant, with: given)
        } catch let problem as DynamicProblem {
            guard case .missing(kind: "parameter", let first, _) = problem else { throw problem }
            let missing = variant.fields.filter { field in
                !field.isOptional && field.defaultText == nil && ![.requestHandler, .texts].contains(field.type)
                    && given.parameters[field.name.value] == nil && !variant.derived.contains(field.name.value)
            }
            guard missing.count > 1, missing.contains(where: { $0.name.value == first }) else { throw problem }
            let names = missing.map { "'\($0.name.value)' (\($0.documentation.summary.trimmed(".")))" }.joined(separator: ", ")
            throw CommandProblem(
                "\(missing.count) parameters have no value: \(names).",
                remedy:
                    "Give each with '--set NAME=…', or under 'values' of the profile; secrets with '--set-env' or '--set-file'.",
                exit: CommandExit.badData)
        }
    }

    /// Returns the stored logins, whose users requests must not confuse; `nil` if there is nothing to compare.
    ///
    /// - Parameter given: The names of the values on the command line.
    /// - Throws: `CredentialStoreError`.
    func storedLogins(in store: ClientStore, given: Set<String>) async throws -> StoredLogins? {
        guard !given.isEmpty, method.kind == .attached || method.kind == .enrolment else { return nil }
        return StoredLogins(given: prompted(given), logins: try await filled.stored(in: store.files))
    }

    /// Returns the texts on the command line that answer prompts, by name.
    private func prompted(_ given: Set<String>) -> [String: String] {
        let program = variant.resolved
        var values: [String: String] = [:]
        for field in program.prompts.joined() where field.type == .text {
            let name = program.slots[field.slot].name.value
            guard given.contains(name) || given.contains("\(method.name).\(name)"),
                case .texts(let texts)? = profile.values[name]
            else { continue }
            values[name] = texts.joined(separator: ",")
        }
        return values
    }
}
