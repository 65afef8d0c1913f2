extension ParametersPlan {
    /// The struct with its initialisers.
    ///
    /// - Parameter mark: What the section of the file is called.
    func view(mark: SwiftExpression) -> View {
        View(
            "parameters",
            [
                "mark": .expression(mark),
                "name": .text(name),
                "documentation": .comment(documentation.comment),
                "hasFields": .flag(!fields.isEmpty),
                "fields": .views(fields.map(\.view)),
                "initialiser": .view(
                    View(
                        "initialiser",
                        [
                            "documentation": .comment(initialiserDocumentation.comment),
                            "parameters": .expression(.parameterList(initialiserParameters), indentation: 4, after: 12),
                        ])),
                "isMadeFromSettings": .flag(fromSettings != nil),
                "fromSettings": .view(fromSettings?.view ?? View("absent", [:])),
                "fromConfiguration": .view(fromConfiguration.view),
                "hasSecrets": .flag(redaction != nil),
                "redaction": .view(redaction?.view ?? View("absent", [:])),
            ])
    }
}

extension ParametersPlan.FieldPlan {
    fileprivate var view: View {
        View("field", ["name": .text(name), "type": .expression(type), "documentation": .comment(documentation.comment)])
    }
}

extension ParametersPlan.FromSettings {
    fileprivate var view: View {
        View(
            "fromSettings",
            [
                "documentation": .comment(documentation.comment),
                "settingsType": .text(settingsType),
                "call": .expression(call, indentation: 8),
            ])
    }
}

extension ParametersPlan.FromConfiguration {
    fileprivate var view: View {
        View(
            "fromConfiguration",
            [
                "documentation": .comment(documentation.comment),
                "conformances": .expression(.conformances(conformances)),
                "usesSettings": .flag(settingsType != nil),
                "settingsType": .expression(settingsType.map(SwiftExpression.text) ?? ""),
                "call": .expression(call, indentation: 8),
            ])
    }
}

extension ParametersPlan.Redaction {
    fileprivate var view: View {
        View(
            "redaction",
            [
                "description": .expression(description, indentation: 8),
                "mirror": .expression(mirror, indentation: 8),
            ])
    }
}

extension SwiftExpression {
    /// `: First, Second` behind the name of a type, or nothing.
    static func conformances(_ protocols: [SwiftTypeName]) -> SwiftExpression {
        protocols.isEmpty ? "" : .sequence([": "] + protocols.map { [.text($0)] }.joined(separator: [", "]))
    }
}
