/// The values to which a method can refer by name, with their slots.
struct ProgramScope {
    /// The kind of a value, by the reference to it.
    enum Kind: Hashable {
        /// `{name}`
        case parameter
        /// `{name}`: a value that a step of this run determines, and that the application's requests cannot use.
        case step
        /// `{challenge.name}`
        case challenge
        /// `{credential.name}`
        case credential
        /// `{results.name}`: a value that the steps of an operation determine for the application
        case result
        /// `{request.url.origin}`
        case request
        /// `{request.method}` and others: a part of a request that is signed
        case message
        /// `{name}`: a value that is computed from a request that is signed
        case attached

        fileprivate var prefix: String {
            switch self {
            case .parameter, .step, .attached: ""
            case .challenge: "challenge."
            case .credential: "credential."
            case .result: "results."
            case .request, .message: "request."
            }
        }
    }

    struct Value {
        let kind: Kind
        /// The reference as in braces, without a mark.
        let reference: String
        let piece: ResolvedProgram.Template.Piece
        /// The type; `nil` if it could not be read, which has been reported.
        fileprivate(set) var type: ProgramType?
        /// The reason why the value may be absent, for messages.
        fileprivate var reason: Diagnostic.Note?
        let declaration: Located<String>?
        /// Whether the value is one of a closed set.
        var isChoice = false

        /// Whether the value is a URL in a document that a server publishes.
        var isPublishedAddress: Bool { kind == .step && type == .url && reference.contains(".") && !reference.hasPrefix("before.") }

        /// The slot, if it has one.
        var slot: Int? { if case .slot(let slot) = piece { slot } else { nil } }
    }

    /// Whether a value is present in a place, on the paths that lead to it.
    enum Presence {
        case always
        /// On some paths, for this reason.
        case sometimes(Diagnostic.Note?)
        /// On no path.
        case never
        /// The presence is unknown because of an earlier mistake.
        case unknown
    }

    private(set) var values: [Value] = [
        Value(
            kind: .request, reference: "request.url.origin", piece: .requestOrigin, type: .string, reason: nil, declaration: nil)
    ]
    /// The number of values that are computed from a request that is signed.
    private var attachedCount = 0
    /// The paths to this place.
    var paths = ProgramPaths()
    /// The kinds of values to which steps can refer.
    var kindsInSteps: Set<Kind> = [.parameter, .step, .challenge, .credential]
    /// The kinds of values with which challenges and answers can be compared.
    var kindsInPatterns: Set<Kind> = [.parameter]
    /// The kinds with values that could not be read. References to such kinds are not reported as unknown.
    var incomplete: Set<Kind> = []

    /// The place of the key `challenge`, for messages about inherited uses of challenges that an override has replaced.
    var challenges: SourceLocation?

    /// The slots of parameters that prompts fill for the steps alone.
    private(set) var forgotten: Set<Int> = []

    /// Whether the credential consists of the session's own cookies that logins leave.
    var hasSessionCookies = false
    /// Whether the credential is a standard token.
    var hasToken = false
    /// Whether the application receives the credential.
    var isEnrolment = false
    /// Whether the steps belong to an operation, without a credential and without a challenge.
    var isOperation = false

    /// The slot of the credential's cookies, if they are kept apart from those of the session.
    var cookies: Int? { values.first { $0.type == .cookies }?.slot }

    /// The number of values with a slot.
    var slotCount: Int { values.count - 1 }

    /// Adds a value with the next slot.
    ///
    /// - Parameters:
    ///   - absence: The reason why the value may be absent; `nil` if it is present.
    ///   - isPending: Whether the value is absent until a step fills it.
    ///   - isChoice: Whether the value is one of a closed set.
    mutating func add(
        _ name: Located<String>, _ kind: Kind, type: ProgramType?, absence: Diagnostic.Note? = nil, isPending: Bool = false,
        isChoice: Bool = false
    ) {
        values.append(
            Value(
                kind: kind, reference: kind.prefix + name.value, piece: .slot(slotCount), type: type, reason: absence,
                declaration: name, isChoice: isChoice))
        paths.add(isPending ? .absent : absence == nil ? .present : .maybe)
    }

    /// Merges paths that differ only in values that later steps do not name. Fields of the credential are excluded, since other
    /// parts name them, too.
    mutating func release(allBut names: Set<String>) {
        paths.release(
            values.filter { [.parameter, .step, .challenge].contains($0.kind) && !names.contains($0.reference) }.compactMap(\.slot))
    }

    /// Treats the values of a kind as possibly absent.
    mutating func makeOptional(_ kind: Kind, _ reason: Diagnostic.Note) {
        for value in values where value.kind == kind {
            guard let slot = value.slot, case .always = presence(of: value) else { continue }
            note(reason, for: slot)
            paths.set(slot, .maybe)
        }
    }

