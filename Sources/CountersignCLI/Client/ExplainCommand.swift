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
            For a method: the challenges that it answers, its steps, and the credential of requests. For the code of a message \
            about a spec, such as CS0201: the rule, a broken and a mended example, and what to do. Reads only specs and sends no \
            request.

            Examples:
              countersign explain --landscape OAuth AuthorizationCode
              countersign explain CS0201
            """)

    @Option(
        help: ArgumentHelp("A landscape that comes with the command.", valueName: "name"),
        completion: .list(ShippedLandscapes.names))
    var landscape: String?

    @Option(help: ArgumentHelp("A folder with the specs of a landscape.", valueName: "folder"), completion: .directory)
    var spec: String?

    @Option(help: ArgumentHelp("The variant of the method, if it has several.", valueName: "name"))
    var variant: String?

    @Argument(
        help: "The method, optional if the landscape has only one; or the code of a message.",
        completion: .list(DiagnosticCode.allCases.map(\.rawValue)))
    var method: String?

    func validate() throws {
        guard landscape == nil || spec == nil else {
            throw ValidationError("'--landscape' and '--spec' exclude each other: give only one of them.")
        }
    }

    func run() throws { try run(console: .standard) }

    func run(console: Console) throws {
        do {
            if landscape == nil, spec == nil, let method, let code = try MessageCodeArgument.code(method) {
                return try show(code, on: console)
            }
            let found = try found()
            let variant = try found.method.variant(named: self.variant ?? found.method.variants.first?.name)
            let text = MethodExplanation(found.method, variant, of: found.landscape).lines()
            try console.print(text.map(VisibleText.escaped).joined(separator: "\n"))
        } catch let exit as ExitCode {
            throw exit
        } catch {
            let failure = ClientFailure(error, namingMethodsBy: "the argument 'method'")
            failure.show(on: console)
            throw failure.exit
        }
    }

    private func show(_ code: DiagnosticCode, on console: Console) throws {
        guard let example = MessageExample.of(code) else {
            return try console.print("\(code.rawValue): \(code.explanation)")
        }
        let lines = try MessageDescription(example, width: MessagePages.width).lines(width: 80)
        try console.print(lines.map(VisibleText.escaped).joined(separator: "\n"))
    }

    /// Returns the named method. Without a landscape, all landscapes that come with the command are searched.
    private func found() throws -> (landscape: DynamicLandscape, method: DynamicMethod) {
        if let spec {
            let landscape = try ShippedLandscapes.landscape(in: spec, extending: nil)
            return (landscape, try landscape.method(named: method))
        }
        if let landscape {
            let landscape = try ShippedLandscapes.landscape(named: landscape)
            return (landscape, try landscape.method(named: method))
        }
        let landscapes = try ShippedLandscapes.names.map(ShippedLandscapes.landscape(named:))
        let all = landscapes.flatMap { landscape in landscape.methods.map { (landscape: landscape, method: $0) } }
        guard let method else {
            let names = all.map { "\($0.landscape.name).\($0.method.name)" }.joined(separator: ", ")
            throw CommandProblem("No method was named.", remedy: "There are: \(names).", exit: CommandExit.usage)
        }
        let matches = all.filter { $0.method.name == method || "\($0.landscape.name).\($0.method.name)" == method }
        guard matches.count == 1 else {
            let names = (matches.isEmpty ? all : matches).map { "\($0.landscape.name).\($0.method.name)" }.joined(separator: ", ")
            throw CommandProblem(
                matches.isEmpty
                    ? "There is no method '\(VisibleText.escaped(method))'." : "Several landscapes have a method '\(method)'.",
                remedy: "There are: \(names).", exit: CommandExit.usage)
        }
        return matches[0]
    }
}
