/// The origins to which the requests of a method are limited.
struct RequestOrigins {
    private typealias Origin = SecretDestinations.Origin

    private let program: ResolvedProgram

    init(_ program: ResolvedProgram) { self.program = program }

    /// Returns the origins that a URL can have, each once.
    func of(_ url: ResolvedProgram.Template) -> [SecretDestinations.Origin] {
        let origins = unique(self.origins(of: url, []))
        // Values that only refer to each other limit nothing.
        return origins.isEmpty ? [.anywhere("")] : origins
    }

    /// The origins whose requests carry the credential, each once.
    var ofCredential: [SecretDestinations.Origin] {
        let credential = program.credential
        if credential.isSessionCookies { return [.ofCookies] }
        return unique(
            credential.destinations.flatMap { origins(of: $0, []) } + (credential.isForRequested ? [.requested] : [])
                + credential.recipients.flatMap { origins(of: $0, []) })
    }

    private func unique(_ origins: [Origin]) -> [Origin] {
        origins.reduce(into: []) { unique, origin in
            if !unique.contains(origin) { unique.append(origin) }
        }
    }

    /// - Parameter seen: The slots that led to the URL, which are not followed again.
    private func origins(of url: ResolvedProgram.Template, _ seen: Set<Int>) -> [Origin] {
        switch url.pieces.first {
        case .text(let text)?: [.literal(text.origin)]
        case .slot(let slot)?: origins(of: slot, seen)
        case .requestOrigin?: [.challenging]
        case .request?, .computed?, nil: [.anywhere("")]
        }
    }

    private func origins(of slot: Int, _ seen: Set<Int>) -> [Origin] {
        guard !seen.contains(slot) else { return [] }
        let seen = seen.union([slot])
        guard program.slots[slot].source != .parameter else { return self.origins(ofParameter: slot, seen) }
        var found: [[Origin]] = []
        if let field = program.fieldsBefore.first(where: { $0.slot == slot })?.field { found.append(origins(of: field, seen)) }
        for field in program.credential.fields where field.slot == slot {
            if let value = field.value { found.append(origins(of: value, seen)) }
        }
        for capture in program.challenges.flatMap(\.captures) where capture.slot == slot {
            found.append(origins(of: capture, seen) { _ in [.challenging] })
        }
        for step in program.steps { found += origins(of: slot, filledBy: step.action, seen) }
        return found.isEmpty ? [anywhere(slot)] : found.flatMap(\.self)
    }

    /// Returns the origins of a URL, for each time that a step sets it; empty for other steps.
    private func origins(of slot: Int, filledBy action: ResolvedProgram.Step.Action, _ seen: Set<Int>) -> [[Origin]] {
        switch action {
        case .http(let call):
            return call.answers.flatMap(\.pattern.captures).filter { $0.slot == slot }.map { capture in
                origins(of: capture, seen) { origins(of: call.url, $0) }
            }
        case .document(let document):
            return document.content.captures.filter { $0.slot == slot }.map { capture in
                origins(of: capture, seen) { seen in document.places.flatMap { origins(of: $0.url, seen) } }
            }
        case .present(let page):
            return page.answers.flatMap(\.pattern.captures).contains { $0.slot == slot } ? [[anywhere(slot)]] : []
        case .verify(let verification):
            return verification.captures.contains { $0.slot == slot } ? [[anywhere(slot)]] : []
        case .compute(let computed, let function):
            guard computed == slot else { return [] }
            if case .value(let other) = function { return [origins(of: other, seen)] }
            return [[anywhere(slot)]]
        case .prompt(let fields): return fields.contains { $0.slot == slot } ? [[anywhere(slot)]] : []
        case .ask(_, _, let answers, _): return answers == slot ? [[anywhere(slot)]] : []
        // The repeated steps are among those of the program.
        case .repeat, .token: return []
        }
    }

    private func anywhere(_ slot: Int) -> Origin { .anywhere(program.reference(slot)) }

    /// - Parameter response: Returns the origins of the response.
    private func origins(
        of capture: ResolvedProgram.Capture, _ seen: Set<Int>, from response: (Set<Int>) -> [Origin]
    ) -> [Origin] {
        guard case .url(let places, _) = capture.kind else { return [anywhere(capture.slot)] }
        let origins = places.flatMap { place -> [Origin] in
            switch place {
            case .response: response(seen)
            case .slot(let slot): self.origins(of: slot, seen)
            }
        }
        return origins + [capture.fallback].compactMap(\.self).map { Origin.literal($0.origin) }
    }

    private func origins(ofParameter slot: Int, _ seen: Set<Int>) -> [Origin] {
        let name = program.slots[slot].name.value
        switch program.slots[slot].filling {
        case .servers?: return program.requestURLs.flatMap { origins(of: $0, seen) }
        case let filling?:
            switch filling.template?.pieces.first {
            case .text(let text)?: return [.literal(text.origin)]
            case .parameter(let name, _)?: return [.parameter(name)]
            case .settings(let name, _)?: return [.parameter("settings.\(name)")]
            case nil: return [.parameter(name)]
            }
        case nil: return [.parameter(name)]
        }
    }
}

extension String {
    /// The scheme, the host and the port of a URL.
    fileprivate var origin: String {
        guard let scheme = firstRange(of: "://") else { return self }
        return String(self[..<scheme.upperBound] + self[scheme.upperBound...].prefix { !"/?#".contains($0) })
    }
}
