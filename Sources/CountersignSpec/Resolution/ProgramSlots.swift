// The slots of the values, and the fillings of those of fields.

extension ProgramScope {
    /// Returns all slots.
    ///
    /// - Parameters:
    ///   - secretsOfChallenges: The slots of challenge values that fill secrets.
    ///   - filling: Returns the filling of a parameter's slot.
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
    /// Makes the filling of a field's slot.
    ///
    /// - Parameter piece: The reference to the field.
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
