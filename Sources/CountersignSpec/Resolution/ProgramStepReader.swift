/// Reads the steps that obtain, renew or end a credential. For those that obtain it, the reader proves that the credential is
/// complete on every path through them.
struct ProgramStepReader {
    /// The purpose of the steps.
    enum Part {
        case acquire, renew, end
        /// The steps of an operation of the landscape, not of a method.
        case operation
    }

    /// The values, with their presence after the steps read so far.
    var scope: ProgramScope
    var filling: ProgramFilling
    let part: Part
    /// Whether the steps are repeated with pauses.
    var isPaced = false
    /// Whether the current step has a condition.
    private var isConditional = false
    /// The slots that a function of the current step may set to an absent value.
    private(set) var cleared: Set<Int> = []
    /// The values that steps have generated.
    private var generated = GeneratedValues()
    /// The reader of the error cases that steps name.
    private let named: StepFailureReader
    /// The client of token requests that name none.
    private let client: DocumentNode.Entry?
    /// The documents of servers to which the steps can refer.
    let documents: DocumentNode?
    /// The error cases of prompts.
    private(set) var failures: [(failure: ResolvedProgram.Failure, errorCase: Located<String>)] = []

    /// - Parameter fields: The fields of the credential or the results of an operation, which the steps must or can fill; empty
    ///   for the steps that end a credential.
    init(
        _ part: Part, scope: ProgramScope, fields: [ProgramCredentialReader.Field], errors: ErrorScope,
        client: DocumentNode.Entry? = nil, documents: DocumentNode? = nil
    ) {
        self.part = part
        self.documents = documents
        self.scope = scope
        named = StepFailureReader(errors: errors)
        self.client = client
        filling = ProgramFilling(
            fields: fields, kind: part == .operation ? .result : .credential,
            isWhole: !scope.incomplete.contains(part == .operation ? .result : .credential), isRenewal: part == .renew)
    }

    /// - Returns: `nil` if one of the steps cannot be read, which is reported.
    mutating func read(_ node: DocumentNode?, into diagnostics: inout DiagnosticCollector) -> [ResolvedProgram.Step]? {
        let items = node?.items ?? []
        filling.noteNames(in: items)
        Self.checkNames(of: items, into: &diagnostics)
        let start = scope.paths
        let fetching = fetching(for: items, into: &diagnostics)
        let steps = (node == nil ? [] : self.steps(items, into: &diagnostics)).flatMap { steps in fetching.map { $0 + steps } }
        // If a step has a mistake, these checks could report its consequences.
        if let steps {
            filling.checkAll(in: scope, into: &diagnostics)
            filling.checkUse(into: &diagnostics)
            generated.checkProofKeys(in: steps, into: &diagnostics)
        }
        scope.paths.settle(after: start)
        return steps
    }

    /// Reports duplicate names of steps or of answers, which an overriding landscape could not distinguish.
    static func checkNames(of items: [DocumentNode], into diagnostics: inout DiagnosticCollector) {
        var places: [String: SourceLocation] = [:]
        for name in items.compactMap({ $0.entry("name") }) {
            guard let text = name.value.text, let first = places.updateValue(text.location, forKey: text.value) else { continue }
            diagnostics.report(
                .duplicateName, "the name '\(text.value)' is already used in this list", at: name.value.span,
                notes: [Diagnostic.Note("the other one", at: first)])
        }
    }

    /// Reads steps one after another.
    ///
    /// - Returns: `nil` if one of the steps cannot be read, or there is none.
    mutating func steps(
        _ items: [DocumentNode], into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Step]? {
        var isWhole = !items.isEmpty
        var steps: [ResolvedProgram.Step] = []
        for (number, item) in items.enumerated() {
            let next = number + 1 < items.count ? items[number + 1] : nil
            if let code = item["present"]?.pollingEntry, next?["repeat"]?["every"] == nil || next?["when"] != nil,
                !filling.isRepeating
            {
                diagnostics.report(
                    .misplacedKey,
                    "the \(code.key.value == "code" ? "code" : "page") is shown while the next step runs, which must be a 'repeat' with 'every' and without 'when'",
                    at: code.keySpan)
                isWhole = false
            }
            if let read = step(item, into: &diagnostics) {
                steps += read
            } else {
                // The values that an unreadable step fills are unknown.
                isWhole = false
                scope.paths.forget()
            }
            if !filling.isRepeating { scope.release(allBut: Set(items[(number + 1)...].flatMap(\.names))) }
            guard scope.paths.isExcessive else { continue }
            diagnostics.report(
                .tooManyPaths,
                "with this step, there are more than \(ProgramPaths.limit) paths through the steps; split the method in two",
                at: item.entries.first?.keySpan ?? item.span)
            isWhole = false
            scope.paths.forget()
        }
        return isWhole ? steps : nil
    }

