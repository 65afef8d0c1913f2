import Countersign
import CountersignDynamic
import CountersignSpec
import CountersignTesting
import Foundation

/// The mock of a method that follows from its spec, as the mock command shows it.
struct DescribedShow: Sendable {
    /// The specs that a mock plays.
    enum Specs: Sendable {
        /// Specs in a folder. `base` is the folder of the landscape that they extend; `nil` if that one comes with the command.
        case folder(String, base: String?)
        /// The specs of a landscape that comes with the command.
        case shipped(String)
    }

    private let specs: Specs
    private let landscape: DynamicLandscape
    private let method: DynamicMethod
    private let variant: DynamicMethod.Variant
    /// The values of the command line by name.
    private let given: [String: [String]]
    /// The variables and files of values that are not printed, by name.
    private let hidden: [String: Profile.Source]

    /// Reads the specs and the values.
    ///
    /// - Parameters:
    ///   - name: The method; `nil` for the only one.
    ///   - values: Each name once.
    /// - Throws: ``CommandProblem``; ``DynamicProblem``.
    init(
        _ specs: Specs, _ name: String?, _ choice: MethodOptions, values: [(name: String, source: Profile.Source)]
    ) async throws {
        self.specs = specs
        landscape =
            switch specs {
            case .folder(let folder, let base): try ShippedLandscapes.landscape(in: folder, extending: base)
            case .shipped(let name): try ShippedLandscapes.landscape(named: name)
            }
        method = try landscape.method(named: name)
        variant = try method.variant(named: choice.variant)
        var given: [String: [String]] = [:]
        for (name, source) in values { given[name] = try await source.texts(of: name) }
        self.given = given
        hidden = Dictionary(values.filter { !$0.source.isInTheOpen }.map { ($0.name, $0.source) }) { $1 }
        let prompted = variant.resolved.prompts.flatMap(\.self).map { variant.resolved.slots[$0.slot].name.value }
        let fields = variant.fields.map(\.name.value) + settings.map(\.name.value)
        let known = fields + prompted
        if let name = given.keys.sorted().first(where: { !known.contains($0) }) {
            throw CommandProblem(
                "There is no parameter, setting or prompt '\(name)'.",
                remedy: CommandProblem.remedy(for: name, among: Set(known).sorted()), exit: CommandExit.badData)
        }
        if let name = prompted.first(where: { !fields.contains($0) && (given[$0] ?? []).count > 1 }) {
            throw DynamicProblem.invalid(kind: "prompt", name: name, expectation: "a single value")
        }
    }

    private var settings: [ResolvedField] { landscape.resolved.settings?.fields ?? [] }

    /// The mock.
    var show: MockShow {
        MockShow(landscape: landscape.name) { body in
            let accepted = given.filter { entry in !(variant.fields + settings).contains { $0.name.value == entry.key } }
            let mock = try await DescribedMock.start(accepting: accepted.compactMapValues(\.first)) { url in
                let filled = try method.filled(variant, with: values(at: url).given)
                return [(filled.program, filled.values)]
            }
            do {
                let url = mock.url.appending(path: "data")
                try await body(url, shown(at: mock.url, for: url))
            } catch {
                await mock.stop()
                throw error
            }
            await mock.stop()
        }
    }

    /// Returns the values of the method for a server, and those of them that have been chosen or given, in the order of the spec.
    private func values(at url: URL) -> (given: GivenValues, listed: [(field: ResolvedField, texts: [String])]) {
        let derived = Set(variant.derived)
        var values = GivenValues()
        var listed: [(ResolvedField, [String])] = []
        for field in settings {
            guard let texts = given[field.name.value] ?? chosen(field, at: url) else { continue }
            values.settings[field.name.value] = texts
            listed.append((field, texts))
        }
        for field in variant.fields {
            let name = field.name.value
            let isDerived = derived.contains(name) && !settings.isEmpty
            // A setting and a parameter with one name have one value, as in the printed request.
            guard let texts = given[name] ?? values.settings[name] ?? (isDerived ? nil : chosen(field, at: url)) else { continue }
            values.parameters[name] = texts
            listed.removeAll { $0.0.name.value == name }
            listed.append((field, texts))
        }
        return (values, listed)
    }

    /// Returns the value of a required field without a default, or of one whose default is a real server; `nil` for other fields.
    private func chosen(_ field: ResolvedField, at url: URL) -> [String]? {
        guard !field.isOptional, field.defaultText == nil || [.url, .origins].contains(field.type) else { return nil }
        let name = field.name.value
        switch field.type {
        case .url:
            return [isRedirect(name) ? "http://127.0.0.1/callback" : url.appending(path: name).absoluteString]
        case .origins: return [url.absoluteString]
        case .secret: return [field.example?.value ?? "wonderland"]
        case .string, .header: return [field.example?.value ?? name]
        case .choice: return field.choices.first.map { [$0.value.value] }
        case .boolean: return ["false"]
        case .texts, .scopes, .requestHandler: return nil
        }
    }

