// The slots of what has been read, and what fills those of fields.

extension ProgramScope {
    /// All slots.
    ///
    /// - Parameters:
    ///   - secretsOfChallenges: Slots of challenges that secrets are filled with.
    ///   - filling: What fills the slot of a parameter.
    func slots(
        secretsOfChallenges: Set<Int> = [], filledBy filling: (Located<String>) -> ResolvedProgram.Filling?
    ) -> [ResolvedProgram.Slot] {
        let named = values.compactMap { value in value.declaration.map { (name: $0, value: value) } }
        return named.enumerated().map { slot, named in
            let source: ResolvedProgram.Slot.Source =
                switch named.value.kind {
                case .parameter, .request, .message, .attached: .parameter
                case .challenge: .challenge
                case .credential: .credential
                case .step, .result: .step
                }
            let type = named.value.type
            return ResolvedProgram.Slot(
                name: named.name, source: source,
                isSecret: type.map { [.secret, .cookies, .identity, .privateKey, .answers].contains($0) } == true
                    || source == .challenge && secretsOfChallenges.contains(slot),
                filling: source == .parameter ? filling(named.name) : nil)
        }
    }
}

extension ResolvedProgram.Filling {
    /// What fills the slot of a field.
    ///
    /// - Parameter piece: The field as it is named.
    init(by field: DocumentNode.Entry, at location: SourceLocation, _ piece: ResolvedTemplate.Piece) {
        let template = ResolvedTemplate(text: field.key.value, location: location, pieces: [piece])
        self =
            switch field.value.fieldType {
            case .texts: .texts(template)
            case .string where field.value["default"]?.text?.value.isEmpty == true: .nonempty(template)
            case .url: field.value.flag("optional") ? .optionalURL(template) : .url(template)
            case .requestHandler: .preparation(field.key)
            default: .text(template)
            }
    }
}
