/// The values that steps fill: fields of the credential or results of an operation, optional parameters, and the steps' own
/// values.
struct ProgramFilling {
    /// The kinds of keys that fill a value.
    enum Filler: String {
        case prompt = "a prompt"
        case answer = "an answer"
        case function = "'compute'"
        case generator = "'generate'"
    }

    /// A value that is filled.
    struct Target {
        let slot: Int
        /// The type; `nil` if it could not be read.
        let type: ProgramType?
        let declaration: SourceLocation
        /// Whether it is a field of the credential.
        var isField = false
    }

    private let fields: [ProgramCredentialReader.Field]
    /// The kind of the fields: fields of the credential, or results.
    private let kind: ProgramScope.Kind
    /// Whether all fields could be read.
    private let isWhole: Bool
    /// The names that steps refer to.
    private var names: Set<String> = []
    /// The steps' own values.
    private var declared: [Located<String>] = []
    /// The place at which a step first fills a value, by slot.
    private var places: [Int: SourceLocation] = [:]

    /// Whether repeated steps are read, in which the steps' own values can be filled again.
    var isRepeating = false

    /// Whether the steps renew a credential: each of its fields can be filled again, and none must be.
    private let isRenewal: Bool

    init(fields: [ProgramCredentialReader.Field], kind: ProgramScope.Kind, isWhole: Bool, isRenewal: Bool) {
        self.fields = fields
        self.kind = kind
        self.isWhole = isWhole
        self.isRenewal = isRenewal
    }

    /// Records the names to which steps refer.
    mutating func noteNames(in steps: [DocumentNode]) {
        for step in steps { names.formUnion(step.names) }
    }

    /// Gives a step's own value a slot, unless the name is that of another value or a misspelling of a field.
    mutating func declare(_ name: Located<String>, type: ProgramType?, in scope: inout ProgramScope) {
        let unfilled = fields.filter { !$0.hasValue }.map(\.entry.key.value)
        let isSlip = !names.contains(name.value) && Suggestion.nearest(to: name.value, among: unfilled) != nil
        guard !fields.contains(where: { $0.entry.key.value == name.value }), scope[name.value] == nil, !isSlip,
            TextForm.memberName.accepts(name.value)
        else { return }
        declared.append(name)
        scope.add(name, .step, type: type, isPending: true)
    }

    /// Reports the steps' own values that no step names.
    func checkUse(into diagnostics: inout DiagnosticCollector) {
        for name in declared where !names.contains(name.value) {
            let what = kind == .result ? "not a result" : "not a field of the credential"
            diagnostics.report(.unusedCapture, "'\(name.value)' is \(what), and no step uses it; remove it", at: name.span)
        }
    }

    /// Returns the value with the name of an entry. An unknown name, or a value that is filled already, is reported.
    func target(
        of entry: DocumentNode.Entry, filledBy filler: Filler, in scope: ProgramScope,
        into diagnostics: inout DiagnosticCollector
    ) -> Target? {
        let name = entry.key.value
        if let field = fields.first(where: { $0.entry.key.value == name }) {
            guard let slot = scope.slot(of: name, kind) else { return nil }
            guard !field.isToken else {
                diagnostics.report(
                    .filledTwice, "a token can only be set by a request with 'answers: oauth2-token'", at: entry.keySpan,
                    notes: [Diagnostic.Note("declared here", at: field.entry.key.location)])
                return nil
            }
            guard field.type != .cookies else {
                diagnostics.report(
                    .wrongType, "cookies are stored without a capture; write 'cookies: present' next to 'status'",
                    at: entry.keySpan, notes: [Diagnostic.Note("declared here", at: field.entry.key.location)])
                return nil
            }
            if field.hasValue {
                diagnostics.report(
                    .filledTwice, "'\(name)' is already set by 'from'; remove 'from', or do not set it by \(filler.rawValue)",
                    at: entry.keySpan, notes: [Diagnostic.Note("declared here", at: field.entry.key.location)])
            } else if !isRenewal {
                checkFirst(slot, entry, filledBy: filler, in: scope, into: &diagnostics)
            }
            // A field of type 'string' that an answer has set to a URL must not be set to another text: requests use it as a URL.
            let isURL = field.type != .url && scope.isURL(slot)
            let declaration = isURL ? places[slot] : nil
            return Target(
                slot: slot, type: isURL ? .url : field.type, declaration: declaration ?? field.entry.key.location,
                isField: kind == .credential)
        }
        guard let value = scope[name], let slot = value.slot, let declaration = value.declaration?.location else {
            if isWhole {
                diagnostics.report(
                    .unknownField, kind == .result ? "there is no result '\(name)'" : "the credential has no field '\(name)'",
                    at: entry.keySpan, meaning: name, among: fields.filter { !$0.hasValue }.map(\.entry.key.value))
            }
            return nil
        }
        if value.kind == .parameter, filler != .prompt {
            diagnostics.report(
                .filledTwice, "'\(name)' is a parameter, which the application provides; use another name",
                at: entry.keySpan, notes: [Diagnostic.Note("declared here", at: declaration)])
        } else if !isRepeating || value.kind != .step {
            checkFirst(slot, entry, filledBy: filler, in: scope, into: &diagnostics)
        }
        return Target(slot: slot, type: value.type, declaration: declaration)
    }

