/// Slots for what texts and addresses of a discovery need of the parameters, and for what its steps leave, each once.
struct LoweredSlots {
    private(set) var all: [ResolvedProgram.Slot] = []
    /// Where the steps stand.
    private let location: SourceLocation

    init(at location: SourceLocation) { self.location = location }

    /// An address: always a slot, which the generated code fills.
    mutating func url(_ template: ResolvedTemplate) -> ResolvedProgram.Template {
        ResolvedProgram.Template(pieces: [.slot(slot(.url(template)))])
    }

    /// A text that is absent where a value of it is.
    mutating func text(_ template: ResolvedTemplate) -> ResolvedProgram.Template {
        pieces(of: template) { .text($0) }
    }

    /// A text that is sent or expected: of one value, absent where that is; of several, always there.
    mutating func member(_ template: ResolvedTemplate) -> ResolvedProgram.Template {
        template.pieces.count == 1 ? text(template) : pieces(of: template) { .part($0) }
    }

    /// A text of which each part is made by itself.
    mutating func pieces(
        of template: ResolvedTemplate, _ filling: (ResolvedTemplate) -> ResolvedProgram.Filling
    ) -> ResolvedProgram.Template {
        ResolvedProgram.Template(
            pieces: template.pieces.map { piece in
                switch piece {
                case .text(let text): return .text(text)
                case .slot(let value): return .slot(slot(of: value))
                case .parameter, .settings:
                    var part = template
                    part.pieces = [piece]
                    part.text = piece.spelling
                    // What a presenter makes of a redirect's address is the address everywhere.
                    return .slot(known(.url(part)) ?? slot(filling(part)))
                }
            })
    }

    /// The slot of what a step leaves for later ones.
    mutating func slot(of value: FlowSlot) -> Int { slot(named: value.reference, .step, isSecret: value.type == .secret) }

    /// A slot that nothing fills which the generated code has.
    mutating func slot(named name: String, _ source: ResolvedProgram.Slot.Source, isSecret: Bool = false) -> Int {
        if let known = slot(ifNamed: name) { return known }
        all.append(ResolvedProgram.Slot(name: Located(name, at: location), source: source, isSecret: isSecret))
        return all.count - 1
    }

    private func slot(ifNamed name: String) -> Int? { all.firstIndex { $0.filling == nil && $0.name.value == name } }

    /// A slot of a parameter with a name of its own.
    mutating func slot(_ name: Located<String>, _ filling: ResolvedProgram.Filling) -> Int {
        if let known = known(filling) { return known }
        all.append(ResolvedProgram.Slot(name: name, source: .parameter, isSecret: false, filling: filling))
        return all.count - 1
    }

    /// A slot of a parameter with the name that the filling has.
    mutating func slot(_ filling: ResolvedProgram.Filling) -> Int {
        if let known = known(filling) { return known }
        guard let template = filling.template else { return 0 }
        let isSecret = template.pieces.contains(where: \.isSecret)
        all.append(
            ResolvedProgram.Slot(
                name: Located(template.slotName, at: template.location), source: .parameter, isSecret: isSecret, filling: filling))
        return all.count - 1
    }

    private func known(_ filling: ResolvedProgram.Filling) -> Int? {
        all.firstIndex { $0.filling?.isSame(as: filling) == true }
    }
}

extension ResolvedProgram.Filling {
    /// What it is made of, if that is a text.
    public var template: ResolvedTemplate? {
        switch self {
        case .text(let template), .url(let template), .optionalURL(let template), .part(let template), .nonempty(let template),
            .texts(let template):
            template
        case .servers, .preparation: nil
        }
    }

    /// Whether both give the same value, wherever they stand.
    fileprivate func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.text(let left), .text(let right)), (.url(let left), .url(let right)),
            (.optionalURL(let left), .optionalURL(let right)), (.part(let left), .part(let right)),
            (.nonempty(let left), .nonempty(let right)), (.texts(let left), .texts(let right)):
            left.pieces == right.pieces
        case (.servers, .servers): true
        case (.preparation(let left), .preparation(let right)): left.value == right.value
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
    /// As it was written.
    var spelling: String {
        switch self {
        case .text(let text): text
        case .parameter(let name, _): "{\(name)}"
        case .settings(let name, _): "{settings.\(name)}"
        case .slot: ""
        }
    }
}
