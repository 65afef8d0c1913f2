/// Every parameter is used by a challenge or a step.
///
/// Not an inherited one: an override may well do without it, and cannot take it away.
enum UnusedParameters {
    static func check(_ method: ResolvedMethod, _ provenance: Provenance, into diagnostics: inout DiagnosticCollector) {
        let used = Set(method.templates.flatMap(\.pieces).compactMap(\.parameterName))
        for field in method.parameters.fields
        where !used.contains(field.name.value) && !provenance.isInherited(field.name.location) {
            diagnostics.report(
                .unusedParameter, "the parameter '\(field.name.value)' is used by no challenge and no step", at: field.name.span)
        }
    }
}

extension ResolvedMethod {
    /// All templates of its challenges and steps.
    fileprivate var templates: [ResolvedTemplate] {
        let fields = challenges.flatMap(\.fields).flatMap { [$0.name] + [$0.match.template].compactMap(\.self) }
        let schemes = challenges.flatMap(\.schemes).flatMap(\.parameters).compactMap(\.match.template)
        let steps = (authenticate + afterResend).flatMap { step -> [ResolvedTemplate] in
            guard case .present(let present) = step else { return [] }
            return [present.url, present.finish]
        }
        return fields + schemes + steps
    }
}

extension ResolvedChallenge.Match {
    /// What the value is compared with.
    var template: ResolvedTemplate? {
        switch self {
        case .present: nil
        case .equals(let template), .prefix(let template), .contains(let template): template
        }
    }
}

extension ResolvedTemplate.Piece {
    fileprivate var parameterName: String? {
        guard case .parameter(let name, _) = self else { return nil }
        return name
    }
}
