/// The values that a method knows by name, with the slots that they have.
struct ProgramScope {
    /// What a reference can name.
    enum Kind: Hashable {
        /// `{name}`
        case parameter
        /// `{name}`: what a step of the run has found out, and no request of the application's is given.
        case step
        /// `{challenge.name}`
        case challenge
        /// `{credential.name}`
        case credential
        /// `{results.name}`: what the steps of an operation find out for the application
        case result
        /// `{request.url.origin}`
        case request
        /// `{request.method}` and its like: of a request that is signed
        case message
        /// `{name}`: what is worked out of a request that is signed
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
        /// As it stands in braces, without a mark.
        let reference: String
        let piece: ResolvedProgram.Template.Piece
        /// `nil` if it could not be read; that has been reported.
        fileprivate(set) var type: ProgramType?
        /// Why it may be absent, wherever it may; for messages.
        fileprivate var reason: Diagnostic.Note?
        let declaration: Located<String>?

        /// Whether a document names it.
        var isPublishedAddress: Bool { kind == .step && type == .url && reference.contains(".") && !reference.hasPrefix("before.") }

        /// The slot, if it has one.
        var slot: Int? { if case .slot(let slot) = piece { slot } else { nil } }
    }

    /// Whether a value is there in a place, on all ways that lead to it.
    enum Presence {
        case always
        /// On some ways, for this reason.
        case sometimes(Diagnostic.Note?)
        /// On none.
        case never
        /// A mistake before it keeps that from being known.
        case unknown
    }

    private(set) var values: [Value] = [
        Value(
            kind: .request, reference: "request.url.origin", piece: .requestOrigin, type: .string, reason: nil, declaration: nil)
    ]
    /// The values that are worked out of a request that is signed.
    private var attachedCount = 0
    /// The ways to this place.
    var paths = ProgramPaths()
    /// What steps can name.
    var kindsInSteps: Set<Kind> = [.parameter, .step, .challenge, .credential]
    /// What challenges and answers can be compared with.
    var kindsInPatterns: Set<Kind> = [.parameter]
    /// The kinds of which not all values could be read: no reference to them is reported as unknown.
    var incomplete: Set<Kind> = []

    /// Whether the credential is what logins leave in the session's own cookies.
    var hasSessionCookies = false
    /// Whether the credential is a token as a standard has it.
    var hasToken = false
    /// Whether the application takes the credential.
    var isEnrolment = false
    /// Whether there is no credential, and no challenge.
    var isOperation = false

    /// The slot of the credential's cookies, if they are kept apart from those of the session.
    var cookies: Int? { values.first { $0.type == .cookies }?.slot }

    /// How many values have a slot.
    var slotCount: Int { values.count - 1 }

    /// Gives a value the next slot.
    ///
    /// - Parameters:
    ///   - absence: Why it may be absent; `nil` if it is there.
    ///   - isPending: Whether it has no value until a step fills it.
    mutating func add(
        _ name: Located<String>, _ kind: Kind, type: ProgramType?, absence: Diagnostic.Note? = nil, isPending: Bool = false
    ) {
        values.append(
            Value(
                kind: kind, reference: kind.prefix + name.value, piece: .slot(slotCount), type: type, reason: absence,
                declaration: name))
        paths.add(isPending ? .absent : absence == nil ? .present : .maybe)
    }

    /// Has ways differ no more in values that steps do not name any more. Fields of the credential are named by more than steps.
    mutating func release(allBut names: Set<String>) {
        paths.release(
            values.filter { [.parameter, .step, .challenge].contains($0.kind) && !names.contains($0.reference) }.compactMap(\.slot))
    }

    /// What stands under `attach`: values of the application and the credential, and of the request that is signed.
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

    /// Gives a value that is worked out of a request the next place.
    ///
    /// - Returns: `false` if something else has the name.
    mutating func attach(_ name: Located<String>, type: ProgramType?) -> Bool {
        guard self[name.value] == nil else { return false }
        values.append(
            Value(
                kind: .attached, reference: name.value, piece: .computed(attachedCount), type: type, reason: nil,
                declaration: name))
        attachedCount += 1
        return true
    }

    /// Notes that a slot is filled with an address that was checked.
    mutating func noteURL(_ slot: Int) {
        if let index = values.firstIndex(where: { $0.slot == slot }) { values[index].type = .url }
    }

    /// Notes why a slot may be absent.
    mutating func note(_ reason: Diagnostic.Note?, for slot: Int) {
        if let reason, let index = values.firstIndex(where: { $0.slot == slot }) { values[index].reason = reason }
    }

    /// The value of a reference without its mark.
    subscript(_ reference: String) -> Value? { values.first { $0.reference == reference } }

