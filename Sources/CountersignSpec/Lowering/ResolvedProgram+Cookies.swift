extension ResolvedProgram {
    /// The program of a method of version 1 whose login leaves its credential in the session's cookies.
    ///
    /// Its slots are what its pages and challenges need of the parameters: a field as a text or an address, or an address that is made of
    /// several.
    init(loweringCookies method: ResolvedMethod) {
        var slots = LoweredSlots()
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
            name: method.name, stem: method.stem, documentation: method.documentation, parameters: [], slots: slots.all,
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

/// Slots for what texts and addresses of version 1 need of the parameters, each once.
private struct LoweredSlots {
    private(set) var all: [ResolvedProgram.Slot] = []

    /// An address: always a slot, which the generated code fills.
    mutating func url(_ template: ResolvedTemplate, isOptional: Bool = false) -> ResolvedProgram.Template {
        ResolvedProgram.Template(pieces: [.slot(slot(isOptional ? .optionalURL(template) : .url(template)))])
    }

    mutating func text(_ template: ResolvedTemplate) -> ResolvedProgram.Template {
        ResolvedProgram.Template(
            pieces: template.pieces.map { piece in
                if case .text(let text) = piece { return .text(text) }
                var part = template
                part.pieces = [piece]
                part.text = piece.spelling
                return .slot(slot(.text(part)))
            })
    }

    private mutating func slot(_ filling: ResolvedProgram.Filling) -> Int {
        if let known = all.firstIndex(where: { $0.filling?.isSame(as: filling) == true }) { return known }
        let template = filling.template
        let isSecret = template.pieces.contains(where: \.isSecret)
        all.append(
            ResolvedProgram.Slot(
                name: Located(template.slotName, at: template.location), source: .parameter, isSecret: isSecret, filling: filling))
        return all.count - 1
    }
}

extension ResolvedProgram.Filling {
    /// What it is made of.
    public var template: ResolvedTemplate {
        switch self {
        case .text(let template), .url(let template), .optionalURL(let template): template
        }
    }

    /// Whether both give the same value, wherever they stand.
    fileprivate func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.text(let left), .text(let right)), (.url(let left), .url(let right)),
            (.optionalURL(let left), .optionalURL(let right)):
            left.pieces == right.pieces
        default: false
        }
    }
}

extension ResolvedTemplate {
    /// The name of a slot with its value: a field's, or the text as it was written.
    fileprivate var slotName: String {
        if pieces.count == 1, case .parameter(let name, _) = pieces[0] { name } else { text }
    }
}

extension ResolvedTemplate.Piece {
    fileprivate var spelling: String {
        switch self {
        case .text(let text): text
        case .parameter(let name, _): "{\(name)}"
        case .settings(let name, _): "{settings.\(name)}"
        case .slot: ""
        }
    }
}
