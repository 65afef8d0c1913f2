import CountersignGenerator
import CountersignSpec

/// The specs of a new landscape that inherits the methods of a shipped one.
///
/// An extended landscape cannot extend another one. For a shipped landscape that does, the draft is a copy of its differences.
struct OverlayDraft {
    let files: [GeneratedFile]
    /// The landscape in `extends`.
    let base: String
    /// The products of the landscape in `extends` and of the modules in its `imports`.
    let products: [String]

    /// - Throws: ``CommandProblem``, if no landscape of that name comes with the command.
    init(_ name: String, extending shipped: String) throws {
        let specs = ShippedLandscapes.specs(of: shipped)
        guard !specs.isEmpty else { throw Self.unknown(shipped) }
        if let root = ShippedLandscapes.base(of: specs) {
            base = root
            let ordered = specs.filter(\.isLandscape) + specs.filter { !$0.isLandscape }
            files = ordered.map { Self.copy($0, of: shipped, extending: root, name: name) }
        } else {
            base = shipped
            files = [GeneratedFile(name: "landscape.yaml", text: Self.text(name, extending: shipped, specs))]
        }
        products = [base] + Self.imports(of: ShippedLandscapes.specs(of: base)).filter { [base] in $0 != base }
    }

    private static func unknown(_ name: String) -> CommandProblem {
        CommandProblem(
            "No landscape '\(name)' comes with this command.",
            remedy: CommandProblem.remedy(for: name, among: ShippedLandscapes.names), exit: CommandExit.usage)
    }

    private static func text(_ name: String, extending base: String, _ specs: [SpecFile]) -> String {
        let methods = specs.filter { !$0.isLandscape }.map(\.stem)
        let example = Override.example(for: specs).map { $0.lines.map { "# \($0)\n" }.joined() } ?? ""
        return """
            # The methods of \(base), with the differences under 'methods':
            \(methods.map { "#   \($0)\n" }.joined())\
            # See also: countersign explain --landscape \(base) NAME
            # Completion in editors: countersign schema --help
            countersign: 2
            landscape: \(name)
            extends: \(base)
            summary: Authenticated requests to \(name).

            # Mappings are merged with the inherited ones; lists and texts are replaced.
            # The word 'omitted' in place of a method's keys removes it. An example:
            \(example)
            """
    }

    /// Returns a file of a shipped landscape, with the name of the new one.
    private static func copy(_ file: SpecFile, of shipped: String, extending base: String, name: String) -> GeneratedFile {
        let lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("# yaml-language-server:") }.map { $0 == "landscape: \(shipped)" ? "landscape: \(name)" : $0 }
        let comment = """
            # A copy of the landscape \(shipped), which extends \(base):
            # its differences, and yours.
            # Completion in editors: countersign schema --help

            """
        return GeneratedFile(name: file.name, text: (file.isLandscape ? comment : "") + lines.joined(separator: "\n"))
    }

    /// Returns the modules in the `imports` of a landscape.
    private static func imports(of specs: [SpecFile]) -> [String] {
        guard let file = specs.first(where: \.isLandscape),
            case .list(let items, _)? = YAMLValue.read(file).value?["swift"]?["imports"]
        else { return [] }
        return items.compactMap(\.text)
    }
}

/// An override of an inherited method.
private struct Override {
    let method: String
    /// The parameter that changes; `nil` for the method's summary.
    var parameter: String?
    let key: String
    let value: String

    /// The override as YAML.
    var lines: [String] {
        let quoted = "\"\(value.escapedForQuotes)\""
        let start = ["methods:", "  \(method):"]
        guard let parameter else { return start + ["    \(key): \(quoted)"] }
        return start + ["    parameters:", "      \(parameter): { \(key): \(quoted) }"]
    }

    /// Returns an override of an inherited method, with the present value as the new one: preferably a URL.
    static func example(for specs: [SpecFile]) -> Override? {
        let methods = specs.filter { !$0.isLandscape }.compactMap { file in
            YAMLValue.read(file).value.map { (name: file.stem, root: $0) }
        }
        let parameters = methods.flatMap { method in
            (method.root["parameters"]?.entries ?? []).map { (method: method.name, name: $0.key.value, content: $0.value) }
        }
        func first(_ key: String, as newKey: String, where isFit: (YAMLValue, String) -> Bool) -> Override? {
            for parameter in parameters {
                guard let value = parameter.content[key]?.text, isFit(parameter.content, value) else { continue }
                return Override(method: parameter.method, parameter: parameter.name, key: newKey, value: value)
            }
            return nil
        }
        let url = first("example", as: "default") { content, value in
            content["type"]?.text == "url" && content["optional"] == nil && value.hasPrefix("https:")
        }
        let derived = first("from", as: "from") { content, _ in content["type"]?.text == "url" }
        let text = first("default", as: "default") { content, value in !value.isEmpty && content["type"]?.text != "boolean" }
        let summary = methods.first.flatMap { method in
            method.root["summary"]?.text.map { Override(method: method.name, key: "summary", value: $0) }
        }
        return url ?? derived ?? text ?? summary
    }
}

extension YAMLValue {
    fileprivate var text: String? { if case .text(let text, _) = self { text } else { nil } }

    fileprivate var entries: [(key: Located<String>, value: YAMLValue)] {
        if case .mapping(let entries, _) = self { entries } else { [] }
    }

    fileprivate subscript(key: String) -> YAMLValue? { entries.first { $0.key.value == key }?.value }
}
