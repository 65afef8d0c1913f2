import ArgumentParser
import Countersign
import CountersignDynamic
import CountersignSpec
import Foundation

/// Explains a method, in words and as a drawing, or a message code, with an example.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explains what a method does, or what a message code means.",
        discussion: """
            For a method: the challenges that it answers, its steps, the credential of requests, and the servers to which each \
            secret can go. For the code of a message about a spec, such as CS0201: the rule, an incorrect and a corrected example, \
            and what to do. Without arguments, lists the methods of the landscapes that come with the command. Reads only specs \
            and sends no request.

            Examples:
              countersign explain
              countersign explain --landscape OAuth AuthorizationCode
              countersign explain --landscape CAS CASPassword --json
              countersign explain CS0201
            """)

    @Option(
        help: ArgumentHelp("A landscape that comes with the command.", valueName: "name"),
        completion: .list(ShippedLandscapes.names))
    var landscape: String?

    @Option(help: ArgumentHelp("A folder with the specs of a landscape.", valueName: "folder"), completion: .directory)
    var spec: String?

    @OptionGroup var choice: MethodOptions

    @Flag(help: "Write where the secrets of a method can go to the standard output as JSON.")
    var json = false

    @Argument(
        help: "The method, optional if the landscape has only one; or the code of a message.",
        completion: .list(DiagnosticCode.allCases.map(\.rawValue)))
    var method: String?

    func validate() throws {
        guard landscape == nil || spec == nil else {
            throw ValidationError("'--landscape' and '--spec' exclude each other: give only one of them.")
        }
        guard choice.base == nil || spec != nil else { throw ValidationError("'--base' belongs to '--spec'.") }
    }

    func run() throws { try run(console: .standard) }

    func run(console: Console) throws {
        do {
            if !json, landscape == nil, spec == nil, let method, let code = try MessageCodeArgument.code(method) {
                return try show(code, on: console)
            }
            if !json, landscape == nil, spec == nil, method == nil, choice.variant == nil { return try list(on: console) }
            let found = try found()
            let variant = try found.method.variant(named: choice.variant ?? found.method.variants.first?.name)
            let explanation = MethodExplanation(found.method, variant, of: found.landscape)
            if json { return try console.print(explanation.json()) }
            try console.print(explanation.lines().map(VisibleText.escaped).joined(separator: "\n"))
        } catch let exit as ExitCode {
            throw exit
        } catch {
            try ClientFailure(error, namingMethodsBy: "the argument 'method'").end(on: console, json: json)
        }
    }

    private func show(_ code: DiagnosticCode, on console: Console) throws {
        guard let example = MessageExample.of(code) else {
            return try console.print("\(code.rawValue): \(code.explanation)")
        }
        let lines = try MessageDescription(example, width: MessagePages.width).lines(width: 80)
        try console.print(lines.map(VisibleText.escaped).joined(separator: "\n"))
    }

    /// Writes a line for each method of the landscapes that come with the command.
    private func list(on console: Console) throws {
        for (landscape, method) in try Self.shipped() {
            let summary = method.resolved.documentation.summary.replacing("\n", with: " ")
            for line in LineBreaking.lines("\(landscape.name).\(method.name): \(summary)", width: 80) { try console.print(line) }
        }
    }

    /// Returns the methods of the landscapes that come with the command.
    private static func shipped() throws -> [(landscape: DynamicLandscape, method: DynamicMethod)] {
        try ShippedLandscapes.names.map(ShippedLandscapes.landscape(named:)).flatMap { landscape in
            landscape.methods.map { (landscape: landscape, method: $0) }
        }
    }

    /// Returns the named method. Without a landscape, all landscapes that come with the command are searched.
    private func found() throws -> (landscape: DynamicLandscape, method: DynamicMethod) {
        if let spec {
            let landscape = try ShippedLandscapes.landscape(in: spec, extending: choice.base)
            return (landscape, try landscape.method(named: method))
        }
        if let landscape {
            let landscape = try ShippedLandscapes.landscape(named: landscape)
            return (landscape, try landscape.method(named: method))
        }
        let all = try Self.shipped()
        guard let method else {
            throw CommandProblem(
                "No method was named.", remedy: "'countersign explain' lists the methods.", exit: CommandExit.usage)
        }
        let matches = all.filter { $0.method.name == method || "\($0.landscape.name).\($0.method.name)" == method }
        guard matches.count == 1 else {
            if matches.isEmpty {
                if let landscape = ShippedLandscapes.names.first(where: { $0.lowercased() == method.lowercased() }) {
                    let names = all.filter { $0.landscape.name == landscape }.map { "\(landscape).\($0.method.name)" }
                    throw CommandProblem(
                        "'\(method)' is a landscape, and not a method.", remedy: "Its methods: \(names.joined(separator: ", ")).",
                        exit: CommandExit.usage)
                }
                let names = all.flatMap { ["\($0.landscape.name).\($0.method.name)", $0.method.name] }
                let nearest = Suggestion.nearest(to: method, among: names).map { "Did you mean '\($0)'? " } ?? ""
                let isFolder = FileManager.default.fileExists(atPath: "\(method)/landscape.yaml")
                let folder = isFolder ? "For the specs of a folder: countersign explain --spec \(method.shellWord). " : ""
                throw CommandProblem(
                    "There is no method '\(method)'.", remedy: "\(folder)\(nearest)'countersign explain' lists the methods.",
                    exit: CommandExit.usage)
            }
            let names = matches.map { "\($0.landscape.name).\($0.method.name)" }.joined(separator: ", ")
            throw CommandProblem(
                "Several landscapes have a method '\(method)'.", remedy: "There are: \(names).", exit: CommandExit.usage)
        }
        return matches[0]
    }
}
