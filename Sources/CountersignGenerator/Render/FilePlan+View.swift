extension FilePlan {
    /// The comment and the imports at the top of the file.
    var headerView: View {
        switch content {
        case .nothing: header(generated: [], own: [], usesFoundation: false, usesFoundationNetworking: false)
        case .landscape(let plan):
            header(
                generated: [
                    ("@_exported @_spi(Generated) public ", "Countersign"),
                    (Self.surface(for: plan.operations), "CountersignFoundation"),
                ] + modules(of: plan.operations.flatMap(\.tools)), own: plan.imports, usesFoundation: plan.usesFoundation,
                usesFoundationNetworking: false)
        case .method(let plan):
            header(
                generated: [
                    ("@_spi(Generated) public ", "Countersign"),
                    ("@_spi(Generated) public ", "CountersignFoundation"),
                ] + modules(of: plan.tools), own: plan.imports, usesFoundation: plan.usesFoundation,
                usesFoundationNetworking: plan.usesFoundationNetworking)
        case .programs(let plan):
            header(
                generated: [("@_exported @_spi(Generated) public ", "Countersign")]
                    + modules(of: plan.operations.flatMap(\.tools)), own: [], usesFoundation: false,
                usesFoundationNetworking: false, usesURL: plan.operations.contains(where: \.usesFoundation))
        case .program(let plan):
            header(
                generated: [("@_spi(Generated) public ", "Countersign")] + modules(of: plan.tools), own: [],
                usesFoundation: false, usesFoundationNetworking: false, usesURL: plan.usesURL)
        case .enrolment(let plan):
            header(
                generated: [
                    ("@_spi(Generated) public ", "Countersign"), ("public ", "CountersignFoundation"),
                    ("@_exported @_spi(Generated) public ", "CountersignIdentity"),
                ], own: plan.imports,
                usesFoundation: true, usesFoundationNetworking: false)
        }
    }

    /// Returns the attributes of the surface's import. Operations that need tools use its SPI for generated code.
    private static func surface(for operations: [OperationPlan]) -> SwiftExpression {
        operations.allSatisfy(\.tools.isEmpty) ? "@_exported public " : "@_exported @_spi(Generated) public "
    }

    /// Returns the imports of the modules that steps need.
    private func modules(of tools: [ProgramTool]) -> [(attributes: SwiftExpression, module: SwiftExpression)] {
        let modules = tools.map(\.module)
        return ProgramTool.Module.allCases.filter(modules.contains).map { ("@_spi(Generated) internal ", $0.expression) }
    }

    /// - Parameters:
    ///   - generated: The modules that generated code needs, with the attributes of their imports.
    ///   - own: The modules that the spec names. They are re-exported, as in the landscape's file, because it is unknown which of
    ///     them a name in the spec comes from, and the compiler warns about an unused public import.
    ///   - usesURL: Whether URLs and dates are all that the file needs from Foundation.
    private func header(
        generated: [(attributes: SwiftExpression, module: SwiftExpression)], own: [SwiftTypeName], usesFoundation: Bool,
        usesFoundationNetworking: Bool, usesURL: Bool = false
    ) -> View {
        var known = Set(generated.map(\.module.onOneLine))
        // A spec may name a module that is imported already, or name one twice.
        var imports = generated
        for module in own where known.insert(module.source).inserted {
            imports.append((attributes: "@_exported public ", module: .text(module)))
        }
        let hasFoundation = known.contains("Foundation")
        return View(
            "header",
            [
                "comment": .comment(header),
                "hasImports": .flag(!imports.isEmpty),
                "imports": .views(
                    imports.map {
                        View("import", ["attributes": .expression($0.attributes), "module": .expression($0.module)])
                    }),
                "usesFoundation": .flag(usesFoundation && !hasFoundation),
                "usesFoundationNetworking": .flag(usesFoundationNetworking),
                "usesURL": .flag(usesURL),
                "needsFoundationElsewhere": .flag(!usesFoundation && !hasFoundation),
            ])
    }
}