    /// Whether a value is a redirect URL that belongs to the client, and not to a server that receives the credential.
    private func isRedirect(_ name: String) -> Bool {
        let program = variant.resolved
        let servers = program.credential.destinations
        return program.pages.compactMap(\.redirect).contains { program.slots[$0].name.value == name && !servers.contains($0) }
    }

    /// Whether a value is a private key that signs tokens and was not given. A chosen text is no key, so the printed request makes
    /// one; the mock does not verify what it signs.
    private func isNewKey(_ name: String) -> Bool {
        let program = variant.resolved
        return given[name] == nil
            && program.steps.contains { step in
                guard case .compute(_, .token(let token)) = step.action, case .slot(let slot)? = token.key.pieces.first else {
                    return false
                }
                return program.slots[slot].name.value == name
            }
    }

    /// The word of a shell for a new private key.
    private static let newKey = "\"$(openssl ecparam -name prime256v1 -genkey -noout)\""

    /// Returns a sentence about each given URL that is at another server than the mock.
    private func warnings(at server: URL) -> [String] {
        let fields = (settings + variant.fields).filter { [.url, .origins].contains($0.type) && !isRedirect($0.name.value) }
        var seen: Set<String> = []
        return fields.map(\.name.value).filter { seen.insert($0).inserted }.flatMap { name in
            (given[name] ?? []).compactMap { URL(string: $0).flatMap(Origin.init) }.filter { $0 != Origin(server) }
                .map { "\(name) is at \($0), which this mock does not serve." }
        }
    }

    /// Returns the values, and the command for a request with them.
    private func shown(at server: URL, for url: URL) -> MockShow.Values {
        var listed = values(at: server).listed.flatMap { field, texts in
            texts.map { (name: field.name.value, text: $0, isSecret: field.type == .secret) }
        }
        for field in variant.resolved.prompts.flatMap(\.self) {
            let slot = variant.resolved.slots[field.slot]
            let name = slot.name.value
            guard !listed.contains(where: { $0.name == name }) else { continue }
            listed.append((name, given[name]?.first ?? (slot.isSecret ? "wonderland" : "alice"), slot.isSecret))
        }
        let chosen = listed.filter { $0.isSecret && hidden[$0.name] == nil }
        var words = chosen.map { "\(Self.variable($0.name))=\(isNewKey($0.name) ? Self.newKey : $0.text.shellWord)" }
        words += ["countersign", "request", "--no-store"]
        switch specs {
        case .folder(let folder, let base):
            words += ["--spec", folder.shellWord]
            if let base { words += ["--base", base.shellWord] }
        case .shipped(let name): words += ["--landscape", name]
        }
        if landscape.methods.count > 1 { words += ["--method", method.name] }
        if let name = variant.name { words += ["--variant", name] }
        for (name, text, isSecret) in listed {
            if let source = hidden[name] {
                words += source.option(for: name)
                continue
            }
            words += isSecret ? ["--set-env", "\(name)=\(Self.variable(name))"] : ["--set", "\(name)=\(text)".shellWord]
        }
        // Requests without a body, such as a GET, do not carry a credential that belongs in one.
        if variant.resolved.isInBody {
            words += ["-X", "POST"]
        } else if let methods = variant.resolved.requestMethods, !methods.contains("GET"), let method = methods.first {
            words += ["-X", method]
        }
        words.append(url.absoluteString)
        // The command's own lines come before and after these.
        let lines: [(name: String, value: String)] = listed.map { entry in
            let isTaken = ["url", "page", "try"].contains(entry.name)
            let text = hidden[entry.name]?.place ?? (isNewKey(entry.name) ? "(a new private key)" : entry.text)
            return (isTaken ? "\(entry.name) of the method" : entry.name, text)
        }
        return MockShow.Values(lines + [("try", words.joined(separator: " "))], warnings: warnings(at: server))
    }

    /// Returns the environment variable for a secret.
    private static func variable(_ name: String) -> String { "COUNTERSIGN_\(name.uppercased())" }
}

extension Profile.Source {
    /// The option of a command that gives the value with a name, as words of a shell.
    fileprivate func option(for name: String) -> [String] {
        switch self {
        case .environment(let variable): ["--set-env", "\(name)=\(variable)".shellWord]
        case .file(let path): ["--set-file", "\(name)=\(path)".shellWord]
        case .texts, .command: []
        }
    }

    /// The place of a value that is not printed; `nil` for one that is.
    fileprivate var place: String? {
        switch self {
        case .environment(let variable): "(from the environment variable \(variable))"
        case .file(let path): "(from the file \(path))"
        case .texts, .command: nil
        }
    }
}
