import CountersignSpec

extension ParametersPlan {
    /// The struct with its initialisers.
    ///
    /// - Parameter mark: The name of the file's section; `nil` if the struct does not begin one.
    func view(mark: SwiftExpression?) -> View {
        View(
            "parameters",
            [
                "hasMark": .flag(mark != nil),
                "mark": .expression(mark ?? ""),
                "name": .text(name),
                "documentation": .comment(documentation.comment),
                "hasFields": .flag(!fields.isEmpty),
                "fields": .views(fields.map(\.view)),
                "choices": .views(choices.map(\.view)),
                "hasServer": .flag(server != nil),
                "server": .view(server?.view ?? View("absent", [:])),
                "conformances": .expression(
                    .conformances(
                        comparison.conformances + (fromConfiguration?.conformances ?? []).map { .text($0) }
                            + (redaction == nil ? [] : ["ReducedDescription"]))),
                "initialisers": .views(initialisers.map(\.view)),
                "isMadeFromSettings": .flag(fromSettings != nil),
                "fromSettings": .view(fromSettings?.view ?? View("absent", [:])),
                "isMadeFromConfiguration": .flag(fromConfiguration != nil),
                "fromConfiguration": .view(fromConfiguration?.view(hasServer: server != nil) ?? View("absent", [:])),
                "hasSecrets": .flag(redaction != nil),
                "redaction": .view(redaction?.view ?? View("absent", [:])),
            ])
    }
}

extension ParametersPlan.Comparison {
    fileprivate var conformances: [SwiftExpression] {
        switch self {
        case .none: ["Sendable"]
        case .equatable: ["Sendable", "Equatable"]
        case .hashable: ["Sendable", "Hashable"]
        }
    }
}

extension ParametersPlan.Server {
    fileprivate var view: View { View("server", ["field": .text(field), "documentation": .comment(documentation.comment)]) }
}

extension ParametersPlan.FieldPlan {
    fileprivate var view: View {
        View("field", ["name": .text(name), "type": .expression(type), "documentation": .comment(documentation.comment)])
    }
}

extension ChoicePlan {
    fileprivate var view: View {
        View(
            "choice",
            [
                "name": .text(name), "documentation": .comment(documentation.comment),
                "values": .views(values.map(\.view)),
            ])
    }
}

extension ChoicePlan.Value {
    fileprivate var view: View {
        View(
            "value", ["name": .text(name), "documentation": .comment(documentation.comment), "rawValue": .text(rawValue)])
    }
}

extension ParametersPlan.FromSettings {
    fileprivate var view: View {
        View(
            "fromSettings",
            [
                "documentation": .comment(documentation.comment),
                "parameters": .expression(
                    .parameterList(parameters), indentation: 4, after: 12 + 10),
                "effects": .expression(isThrowing ? " throws" : ""),
                "call": .expression(call, indentation: 8),
            ])
    }
}

extension ParametersPlan.Initialiser {
    fileprivate var view: View {
        View(
            "initialiser",
            [
                "documentation": .comment(documentation.comment),
                "parameters": .expression(.parameterList(parameters), indentation: 4, after: 12 + 10),
                "effects": .expression(checks.isEmpty ? "" : " throws"),
                "checks": .views(
                    checks.map { View("check", ["condition": .expression($0.condition), "error": .expression($0.error)]) }),
                "assignments": .views(
                    assignments.map { View("assignment", ["name": .text($0.name), "value": .expression($0.value)]) }),
            ])
    }
}

extension ParametersPlan.FromConfiguration {
    fileprivate func view(hasServer: Bool) -> View {
        View(
            "fromConfiguration",
            [
                "documentation": .comment(documentation.comment),
                "usesSettings": .flag(settingsType != nil),
                "hasServer": .flag(settingsType != nil && hasServer),
                "settingsType": .expression(settingsType.map(SwiftExpression.text) ?? ""),
                "call": .expression(call, indentation: 8),
            ])
    }
}

extension ParametersPlan.Redaction {
    fileprivate var view: View {
        View("redaction", ["visibleParts": .expression(visibleParts, indentation: 4, after: 59)])
    }
}

extension SwiftExpression {
    /// Returns `: First, Second`, which follows the name of a type; empty without protocols.
    static func conformances(_ protocols: [SwiftExpression]) -> SwiftExpression {
        protocols.isEmpty ? "" : .sequence([": "] + protocols.map { [$0] }.joined(separator: [", "]))
    }

    /// Returns the superclass and the protocol of a generated observer.
    ///
    /// - Parameter protocol: The landscape's name of the observer protocol. It is omitted if it is the runtime's, to which the
    ///   superclass conforms.
    static func observer(_ base: SwiftExpression, _ protocol: SwiftTypeName) -> SwiftExpression {
        let isOwn = `protocol`.source != ResolvedLandscape.SurfaceNames().observing
        return conformances([base] + (isOwn ? [.text(`protocol`)] : []))
    }
}