    /// Returns the scope without the parameters that prompts fill. A credential consists of its fields alone, so that requests with
    /// a stored or renewed credential do not have the answers.
    func forgettingAnswers(to steps: [ResolvedProgram.Step]) -> ProgramScope {
        let prompted = steps.flatMap(\.all).flatMap { step -> [Int] in
            if case .prompt(let fields) = step.action { fields.map(\.slot) } else { [] }
        }
        var scope = self
        for value in values where value.kind == .parameter {
            guard let slot = value.slot, prompted.contains(slot) else { continue }
            scope.forgotten.insert(slot)
            scope.paths.set(slot, .absent)
        }
        return scope
    }

    /// Returns the scope of `attach`: values of the application and the credential, and parts of the request that is signed.
    func signing() -> ProgramScope {
        var scope = self
        scope.kindsInSteps = [.parameter, .credential, .request, .message, .attached]
        scope.values += ResolvedProgram.RequestPart.allCases.map { part in
            Value(
                kind: .message, reference: "request.\(part.rawValue)", piece: .request(part), type: .string, reason: nil,
                declaration: nil)
        }
        return scope
    }

    /// Adds a value that is computed from a request, with the next index.
    ///
    /// - Returns: `false` if another value has the name.
    mutating func attach(_ name: Located<String>, type: ProgramType?) -> Bool {
        guard self[name.value] == nil else { return false }
        values.append(
            Value(
                kind: .attached, reference: name.value, piece: .computed(attachedCount), type: type, reason: nil,
                declaration: name))
        attachedCount += 1
        return true
    }

    /// Records that a slot is filled with a URL whose origin is checked.
    mutating func noteURL(_ slot: Int) {
        if let index = values.firstIndex(where: { $0.slot == slot }) { values[index].type = .url }
    }

    /// Whether a slot is filled with URLs.
    func isURL(_ slot: Int) -> Bool { values.contains { $0.slot == slot && $0.type == .url } }

    /// Records the reason why a slot may be absent.
    mutating func note(_ reason: Diagnostic.Note?, for slot: Int) {
        if let reason, let index = values.firstIndex(where: { $0.slot == slot }) { values[index].reason = reason }
    }

    /// The value of a reference without its mark; `nil` if there is none.
    subscript(_ reference: String) -> Value? { values.first { $0.reference == reference } }

    /// Whether a slot is that of a value that steps determine, but not part of the credential.
    func isOfStep(_ slot: Int) -> Bool { values.contains { $0.slot == slot && [.step, .result].contains($0.kind) } }

    /// Returns the slot of a value; `nil` if there is no such value, or it has no slot.
    func slot(of name: String, _ kind: Kind) -> Int? {
        values.first { $0.kind == kind && $0.reference == kind.prefix + name }?.slot
    }

    /// Returns whether a value is present.
    func presence(of value: Value) -> Presence {
        guard let slot = value.slot else { return .always }
        let presences = paths.presences(of: slot)
        if presences.contains(.unknown) { return .unknown }
        if presences == [.present] { return .always }
        if presences == [.absent] { return .never }
        return .sometimes(value.reason ?? paths.reason(forAbsenceOf: slot))
    }

    /// Returns the reason why a value may be absent; `nil` if it is always present, or if its presence is unknown.
    func absence(of value: Value) -> Diagnostic.Note? {
        guard case .sometimes(let note) = presence(of: value) else { return nil }
        return note ?? value.declaration.map { Diagnostic.Note("declared here", at: $0.location) }
    }

    /// Returns the values after a credential was obtained, without a challenge: those of the application, and those of the
    /// credential after the steps.
    ///
    /// - Parameters:
    ///   - start: The paths before the steps.
    ///   - end: The paths after the steps.
    func withCredential(from start: ProgramPaths, _ end: ProgramPaths) -> ProgramScope {
        var scope = self
        scope.kindsInSteps.remove(.challenge)
        scope.paths = end
        scope.paths.pad(to: slotCount)
        scope.paths = scope.paths.resumed(
            after: start, keeping: Set(values.filter { $0.kind == .credential }.compactMap(\.slot)))
        return scope
    }

    /// Treats fields of the credential that may be absent as present, if they are named without a mark.
    ///
    /// - Parameter names: The references without a mark.
    /// - Returns: The slots of the fields.
    mutating func require(_ names: Set<String>) -> [Int] {
        let needed = values.filter { value in
            guard value.kind == .credential, names.contains(value.reference) else { return false }
            if case .sometimes = presence(of: value) { return true }
            return false
        }
        let slots = needed.compactMap(\.slot)
        for slot in slots { paths.set(slot, .present) }
        return slots
    }

    /// Returns the kind of a value by the prefix of its reference. A name without a prefix is that of a parameter or of a step's
    /// value.
    static func kind(of reference: String) -> Kind {
        [Kind.challenge, .credential, .result, .request].first { reference.hasPrefix($0.prefix) } ?? .parameter
    }
}