    /// Reports a value that is filled twice. A prompt may follow if the value is absent on some paths, since it asks only for
    /// absent values.
    private func checkFirst(
        _ slot: Int, _ entry: DocumentNode.Entry, filledBy filler: Filler, in scope: ProgramScope,
        into diagnostics: inout DiagnosticCollector
    ) {
        let presences = scope.paths.presences(of: slot)
        guard filler == .prompt ? presences == [.present] : !presences.isDisjoint(with: [.present, .maybe]) else { return }
        let name = entry.key.value
        if let first = places[slot] {
            diagnostics.report(
                .filledTwice, "an earlier step already sets '\(name)'; set it only once", at: entry.keySpan,
                notes: [Diagnostic.Note("the other step", at: first)])
        } else {
            diagnostics.report(
                .filledTwice, "'\(name)' always has a value; make the parameter optional, or do not ask for it", at: entry.keySpan)
        }
    }

    /// Whether a step fills a slot.
    func isFilled(_ slot: Int) -> Bool { places[slot] != nil }

    /// Records that a step fills a slot.
    mutating func note(_ slot: Int, at place: SourceLocation) { if places[slot] == nil { places[slot] = place } }

    /// Reports the fields that are not filled on every path. Fields that are missing after the same branch are reported together.
    func checkAll(in scope: ProgramScope, into diagnostics: inout DiagnosticCollector) {
        guard !isRenewal else { return }
        var turns: [(turn: ProgramPaths.Turn, fields: [ProgramCredentialReader.Field])] = []
        for field in fields where !field.hasValue {
            guard let slot = scope.slot(of: field.entry.key.value, kind), kind != .result || !field.isOptional else { continue }
            // A Boolean result is false, not missing, on a path with a condition that it is absent.
            let isAnswered: (ProgramPaths.Path) -> Bool = { [kind] path in
                kind == .result && field.type == .boolean && path.turns.contains { $0.about == slot }
            }
            guard let path = scope.paths.all.first(where: { $0.presences[slot] == .absent && !isAnswered($0) }) else {
                checkPresence(of: field, slot, in: scope, into: &diagnostics)
                continue
            }
            guard places[slot] != nil, let turn = path.turns.last(where: { $0.lacking.contains(slot) }) ?? path.turns.last else {
                report(field, into: &diagnostics)
                continue
            }
            if let index = turns.firstIndex(where: { $0.turn.span == turn.span }) {
                turns[index].fields.append(field)
            } else {
                turns.append((turn, [field]))
            }
        }
        for (turn, fields) in turns {
            let names = fields.map { "'\($0.entry.key.value)'" }.joined(separator: " and ")
            let isCookies = fields.allSatisfy { $0.type == .cookies }
            diagnostics.report(
                .unfilledField,
                isCookies
                    ? "nothing ensures that cookies are set \(turn.note.message); write 'cookies: present' here, or in a later answer"
                    : turn.kind == .answer
                        ? "nothing sets \(names) \(turn.note.message); capture it here, or set it in a later step"
                        : "nothing sets \(names) \(turn.note.message); set it in that case, too",
                at: turn.span, notes: fields.map { Diagnostic.Note("declared here", at: $0.entry.key.location) })
        }
    }

    /// Reports a required result that an answer may lack. An absent Boolean is `false`.
    private func checkPresence(
        of field: ProgramCredentialReader.Field, _ slot: Int, in scope: ProgramScope, into diagnostics: inout DiagnosticCollector
    ) {
        guard kind == .result, field.type != .boolean, scope.paths.presences(of: slot).contains(.maybe) else { return }
        let name = field.entry.key.value
        let reason = scope.values.first { $0.slot == slot }.flatMap { scope.absence(of: $0) }
        diagnostics.report(
            .unfilledField, "'\(name)' may be absent after the steps; write 'optional: true' here, or set it in every case",
            at: field.entry.keySpan, notes: [reason].compactMap(\.self))
    }

    /// Reports a field that is not filled on any path.
    private func report(_ field: ProgramCredentialReader.Field, into diagnostics: inout DiagnosticCollector) {
        let name = field.entry.key.value
        guard !field.isToken else {
            diagnostics.report(
                .unfilledField, "no request obtains the token; add one with 'answers: oauth2-token' under 'acquire'",
                at: field.entry.keySpan)
            return
        }
        guard field.type != .cookies else {
            diagnostics.report(
                .unfilledField,
                "no answer requires cookies; write 'cookies: present' in the answer under 'acquire' that sets them",
                at: field.entry.keySpan)
            return
        }
        guard kind == .credential else {
            diagnostics.report(
                .unfilledField, "nothing sets '\(name)'; capture it in an answer of an 'http' step, or remove it",
                at: field.entry.keySpan)
            return
        }
        diagnostics.report(
            .unfilledField,
            field.type?.isTime == true
                ? "nothing sets '\(name)'; capture it in an answer of an 'http' step under 'acquire'"
                : "nothing sets '\(name)'; add 'from', or set it in a step under 'acquire'",
            at: field.entry.keySpan)
    }
}

extension DocumentNode {
    /// The names of the values to which steps in the node refer.
    var names: [String] { conditionNames + references.map(\.withoutAbsenceMark) }

    /// The names of the values under `when` and `while`.
    fileprivate var conditionNames: [String] {
        switch content {
        case .nothing, .text: []
        case .list(let items): items.flatMap(\.conditionNames)
        case .mapping(let entries):
            entries.flatMap { entry in
                ["when", "while"].contains(entry.key.value) ? entry.value.entries.map(\.key.value) : entry.value.conditionNames
            }
        }
    }

    /// The contents of braces in the texts of the node, as far as they can be names.
    var references: [String] {
        switch content {
        case .nothing: []
        case .text(let text):
            text.split(separator: "{").dropFirst(text.hasPrefix("{") ? 0 : 1)
                .map { String($0.prefix { $0 != "}" }) }
        case .list(let items): items.flatMap(\.references)
        case .mapping(let entries): entries.flatMap(\.value.references)
        }
    }
}
