extension OperationPlan {
    /// The versions and the methods.
    var view: View {
        let inputs = inputs.map { input -> SwiftExpression in "\(input.name): \(input.type)" }
        return View(
            "operation",
            [
                "name": .text(name),
                "versionType": .text(versionType),
                "session": .text(session),
                "usual": .expression(versions.first.map { ".\($0.name)" } ?? ""),
                "inputs": .expression(.inOneLine(inputs)),
                "operationInputs": .expression(.inOneLine(inputs.map { "_ \($0)" })),
                "call": .expression(call),
                "hasHandler": .flag(hasHandler),
                "isForwarded": .flag(results == nil && tools.isEmpty),
                "forwarded": .expression(.inOneLine(self.inputs.map { "\($0.name): \($0.name)" } + ["version: version"])),
                "hasResults": .flag(results != nil),
                "results": .view(results?.view ?? View("absent", [:])),
                "typeDocumentation": .comment(typeDocumentation.comment),
                "operationDocumentation": .comment(operationDocumentation.comment),
                "methodDocumentation": .comment(methodDocumentation.comment),
                "handlerDocumentation": .comment(handlerDocumentation.comment),
                "versions": .views(versions.map(\.view)),
            ])
    }

    /// The sections of a file: the versions and the methods, then the structs.
    var sections: [(String, View)] {
        [("Operation", view)] + [parameters, results?.type].compactMap(\.self).map { ("Parameters", $0.view(mark: nil)) }
    }

    /// The arguments of the session's `perform`.
    private var call: SwiftExpression {
        let operation: SwiftExpression = .sequence(["version.operation(", .inOneLine(inputs.map { .text($0.name) }), ")"])
        return tools.isEmpty ? operation : .sequence([operation, ", with: ProgramTools(", tools.arguments, ")"])
    }
}

extension OperationPlan.Results {
    fileprivate var view: View {
        View("results", ["type": .text(type.name), "initialisation": .expression(initialisation, indentation: 8)])
    }
}

extension OperationPlan.Version {
    fileprivate var view: View {
        View(
            "version",
            [
                "name": .text(name), "documentation": .comment(documentation.comment),
                "operation": .expression(operation, indentation: 12),
            ])
    }
}

extension SwiftExpression {
    /// Parameters or arguments of a call, without its parentheses.
    fileprivate static func inOneLine(_ parts: [SwiftExpression]) -> SwiftExpression {
        .sequence(parts.map { [$0] }.joined(separator: [", "]).map { $0 })
    }
}
