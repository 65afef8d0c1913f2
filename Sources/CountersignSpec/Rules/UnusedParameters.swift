/// Every parameter of a discovery is used by a step.
///
/// Not an inherited one: an override may well do without it, and cannot take it away.
enum UnusedParameters {
    static func check(_ discovery: ResolvedDiscovery, _ provenance: Provenance, into diagnostics: inout DiagnosticCollector) {
        let templates = (discovery.obtain + discovery.retire).flatMap(\.templates)
        let used = Set(templates.flatMap(\.pieces).compactMap(\.parameterName) + [discovery.pins?.value].compactMap(\.self))
        for field in discovery.parameters.fields
        where !used.contains(field.name.value) && !provenance.isInherited(field.name.location) {
            diagnostics.report(.unusedParameter, "the parameter '\(field.name.value)' is used by no step", at: field.name.span)
        }
    }
}

extension ResolvedDiscoveryStep {
    /// All templates.
    var templates: [ResolvedTemplate] {
        switch action {
        case .call(let call): call.templates
        case .rounds(let rounds): rounds.call.templates
        case .key(let key): [key.named].compactMap(\.self)
        case .certificateRequest(let subject, let dns, let email): [subject, dns, email].compactMap(\.self)
        case .identity(let template): [template]
        }
    }
}

extension ResolvedCall {
    fileprivate var templates: [ResolvedTemplate] {
        switch body {
        case .nothing, .certificateRequest: [url]
        case .json(let values), .form(let values): [url] + values.map(\.value)
        }
    }
}

extension ResolvedTemplate.Piece {
    fileprivate var parameterName: String? {
        guard case .parameter(let name, _) = self else { return nil }
        return name
    }
}