    /// Whether a slot is that of a value that steps find out, and that no credential keeps.
    func isOfStep(_ slot: Int) -> Bool { values.contains { $0.slot == slot && [.step, .result].contains($0.kind) } }

    /// The slot of a value that has one.
    func slot(of name: String, _ kind: Kind) -> Int? {
        values.first { $0.kind == kind && $0.reference == kind.prefix + name }?.slot
    }

    /// Whether a value is there.
    func presence(of value: Value) -> Presence {
        guard let slot = value.slot else { return .always }
        let presences = paths.presences(of: slot)
        if presences.contains(.unknown) { return .unknown }
        if presences == [.present] { return .always }
        if presences == [.absent] { return .never }
        return .sometimes(value.reason ?? paths.reason(forAbsenceOf: slot))
    }

    /// Why a value may be absent; `nil` if it is always there, or if that is not known.
    func absence(of value: Value) -> Diagnostic.Note? {
        guard case .sometimes(let note) = presence(of: value) else { return nil }
        return note ?? value.declaration.map { Diagnostic.Note("declared here", at: $0.location) }
    }

    /// The values where there is a credential and no challenge: those of the application, and the credential's as the steps have left them.
    ///
    /// - Parameters:
    ///   - start: The ways before the steps.
    ///   - end: The ways after them.
    func withCredential(from start: ProgramPaths, _ end: ProgramPaths) -> ProgramScope {
        var scope = self
        scope.kindsInSteps.remove(.challenge)
        scope.paths = end
        scope.paths.pad(to: slotCount)
        scope.paths = scope.paths.resumed(
            after: start, keeping: Set(values.filter { $0.kind == .credential }.compactMap(\.slot)))
        return scope
    }

    /// Takes fields of the credential that may be absent for present, where they are named without a mark.
    ///
    /// - Parameter names: What is named.
    /// - Returns: Their slots.
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

    /// What a reference would name, by its prefix; a name without one is a parameter or what a step has found out.
    static func kind(of reference: String) -> Kind {
        [Kind.challenge, .credential, .result, .request].first { reference.hasPrefix($0.prefix) } ?? .parameter
    }
}

extension ProgramScope {
    /// What is said of a parameter in a challenge of a method with variants.
    static let complaintAboutVariants =
        "each of the 'variants' has parameters of its own, and a challenge is for all; name none here"

    /// Reads what has to hold of a value.
    ///
    /// - Parameters:
    ///   - kinds: What can be named.
    ///   - isRepeated: Whether it is looked at again and again, so that it says something where it holds the first time.
    /// - Returns: `nil` if it is wrong.
    func condition(
        _ entry: DocumentNode.Entry, among kinds: Set<Kind>, isRepeated: Bool = false, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Requirement? {
        let name = entry.key.value
        guard TextForm.valueName.accepts(name), let word = entry.value.text?.value,
            ["present", "absent", "true", "false"].contains(word)
        else { return nil }
        guard let value = self[name], kinds.contains(value.kind), let slot = value.slot else {
            guard !incomplete.contains(ProgramScope.kind(of: name)) else { return nil }
            let names = values.filter { kinds.contains($0.kind) }.map(\.reference)
            diagnostics.report(
                .unknownReference,
                kinds.isEmpty
                    ? Self.complaintAboutVariants
                    : kinds.contains(.step)
                        ? "there is no value '\(name)', and no step before this one fills it" : "there is no parameter '\(name)'",
                at: entry.keySpan, meaning: name, among: names)
            return nil
        }
        let words = value.type == .boolean ? ["true", "false"] : ["present", "absent"]
        guard words.contains(word) else {
            diagnostics.report(
                .unknownWord,
                "'\(name)' is \(value.type == .boolean ? "a boolean" : "no boolean"): write '\(words[0])' or '\(words[1])'",
                at: entry.value.span)
            return nil
        }
        let wantsPresent = word == words[0]
        switch (presence(of: value), wantsPresent) {
        case (.always, true) where isRepeated, (.never, false) where isRepeated:
            return ResolvedProgram.Requirement(slot: slot, isPresent: wantsPresent)
        case (.always, true), (.never, false):
            diagnostics.report(
                .needlessMark, "'\(name)' is always \(word) here, so that the condition says nothing; take it away",
                at: entry.keySpan)
            return nil
        case (.always, false), (.never, true):
            diagnostics.report(
                .unreachableStep, "'\(name)' is never \(word) here, so that this step never runs", at: entry.keySpan)
            return nil
        case (.sometimes, _), (.unknown, _): return ResolvedProgram.Requirement(slot: slot, isPresent: wantsPresent)
        }
    }
}
