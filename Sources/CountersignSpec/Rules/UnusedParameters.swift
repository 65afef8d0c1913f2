/// Every parameter is used by a challenge or a step.
///
/// Not an inherited one: an override may well do without it, and cannot take it away.
enum UnusedParameters {
    static func check(_ method: ResolvedMethod, _ provenance: Provenance, into diagnostics: inout DiagnosticCollector) {
        for parameters in method.structs {
            let steps = method.steps(with: parameters)
            let templates = method.challengeTemplates + steps.flatMap(\.templates)
            let used = Set(templates.flatMap(\.pieces).compactMap(\.parameterName) + steps.compactMap(\.handlerName))
                .union(method.handedOver(of: parameters))
            for field in parameters.fields
            where !used.contains(field.name.value) && !provenance.isInherited(field.name.location) {
                diagnostics.report(
                    .unusedParameter, "the parameter '\(field.name.value)' is used by no challenge and no step",
                    at: field.name.span)
            }
        }
    }

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

extension ResolvedMethod {
    /// All steps.
    var steps: [ResolvedStep] { authenticate + afterResend + grants.flatMap { $0.authenticate + $0.refresh } }

    /// All parameter structs, each once.
    public var structs: [ResolvedParameters] {
        var names: Set<String> = []
        let all = grants.isEmpty ? [parameters].compactMap(\.self) : grants.map(\.parameters)
        return all.filter { names.insert($0.name.value).inserted }
    }

    /// The steps that are run with a struct.
    fileprivate func steps(with parameters: ResolvedParameters) -> [ResolvedStep] {
        if grants.isEmpty { return steps }
        return grants.filter { $0.parameters.name.value == parameters.name.value }.flatMap { $0.authenticate + $0.refresh }
    }

    /// The fields of a struct that the grant that takes over is run with.
    fileprivate func handedOver(of parameters: ResolvedParameters) -> [String] {
        let followers = grants.filter { $0.parameters.name.value == parameters.name.value }.compactMap { grant in
            grant.next.flatMap { next in grants.first { $0.name.value == next.value } }
        }
        return followers.flatMap(\.parameters.fields).map(\.name.value)
    }

    /// All templates of its challenges.
    fileprivate var challengeTemplates: [ResolvedTemplate] {
        let fields = challenges.flatMap(\.fields).flatMap { [$0.name] + [$0.match.template].compactMap(\.self) }
        let schemes = challenges.flatMap(\.schemes).flatMap(\.parameters).compactMap(\.match.template)
        return fields + schemes
    }
}

extension ResolvedStep {
    /// All templates.
    var templates: [ResolvedTemplate] {
        switch self {
        case .generate, .fail, .load, .ask, .store, .delete, .again, .againIfStored: []
        case .present(let step):
            step.alternatives.flatMap { [$0.url] + ($0.query ?? []).map(\.value) } + [step.url, step.finish]
                + step.query.map(\.value) + (step.redirect?.verify.map(\.value) ?? [])
        case .request(let step):
            [step.url] + step.form.map(\.value) + [step.client?.id, step.client?.secret].compactMap(\.self)
        }
    }

    /// The field whose function changes a request.
    fileprivate var handlerName: String? {
        guard case .request(let step) = self else { return nil }
        return step.prepare?.value
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