    private mutating func step(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Step]? {
        var others = ProgramPaths.none
        isConditional = node["when"] != nil
        cleared = []
        let conditions = conditions(node.entry("when"), leaving: &others, into: &diagnostics)
        // An inherited step never runs if an override gives a value that must be absent. Its content is read nevertheless.
        let neverRuns = scope.paths.all.isEmpty
        if neverRuns { scope.paths = others }
        // The presence of values is unknown under a wrong condition, and under one that never holds.
        if conditions == nil || neverRuns { scope.paths.forget() }
        let before = scope.paths
        var actions: [ResolvedProgram.Step.Action]?
        let failures = part == .operation ? [] : named.ofStep(node, into: &diagnostics)
        if part == .operation, let failures = node.entry("failures") {
            diagnostics.report(
                .misplacedKey, "an operation has no error cases; remove 'failures'", at: failures.keySpan)
        }
        if let step = node.entry("prompt") ?? node.entry("present"), part != .acquire, part != .end || node["present"] == nil {
            diagnostics.report(
                .misplacedKey,
                complaintAboutUser, at: step.keySpan)
        } else if let values = node["generate"] {
            actions = generate(values, into: &diagnostics)
        } else if let page = node["present"] {
            let failures = named.ofPage(node, into: &diagnostics)
            actions = self.page(page, into: &diagnostics).map { page in
                var page = page
                page.failures = failures
                return [.present(page)]
            }
        } else if let page = node["prompt"]?["page"] {
            actions = ask(page, into: &diagnostics).map { [$0] }
        } else if let prompt = node["prompt"] {
            self.failures += named.ofPrompt(node, into: &diagnostics)
            actions = self.prompt(prompt, into: &diagnostics).map { [.prompt($0)] }
        } else if let http = node["http"] {
            let isToken = http["answers"]?.text?.value == "oauth2-token"
            actions =
                isToken
                ? tokenCall(http, named.ofTokenRequest(node, into: &diagnostics), into: &diagnostics).map { [.token($0)] }
                : call(http, into: &diagnostics).map { [.http($0)] }
        } else if let step = node.entry("verify"), part == .operation || scope.isEnrolment {
            diagnostics.report(
                .misplacedKey, "'verify' requires a method whose credential is sent in requests; remove it", at: step.keySpan)
        } else if let verification = node["verify"] {
            actions = verify(verification, into: &diagnostics).map { [.verify($0)] }
        } else if let functions = node["compute"] {
            actions = compute(functions, into: &diagnostics)
        } else if let repetition = node.entry("repeat") {
            actions = self.repetition(repetition, into: &diagnostics).map { [$0] }
        }
        if conditions == nil { scope.paths = before }
        if neverRuns { scope.paths = .none }
        scope.paths.join(others)
        scope.paths.pad(to: scope.slotCount)
        guard let conditions, var actions else { return nil }
        for verb in ["generate", "compute"] {
            if let functions = node[verb] { order(&actions, of: functions, verb, under: conditions, into: &diagnostics) }
        }
        return actions.map { ResolvedProgram.Step(conditions: conditions, action: $0, failures: failures) }
    }

    /// The message for a step that needs the user in a part without one.
    private var complaintAboutUser: String {
        switch part {
        case .acquire, .renew: "a renewal runs without the user; write steps with the user under 'acquire'"
        case .end: "the steps after a logout cannot prompt the user; show a page with 'present'"
        case .operation: "an operation runs without the user"
        }
    }

    // MARK: Conditions

    /// Reads the conditions of a step, and keeps the paths on which they hold.
    ///
    /// - Parameters:
    ///   - isRepeated: Whether the conditions are checked before each run of repeated steps.
    ///   - others: Receives the paths on which they do not hold.
    /// - Returns: `nil` if one of the conditions is wrong.
    mutating func conditions(
        _ when: DocumentNode.Entry?, isRepeated: Bool = false, leaving others: inout ProgramPaths,
        into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Requirement]? {
        let entries = when?.value.entries ?? []
        var conditions: [ResolvedProgram.Requirement] = []
        for entry in entries {
            guard
                let condition = scope.condition(
                    entry, among: scope.kindsInSteps, isRepeated: isRepeated, into: &diagnostics)
            else { continue }
            let name = entry.key.value
            let rest = scope.paths.split(on: condition) { isPresent in
                ProgramPaths.Turn(
                    kind: .condition, span: entry.keySpan,
                    note: Diagnostic.Note("where '\(name)' is \(isPresent ? "present" : "absent")", at: entry.key.location),
                    about: condition.slot)
            }
            others.join(rest)
            conditions.append(condition)
        }
        return conditions.count == entries.count && (when == nil || !entries.isEmpty) ? conditions : nil
    }

