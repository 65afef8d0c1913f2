extension MethodFilePlan {
    /// Whether the file uses what the surface has for generated code alone.
    fileprivate var usesFoundationInterface: Bool {
        switch method {
        case .cookies: false
        case .token, .credential: true
        }
    }
}

extension FilePlan {
    /// The comment and the imports at the top of the file.
    var headerView: View {
        switch content {
        case .nothing: header(imports: [], usesFoundation: false, usesFoundationNetworking: false)
        case .landscape(let plan):
            header(
                imports: [
                    importView("@_exported @_spi(Generated) public ", "Countersign"),
                    importView("@_exported public ", "CountersignFoundation"),
                ] + plan.imports.map { importView("@_exported public ", .text($0)) },
                usesFoundation: plan.usesFoundation, usesFoundationNetworking: false)
        case .method(let plan):
            // A re-export, as in the landscape's file: which module a name of the spec comes from is not known here, and of a public
            // import that is not used the compiler warns.
            header(
                imports: [
                    importView("@_spi(Generated) public ", "Countersign"),
                    importView(plan.usesFoundationInterface ? "@_spi(Generated) public " : "public ", "CountersignFoundation"),
                ]
                    + plan.imports.map { importView("@_exported public ", .text($0)) },
                usesFoundation: plan.usesFoundation, usesFoundationNetworking: true)
        case .discovery(let plan):
            header(
                imports: [
                    importView("@_spi(Generated) public ", "Countersign"), importView("public ", "CountersignFoundation"),
                ] + plan.imports.map { importView("@_exported public ", .text($0)) },
                usesFoundation: true, usesFoundationNetworking: false)
        }
    }

    private func header(imports: [View], usesFoundation: Bool, usesFoundationNetworking: Bool) -> View {
        View(
            "header",
            [
                "comment": .comment(header),
                "hasImports": .flag(!imports.isEmpty),
                "imports": .views(imports),
                "usesFoundation": .flag(usesFoundation),
                "usesFoundationNetworking": .flag(usesFoundationNetworking),
                "needsFoundationElsewhere": .flag(!usesFoundation),
            ])
    }

    private func importView(_ attributes: SwiftExpression, _ module: SwiftExpression) -> View {
        View("import", ["attributes": .expression(attributes), "module": .expression(module)])
    }
}
