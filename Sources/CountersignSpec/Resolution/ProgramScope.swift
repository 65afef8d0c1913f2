/// The values that a method of version 2 knows by name, with the slots that they have.
struct ProgramScope {
    /// What a reference can name.
    enum Kind: Hashable {
        /// `{name}`
        case parameter
        /// `{challenge.name}`
        case challenge
        /// `{credential.name}`
        case credential
        /// `{request.url.origin}`
        case request

        fileprivate var prefix: String {
            switch self {
            case .parameter: ""
            case .challenge: "challenge."
            case .credential: "credential."
            case .request: "request."
            }
        }
    }

    struct Value {
        let kind: Kind
        /// As it stands in braces, without a mark.
        let reference: String
        let piece: ResolvedProgram.Template.Piece
        /// `nil` if it could not be read; that has been reported.
        fileprivate(set) var type: FieldType?
        /// Why it may be absent, and where that is said; `nil` if it is always there.
        fileprivate(set) var absence: Diagnostic.Note?
        let declaration: Located<String>?
        /// Whether it has no value until a step fills it.
        fileprivate(set) var isPending = false
    }

    private(set) var values: [Value] = [
        Value(
            kind: .request, reference: "request.url.origin", piece: .requestOrigin, type: .string, absence: nil, declaration: nil)
    ]
    /// How many values have a slot.
    private(set) var slotCount = 0
    /// The kinds of which not all values could be read: no reference to them is reported as unknown.
    var incomplete: Set<Kind> = []

    /// Gives a value the next slot.
    mutating func add(
        _ name: Located<String>, _ kind: Kind, type: FieldType?, absence: Diagnostic.Note? = nil, isPending: Bool = false
    ) {
        values.append(
            Value(
                kind: kind, reference: kind.prefix + name.value, piece: .slot(slotCount), type: type, absence: absence,
                declaration: name, isPending: isPending))
        slotCount += 1
    }

    /// Notes that a step has filled a field of the credential.
    ///
    /// - Parameter isURL: Whether it is filled with an address that was checked.
    mutating func fill(_ name: String, absence: Diagnostic.Note? = nil, isURL: Bool = false) {
        let reference = Kind.credential.prefix + name
        guard let index = values.firstIndex(where: { $0.reference == reference }) else { return }
        values[index].isPending = false
        values[index].absence = absence
        if isURL { values[index].type = .url }
    }

    /// Takes all values for filled: after the steps, or after one that could not be read.
    mutating func fillAll() {
        for index in values.indices { values[index].isPending = false }
    }

    /// The value of a reference without its mark.
    subscript(_ reference: String) -> Value? { values.first { $0.reference == reference } }

    /// The slot of a value that has one.
    func slot(of name: String, _ kind: Kind) -> Int? {
        guard case .slot(let slot)? = self[kind.prefix + name]?.piece else { return nil }
        return slot
    }

    /// What a reference would name, by its prefix.
    static func kind(of reference: String) -> Kind {
        [Kind.challenge, .credential, .request].first { reference.hasPrefix($0.prefix) } ?? .parameter
    }
}
