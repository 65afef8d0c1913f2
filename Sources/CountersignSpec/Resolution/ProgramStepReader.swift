/// Reads the steps of version 2: those to a credential, for which it proves that it is whole on every way through them, those to the next
/// one, and those to its end.
struct ProgramStepReader {
    /// What the steps lead to.
    enum Part {
        case acquire, renew, end
    }

    /// The values, with what is known of them after the steps.
    private(set) var scope: ProgramScope
    private var filling: ProgramFilling
    private let part: Part
    /// What steps have generated.
    private var generated = GeneratedValues()

    /// - Parameter fields: What the steps have to fill, or can; empty for the steps to the end of a credential.
    init(_ part: Part, scope: ProgramScope, fields: [ProgramCredentialReader.Field]) {
        self.part = part
        self.scope = scope
        filling = ProgramFilling(
            fields: fields, isWhole: !scope.incomplete.contains(.credential), isRenewal: part == .renew)
    }

    /// - Returns: `nil` if one of them cannot be read; that is reported.
    mutating func read(_ node: DocumentNode?, into diagnostics: inout DiagnosticCollector) -> [ResolvedProgram.Step]? {
        let items = node?.items ?? []
        filling.noteNames(in: items)
        let start = scope.paths
        var isWhole = node == nil || !items.isEmpty
        var steps: [ResolvedProgram.Step] = []
        for item in items {
            if let read = step(item, into: &diagnostics) {
                steps += read
            } else {
                // What a step fills that cannot be read is not known.
                isWhole = false
                scope.paths.forget()
            }
            guard scope.paths.isExcessive else { continue }
            diagnostics.report(
                .tooManyPaths, "with this step more than \(ProgramPaths.limit) ways lead through the steps; make it two methods",
                at: item.entries.first?.keySpan ?? item.span)
            isWhole = false
            scope.paths.forget()
        }
        // With a mistake in a step, that one is the reason.
        if isWhole {
            filling.checkAll(in: scope, into: &diagnostics)
            filling.checkUse(into: &diagnostics)
            generated.checkProofKeys(in: steps, into: &diagnostics)
        }
        scope.paths.settle(after: start)
        return isWhole ? steps : nil
    }

    private mutating func step(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Step]? {
        var others = ProgramPaths.none
        let conditions = conditions(node.entry("when"), leaving: &others, into: &diagnostics)
        // The condition is the mistake, and not what would hold with it.
        if conditions == nil { scope.paths.forget() }
        let before = scope.paths
        var actions: [ResolvedProgram.Step.Action]?
        if let step = node.entry("prompt") ?? node.entry("present"), part != .acquire {
            diagnostics.report(
                .misplacedKey,
                part == .end
                    ? "the steps after a logout run without the user"
                    : "a renewal runs without the user; what needs one stands under 'acquire'",
                at: step.keySpan)
        } else if let values = node["generate"] {
            actions = generate(values, into: &diagnostics)
        } else if let page = node["present"] {
            actions = self.page(page, into: &diagnostics).map { [.present($0)] }
        } else if let prompt = node["prompt"] {
            actions = self.prompt(prompt, into: &diagnostics).map { [.prompt($0)] }
        } else if let http = node["http"] {
            actions = call(http, into: &diagnostics).map { [.http($0)] }
        } else if let functions = node["compute"] {
            actions = compute(functions, into: &diagnostics)
        }
        if conditions == nil { scope.paths = before }
        scope.paths.join(others)
        scope.paths.pad(to: scope.slotCount)
        guard let conditions, let actions else { return nil }
        return actions.map { ResolvedProgram.Step(conditions: conditions, action: $0) }
    }

    // MARK: Conditions

