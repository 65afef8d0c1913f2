/// The rule that every parameter, every value of a challenge and every field of the credential is used.
enum UnusedProgramValues {
    /// The slots to which any part of a program refers.
    static func named(by program: ResolvedProgram) -> Set<Int> {
        let named: [[Int]] = [
            program.templates.flatMap(\.slots), program.credential.destinations, program.credential.recipients, program.origins,
            program.pages.compactMap(\.redirect), program.steps.flatMap(\.requirements).map(\.slot),
            program.steps.flatMap(\.wholeSlots), program.calls.compactMap(\.pins),
            program.challenges.flatMap(\.conditions).map(\.slot), program.tokenCalls.compactMap(\.preparation),
        ]
        return Set(named.joined())
    }

    /// - Parameter handedOver: The parameters that are passed on to the variant that takes over.
    static func check(
        _ program: ResolvedProgram, _ provenance: Provenance, handingOver handedOver: Set<String> = [],
        into diagnostics: inout DiagnosticCollector
    ) {
        let used = named(by: program)
        let sent: [[ResolvedProgram.Template]] = [
            program.attach.flatMap(\.templates), program.calls.flatMap(\.templates), program.functions.flatMap(\.templates),
            program.pages.flatMap(\.templates), program.tokenCalls.flatMap(\.templates),
            program.verifications.flatMap(\.templates),
        ]
        let token = [program.credential.token?.access, program.credential.token?.refresh]
        let attached = Set(
            sent.joined().flatMap(\.slots) + ([program.credential.lifetime, program.credential.cookies] + token).compactMap(\.self)
                + program.credential.fields.filter(\.isForStore).map(\.slot) + program.credential.recipients)
        let durations = Set(program.calls.flatMap(\.captures).filter(\.kind.isDuration).map(\.slot))
        for (number, slot) in program.slots.enumerated() {
            let name = slot.name.value
            // Inherited values are exempt, since an override may not need them.
            guard !provenance.isInherited(slot.name.location) else { continue }
            switch slot.source {
            case .parameter where !used.contains(number) && !handedOver.contains(name):
                diagnostics.report(.unusedParameter, "the parameter '\(name)' is not used", at: slot.name.span)
            // A prompt shows all values of the challenge, so they are used.
            case .challenge where !used.contains(number) && program.prompts.isEmpty:
                diagnostics.report(.unusedCapture, "'\(name)' is captured but not used", at: slot.name.span)
            case .credential where !attached.contains(number) && !program.credential.isForApplication:
                diagnostics.report(
                    .unattachedField,
                    durations.contains(number)
                        ? "'\(name)' is not used; refer to it under 'expires', or remove it"
                        : "'\(name)' is not in any request; refer to it under 'attach', write 'place: store' if only the "
                            + "application reads it, or remove it",
                    at: slot.name.span)
            // Unused values of steps are reported by `ProgramFilling`.
            case .parameter, .challenge, .credential, .step: break
            }
        }
    }
}

extension ResolvedProgram {
    fileprivate var templates: [Template] {
        let parts: [[Template]] = [
            challenges.flatMap(\.templates), credential.fields.compactMap(\.value), credential.separators,
            announcements.flatMap { [$0.name, $0.value] },
            calls.flatMap(\.templates), pages.flatMap(\.templates), functions.flatMap(\.templates), attach.flatMap(\.templates),
            tokenCalls.flatMap(\.templates), verifications.flatMap(\.templates),
        ]
        return Array(parts.joined())
    }

    /// The slots of the parameters with the origins to which a captured URL may lead.
    fileprivate var origins: [Int] {
        (challenges.flatMap(\.captures) + calls.flatMap(\.captures)).flatMap { capture -> [Int] in
            guard case .url(let places, _) = capture.kind else { return [] }
            return places.compactMap { place in
                if case .slot(let slot) = place { slot } else { nil }
            }
        }
    }
}

extension ResolvedProgram.Challenge {
    fileprivate var templates: [ResolvedProgram.Template] {
        let conditions =
            headers + schemes.flatMap(\.parameters) + json + xml + (cookies ?? []) + query + captures.flatMap(\.items)
        return conditions.flatMap(\.templates) + [text?.template].compactMap(\.self)
            + captures.compactMap(\.source.template)
    }
}

extension ResolvedProgram.Call {
    /// The templates in the request.
    var templates: [ResolvedProgram.Template] {
        var templates = [url]
        for member in query + headers { templates += [member.name, member.value] }
        if let login { templates += [login.user, login.password] }
        if let identity { templates.append(ResolvedProgram.Template(pieces: [.slot(identity)])) }
        templates += signature?.templates ?? []
        templates += proof?.templates ?? []
        templates += client?.templates ?? []
        templates += body?.templates ?? []
        return templates + answers.flatMap(\.pattern.templates)
    }

    fileprivate var captures: [ResolvedProgram.Capture] { answers.flatMap(\.pattern.captures) }
}

extension ResolvedProgram.TokenCall {
    /// The templates in the token request.
    var templates: [ResolvedProgram.Template] { [url] + form.flatMap { [$0.name, $0.value] } + (client?.templates ?? []) }
}

extension ResolvedSurfaceMethod {
    /// Returns the names of the parameters of the grant that takes over from a program; empty if there is none.
    func handedOver(by program: ResolvedProgram) -> Set<String> {
        guard let grant = grants.first(where: { $0.name.value == program.grant }),
            let next = grant.next.flatMap({ name in grants.first { $0.name.value == name.value } })
        else { return [] }
        return Set(next.parameters.fields.map(\.name.value))
    }
}

extension ResolvedProgram.Client {
    fileprivate var templates: [ResolvedProgram.Template] {
        [identifier] + [secret, authentication, key, keyIdentifier, audience].compactMap(\.self)
    }
}

extension ResolvedProgram.Page {
    fileprivate var templates: [ResolvedProgram.Template] {
        [url] + [verifier, address, code?.text, code?.complete].compactMap(\.self) + alternatives.map(\.url)
            + (query + form + verify + agreed + alternatives.flatMap { $0.query ?? [] }).flatMap { [$0.name, $0.value] }
            + answers.flatMap(\.pattern.templates)
            + (push.map { [$0.url] + $0.client.templates + ($0.proof?.templates ?? []) } ?? [])
    }
}

extension ResolvedProgram.Placement {
    /// The templates in the placement.
    var templates: [ResolvedProgram.Template] {
        switch self {
        case .header(let name, let value, _), .query(let name, let value, _), .form(let name, let value): [name, value]
        case .json(let name, let json): [name] + json.templates
        case .basic(let user, let password), .digest(let user, let password): [user, password]
        case .signature(let signature): signature.templates
        case .connection(let slot): [ResolvedProgram.Template(pieces: [.slot(slot)])]
        case .messageSignature(let signature): signature.templates
        case .proof(let proof): proof.templates
        case .negotiate(let negotiation): negotiation.templates
        case .computed(let functions, let headers, let query):
            functions.flatMap(\.templates) + (headers + query).flatMap { [$0.name, $0.value] }
        }
    }
}

extension ResolvedProgram.Condition {
    /// The templates in the condition.
    var templates: [ResolvedProgram.Template] { [name] + [match.template].compactMap(\.self) }
}

extension ResolvedProgram.Condition.Match {
    fileprivate var template: ResolvedProgram.Template? {
        switch self {
        case .present, .absent: nil
        case .equals(let template), .prefix(let template), .contains(let template), .anyCase(let template): template
        }
    }
}

extension ResolvedProgram.Capture.Source {
    fileprivate var template: ResolvedProgram.Template? { if case .input(let name) = self { name } else { nil } }
}
