/// In version 2, every parameter, every value of a challenge and every field of the credential is used.
enum UnusedProgramValues {
    static func check(_ program: ResolvedProgram, into diagnostics: inout DiagnosticCollector) {
        let used = Set(program.templates.flatMap(\.slots) + program.credential.destinations)
        let attached = Set(program.attach.flatMap(\.templates).flatMap(\.slots))
        for (number, slot) in program.slots.enumerated() {
            let name = slot.name.value
            switch slot.source {
            case .parameter where !used.contains(number):
                diagnostics.report(.unusedParameter, "the parameter '\(name)' is used by nothing", at: slot.name.span)
            // A prompt shows all that the challenge says.
            case .challenge where !used.contains(number) && program.prompts.isEmpty:
                diagnostics.report(.unusedCapture, "'\(name)' is captured and used by nothing", at: slot.name.span)
            case .credential where !attached.contains(number):
                diagnostics.report(
                    .unattachedField, "'\(name)' is in no request; name it under 'attach', or take it away", at: slot.name.span)
            case .parameter, .challenge, .credential: break
            }
        }
    }
}

extension ResolvedProgram {
    fileprivate var templates: [Template] {
        let conditions = challenges.flatMap { $0.headers + ($0.scheme?.parameters ?? []) }
        return conditions.compactMap(\.match.template) + credential.fields.compactMap(\.value) + credential.separators
            + attach.flatMap(\.templates)
    }
}

extension ResolvedProgram.Placement {
    fileprivate var templates: [ResolvedProgram.Template] {
        switch self {
        case .header(_, let value): [value]
        case .basic(let user, let password): [user, password]
        }
    }
}

extension ResolvedProgram.Condition.Match {
    fileprivate var template: ResolvedProgram.Template? {
        switch self {
        case .present: nil
        case .equals(let template), .prefix(let template), .contains(let template): template
        }
    }
}