    /// Reads when a step runs, and keeps the ways on which it does.
    ///
    /// - Parameter others: Receives the ways on which it does not.
    /// - Returns: `nil` if one of them is wrong.
    private mutating func conditions(
        _ when: DocumentNode.Entry?, leaving others: inout ProgramPaths, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Requirement]? {
        let entries = when?.value.entries ?? []
        var conditions: [ResolvedProgram.Requirement] = []
        for entry in entries {
            guard let condition = condition(entry, into: &diagnostics) else { continue }
            let name = entry.key.value
            let rest = scope.paths.split(on: condition) { isPresent in
                ProgramPaths.Turn(
                    kind: .condition, span: entry.keySpan,
                    note: Diagnostic.Note("where '\(name)' is \(isPresent ? "present" : "absent")", at: entry.key.location))
            }
            others.join(rest)
            conditions.append(condition)
        }
        return conditions.count == entries.count && (when == nil || !entries.isEmpty) ? conditions : nil
    }

    private func condition(
        _ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Requirement? {
        let name = entry.key.value
        guard TextForm.valueName.accepts(name), let word = entry.value.text?.value, ["present", "absent"].contains(word) else {
            return nil
        }
        guard let value = scope[name], scope.kindsInSteps.contains(value.kind), let slot = value.slot else {
            guard !scope.incomplete.contains(ProgramScope.kind(of: name)) else { return nil }
            let names = scope.values.filter { scope.kindsInSteps.contains($0.kind) }.map(\.reference)
            diagnostics.report(
                .unknownReference, "there is no value '\(name)', and no step before this one fills it", at: entry.keySpan,
                meaning: name, among: names)
            return nil
        }
        let wantsPresent = word == "present"
        switch (scope.presence(of: value), wantsPresent) {
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

    // MARK: Actions

    /// - Returns: `nil` if there is no field to ask for, or a wrong one.
    private mutating func prompt(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.PromptField]? {
        let entries = node["fields"]?.entries ?? []
        var prompted: [ResolvedProgram.PromptField] = []
        for entry in entries {
            let type = ProgramType.named(entry.value.text("type"), among: [.string, .secret])
            filling.declare(entry.key, type: type, in: &scope)
            guard let target = filling.target(of: entry, filledBy: .prompt, in: scope, into: &diagnostics) else { continue }
            checkType(of: target, entry, into: &diagnostics)
            prompted.append(.init(slot: target.slot, summary: entry.value.documentation.summary))
        }
        for (field, entry) in zip(prompted, entries) where prompted.count == entries.count { fill(field.slot, at: entry) }
        return !entries.isEmpty && prompted.count == entries.count ? prompted : nil
    }

    private func checkType(
        of target: ProgramFilling.Target, _ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) {
        guard let node = entry.value["type"], let type = ProgramType.named(node.text?.value, among: [.string, .secret]),
            let declared = target.type, type != declared
        else { return }
        let declaration = [Diagnostic.Note("declared here", at: target.declaration)]
        if declared == .string || declared == .secret {
            diagnostics.report(
                .wrongType, "'\(entry.key.value)' is a '\(declared.rawValue)'", at: node.span,
                suggestion: declared.rawValue, notes: declaration)
        } else {
            diagnostics.report(
                .wrongType, "'\(entry.key.value)' is a \(declared.rawValue), which no one is asked for", at: node.span,
                notes: declaration)
        }
    }

    private mutating func generate(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Step.Action]? {
        var actions: [ResolvedProgram.Step.Action] = []
        for entry in node.entries {
            let kind = GeneratedValues.Kind(rawValue: entry.value.text?.value ?? "")
            filling.declare(entry.key, type: kind.map { $0 == .pkce ? .secret : .string }, in: &scope)
            guard let kind, let target = filling.target(of: entry, filledBy: .generator, in: scope, into: &diagnostics) else {
                continue
            }
            if target.isField {
                diagnostics.report(
                    .filledTwice,
                    "'\(entry.key.value)' is a field of the credential, which servers give; call this by another name",
                    at: entry.keySpan, notes: [Diagnostic.Note("declared here", at: target.declaration)])
            }
            generated.note(target.slot, kind, entry.key)
            actions.append(.compute(slot: target.slot, .random))
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
            // That there are any is looked at when the page has ended.
            if page != nil, let cookies = scope.cookies { fill(cookies, at: end) }
            return page
        }
        if let until = node.entry("until"), node["answers"] == nil {
            diagnostics.report(.missingKey, "a page with 'until' needs the key 'answers'", at: until.keySpan)
        }
        return answers(of: node, isPage: true, into: &diagnostics) { [generated] scope, answers, diagnostics in
            ProgramPageReader(scope: scope, generated: generated).read(node, answers: answers, into: &diagnostics)
        }
    }

    private mutating func call(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Call? {
        answers(of: node, isPage: false, into: &diagnostics) { scope, answers, diagnostics in
            ProgramCallReader(scope: scope).read(node, answers: answers, into: &diagnostics)
        }
    }

    /// Reads what has answers, and parts the ways by them.
    ///
    /// - Parameter read: Reads all but the answers.
    private mutating func answers<Action>(
        of node: DocumentNode, isPage: Bool, into diagnostics: inout DiagnosticCollector,
        _ read: (ProgramScope, [ResolvedProgram.Answer]?, inout DiagnosticCollector) -> Action?
    ) -> Action? {
        for capture in (node["answers"]?.items ?? []).flatMap({ $0["capture"]?.entries ?? [] }) {
            filling.declare(capture.key, type: ProgramCaptureReader.type(of: capture.value), in: &scope)
        }
        var answers = ProgramAnswerReader(scope: scope, filling: filling, isPage: isPage)
        let resolved = answers.read(node.entry("answers"), into: &diagnostics)
        let action = read(scope, resolved, &diagnostics)
        guard !answers.outcomes.isEmpty else { return nil }
        for captured in answers.outcomes.flatMap(\.captured) {
            filling.note(captured.slot, at: captured.place)
            scope.note(captured.reason, for: captured.slot)
        }
        for slot in answers.addresses { scope.noteURL(slot) }
        scope.paths.branch(
            into: answers.outcomes.map { ($0.turn, $0.captured.map { ($0.slot, $0.reason == nil ? .present : .maybe) }) })
        return action
    }

    private mutating func compute(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Step.Action]? {
        var actions: [ResolvedProgram.Step.Action] = []
        for entry in node.entries {
            let type = entry.value["json"] == nil ? ProgramType.secret : .json
            filling.declare(entry.key, type: type, in: &scope)
            let function = function(entry.value, into: &diagnostics)
            guard let target = filling.target(of: entry, filledBy: .function, in: scope, into: &diagnostics) else { continue }
            if let declared = target.type, declared != type {
                diagnostics.report(
                    .wrongType,
                    type == .json
                        ? "'\(entry.key.value)' is a '\(declared.rawValue)', and no JSON"
                        : "a one-time passcode is a secret, and '\(entry.key.value)' is a '\(declared.rawValue)'",
                    at: entry.keySpan, notes: [Diagnostic.Note("declared here", at: target.declaration)])
            }
            if let function { actions.append(.compute(slot: target.slot, function)) }
        }
        guard !actions.isEmpty, actions.count == node.entries.count else { return nil }
        for (action, entry) in zip(actions, node.entries) {
            if case .compute(let slot, _) = action { fill(slot, at: entry) }
        }
        return actions
    }

    private func function(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Function? {
        let refusal = "nothing can be worked out without it; add 'when'"
        if let json = node["json"] {
            return ProgramJSONReader(scope: scope, refusal: refusal).read(json, into: &diagnostics).map { .json($0) }
        }
        guard let key = node["totp"] else { return nil }
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps, refusal: refusal)
        guard let template = reader.read(key, into: &diagnostics) else { return nil }
        template.checkText(isHidden: true, into: &diagnostics)
        template.checkSecret("the key of one-time passcodes", into: &diagnostics)
        return .totp(template.resolved)
    }

    private mutating func fill(_ slot: Int, at entry: DocumentNode.Entry) {
        filling.note(slot, at: entry.key.location)
        scope.paths.set(slot, .present)
    }
}
