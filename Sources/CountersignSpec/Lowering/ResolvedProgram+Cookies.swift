extension ResolvedProgram {
    /// The program of a method of version 1 whose login leaves its credential in the session's cookies.
    ///
    /// Its slots are what its pages and challenges need of the parameters: a field as a text or an address, or an address that is made of
    /// several.
    init(loweringCookies method: ResolvedMethod) {
        var slots = LoweredSlots(at: method.name.location)
        let pages = method.authenticate.compactMap { step in
            if case .present(let present) = step { present } else { nil }
        }
        let acquire = pages.map { Step(conditions: [], action: .present(Page(lowering: $0, &slots))) }
        let challenges = method.challenges.map { challenge in Challenge(lowering: challenge) { slots.text($0) } }
        let dismissal = pages.first?.failures.first { $0.failure == .dismissed }?.errorCase
        let failures: [(failure: Failure, errorCase: Located<String>?)] = [
            (.cancelled, dismissal), (.invalidArgument, method.invalidArgument), (.busy, method.busy),
        ]
        self.init(
            name: method.name, stem: method.stem, documentation: method.documentation, title: method.title, parameters: [],
            slots: slots.all,
            challenges: challenges,
            credential: Credential(fields: [], separators: [], space: .servers, destinations: [], isSessionCookies: true),
            acquire: acquire, attach: [], rejections: Self.rejections(of: method), end: [], errors: method.errorTypes,
            failures: failures.compactMap { failure, errorCase in errorCase.map { (failure: failure, errorCase: $0) } })
    }
}

extension ResolvedProgram.Page {
    fileprivate init(lowering present: ResolvedPresent, _ slots: inout LoweredSlots) {
        self.init(
            url: slots.url(present.url),
            alternatives: present.alternatives.map {
                Alternative(url: slots.url($0.url, isOptional: true), isOnlyEmbedded: $0.isOnlyEmbedded)
            },
            end: .at(slots.url(present.finish), match: present.match), callback: present.callback,
            explanations: present.explanations, failures: present.failures)
    }
}