    // MARK: Actions

    private mutating func generate(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Step.Action]? {
        var actions: [ResolvedProgram.Step.Action] = []
        for entry in node.entries {
            let kind = GeneratedValues.Kind(rawValue: entry.value.text?.value ?? "")
            filling.declare(entry.key, type: kind?.type, in: &scope)
            guard let kind, let target = filling.target(of: entry, filledBy: .generator, in: scope, into: &diagnostics) else {
                continue
            }
            if target.isField, kind != .signingKey {
                diagnostics.report(
                    .filledTwice,
                    "'\(entry.key.value)' is a field of the credential, which servers provide; use another name",
                    at: entry.keySpan, notes: [Diagnostic.Note("declared here", at: target.declaration)])
            }
            generated.note(target.slot, kind, entry.key)
            actions.append(.compute(slot: target.slot, kind.function))
        }
        guard !actions.isEmpty, actions.count == node.entries.count else { return nil }
        for (action, entry) in zip(actions, node.entries) {
            if case .compute(let slot, _) = action { fill(slot, at: entry) }
        }
        return actions
    }

    private mutating func page(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Page? {
        if let end = node.entry("ends-at") {
            let page = ProgramPageReader(scope: scope, generated: generated).read(node, endingAt: end, into: &diagnostics)
            // The runtime checks that there are cookies when the page has ended.
            if page != nil, let cookies = scope.cookies { fill(cookies, at: end) }
            return page
        }
        if let code = node.pollingEntry {
            if filling.isRepeating {
                let page = code.key.value == "code" ? "a page with a code" : "a page that is polled"
                diagnostics.report(
                    .misplacedKey, "\(page) is shown while the next step runs; move it out of 'repeat'", at: code.keySpan)
            }
            return ProgramPageReader(scope: scope, generated: generated).read(node, with: code, into: &diagnostics)
        }
        if let until = node.entry("until"), node["answers"] == nil {
            diagnostics.report(.missingKey, "a page with 'until' needs the key 'answers'", at: until.keySpan)
        }
        let page = answers(of: node, isPage: true, into: &diagnostics) { [generated] scope, answers, diagnostics in
            ProgramPageReader(scope: scope, generated: generated).read(node, answers: answers, into: &diagnostics)
        }
        if page == nil, let verifier = node["pkce"]?.references.first, let slot = scope.slot(of: verifier, .step) {
            scope.paths.set(slot, .unknown)
        }
        for alternative in page?.alternatives ?? [] {
            for slot in alternative.without {
                scope.note(Diagnostic.Note("a page under 'instead' is opened without it", at: node.span.location), for: slot)
                scope.paths.set(slot, .maybe)
            }
        }
        return page
    }

    /// Reads a request whose answer is a token.
    private mutating func tokenCall(
        _ node: DocumentNode, _ failures: [(failure: ResolvedProgram.TokenCall.Failure, errorCase: Located<String>)],
        into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.TokenCall? {
        if scope.hasToken, part == .end, let answers = node.entry("answers") {
            diagnostics.report(
                .misplacedKey, "the steps after a logout obtain no token; write a list of answers", at: answers.value.span)
        } else if !scope.hasToken, !scope.incomplete.contains(.credential), let answers = node.entry("answers") {
            diagnostics.report(
                .misplacedKey,
                part == .operation
                    ? "an operation has no credential; write a list of answers"
                    : "'oauth2-token' requires a token as the credential; write 'token: oauth2' under 'credential', or a list of answers",
                at: answers.value.span)
        }
        let call = ProgramCallReader(scope: scope).token(node, client: client, failures, into: &diagnostics)
        if let slot = scope.slot(of: "access_token", .credential) {
            filling.note(slot, at: node.span.location)
            scope.paths.set(slot, .present)
        }
        if let slot = scope.slot(of: "refresh_token", .credential) {
            scope.note(Diagnostic.Note("not every token response contains one", at: node.span.location), for: slot)
            scope.paths.set(slot, .maybe)
        }
        return call
    }

    private mutating func call(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Call? {
        answers(of: node, isPage: false, into: &diagnostics) { scope, answers, diagnostics in
            ProgramCallReader(scope: scope).read(node, answers: answers, into: &diagnostics)
        }
    }

    /// Reads an action with answers, and divides the paths by them.
    ///
    /// - Parameter read: Reads everything except the answers.
    mutating func answers<Action>(
        of node: DocumentNode, isPage: Bool, into diagnostics: inout DiagnosticCollector,
        _ read: (ProgramScope, [ResolvedProgram.Answer]?, inout DiagnosticCollector) -> Action?
    ) -> Action? {
        for capture in (node["answers"]?.items ?? []).flatMap({ $0["capture"]?.entries ?? [] }) {
            filling.declare(capture.key, type: ProgramCaptureReader.type(of: capture.value), in: &scope)
        }
        var answers = ProgramAnswerReader(
            scope: scope, filling: filling, isPage: isPage, isPaced: isPaced, isConditional: isConditional)
        let resolved = answers.read(node.entry("answers"), into: &diagnostics)
        let action = read(scope, resolved, &diagnostics)
        guard !answers.outcomes.isEmpty || isConditional else { return nil }
        // A value that another step may have set could be a text, whose origin is not checked.
        let addresses = answers.addresses.filter {
            !filling.isFilled($0) && scope.paths.presences(of: $0).isSubset(of: [.absent, .unknown])
        }
        for captured in answers.outcomes.flatMap(\.captured) {
            filling.note(captured.slot, at: captured.place)
            scope.note(captured.reason, for: captured.slot)
        }
        for slot in addresses { scope.noteURL(slot) }
        // Each run of a step determines its own values anew, so that they can become absent. A credential keeps the values that
        // are not replaced.
        let filled = Set(answers.outcomes.flatMap { $0.captured.map(\.slot) }).filter(scope.isOfStep)
        scope.paths.branch(
            into: answers.outcomes.map { outcome in
                let captured = outcome.captured.map {
                    (slot: $0.slot, presence: $0.reason == nil ? .present : ProgramPaths.Presence.maybe)
                }
                let others = filled.subtracting(captured.map(\.slot)).sorted()
                return (outcome.turn, captured + others.map { (slot: $0, presence: .absent) })
            })
        return action
    }

    private mutating func compute(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Step.Action]? {
        var actions: [ResolvedProgram.Step.Action] = []
        for entry in node.entries {
            let reader = ProgramFunctionReader(scope: scope)
            let type = reader.type(of: entry.value)
            filling.declare(entry.key, type: type, in: &scope)
            let function = reader.read(entry.value, into: &diagnostics)
            guard let target = filling.target(of: entry, filledBy: .function, in: scope, into: &diagnostics) else { continue }
            if let declared = target.type, let type, declared != type {
                diagnostics.report(
                    .wrongType, ProgramFunctionReader.complaint(entry.key.value, of: declared, about: type),
                    at: entry.keySpan, notes: [Diagnostic.Note("declared here", at: target.declaration)])
            }
            if let function {
                switch function {
                case .join(let texts), .encode(let texts, _):
                    // The text, encoded or not, is as unpredictable as a value in it.
                    if texts.flatMap(\.slots).contains(where: { generated.kind(of: $0) == .random }) {
                        generated.note(target.slot, .random, entry.key)
                    }
                default: break
                }
                actions.append(.compute(slot: target.slot, function))
                // The next function can use the value.
                fill(target.slot, with: function, at: entry)
            }
        }
        return !actions.isEmpty && actions.count == node.entries.count ? actions : nil
    }

    /// Records that a function fills a slot.
    private mutating func fill(_ slot: Int, with function: ResolvedProgram.Function, at entry: DocumentNode.Entry) {
        let absence: Diagnostic.Note? =
            switch function {
            case .value(let other): scope.values.first { $0.slot == other }.flatMap { scope.absence(of: $0) }
            // As for other booleans, `false` is the absent value.
            case .same: Diagnostic.Note("the texts may differ", at: entry.key.location)
            default: nil
            }
        fill(slot, at: entry)
        guard let absence else { return }
        cleared.insert(slot)
        scope.note(absence, for: slot)
        scope.paths.set(slot, .maybe)
    }

    /// Records that a step fills a slot.
    mutating func fill(_ slot: Int, at entry: DocumentNode.Entry) {
        filling.note(slot, at: entry.key.location)
        scope.paths.set(slot, .present)
    }
}
