/// Reads the steps: those to a credential, for which it proves that it is whole on every way through them, those to the next
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
    /// The error cases that steps can name.
    private let errors: ErrorScope
    /// The client in token requests that name none.
    private let client: DocumentNode.Entry?
    /// The errors of prompts.
    private(set) var failures: [(failure: ResolvedProgram.Failure, errorCase: Located<String>)] = []

    /// - Parameter fields: What the steps have to fill, or can; empty for the steps to the end of a credential.
    init(
        _ part: Part, scope: ProgramScope, fields: [ProgramCredentialReader.Field], errors: ErrorScope,
        client: DocumentNode.Entry? = nil
    ) {
        self.part = part
        self.scope = scope
        self.errors = errors
        self.client = client
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
            let failures = failures(of: page, node["failures"], into: &diagnostics)
            actions = self.page(page, into: &diagnostics).map { page in
                var page = page
                page.failures = failures
                return [.present(page)]
            }
        } else if let prompt = node["prompt"] {
            readFailures(ofPrompt: node["failures"], into: &diagnostics)
            actions = self.prompt(prompt, into: &diagnostics).map { [.prompt($0)] }
        } else if let http = node["http"] {
            let isToken = http["answers"]?.text?.value == "oauth2-token"
            let failures = failures(of: http, isToken: isToken, node["failures"], into: &diagnostics)
            actions =
                isToken
                ? tokenCall(http, failures, into: &diagnostics).map { [.token($0)] }
                : call(http, into: &diagnostics).map { [.http($0)] }
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
            guard let condition = scope.condition(entry, among: scope.kindsInSteps, into: &diagnostics) else { continue }
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

    // MARK: Actions

    /// - Returns: `nil` if there is no field to ask for, or a wrong one.
    private mutating func prompt(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.PromptField]? {
        let entries = node["fields"]?.entries ?? []
        var prompted: [ResolvedProgram.PromptField] = []
        for entry in entries {
            let type = ProgramType.named(entry.value.text("type"), among: Self.promptTypes)
            filling.declare(entry.key, type: type, in: &scope)
            guard let target = filling.target(of: entry, filledBy: .prompt, in: scope, into: &diagnostics) else { continue }
            checkType(of: target, entry, into: &diagnostics)
            prompted.append(
                .init(
                    slot: target.slot, summary: entry.value.documentation.summary,
                    type: target.type == .secret ? .secret : target.type == .identity ? .identity : .text))
        }
        for (field, entry) in zip(prompted, entries) where prompted.count == entries.count { fill(field.slot, at: entry) }
        return !entries.isEmpty && prompted.count == entries.count ? prompted : nil
    }

    /// What an application is asked for.
    private static let promptTypes: [ProgramType] = [.string, .secret, .identity]

    private func checkType(
        of target: ProgramFilling.Target, _ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) {
        guard let node = entry.value["type"], let type = ProgramType.named(node.text?.value, among: Self.promptTypes),
            let declared = target.type, type != declared
        else { return }
        let declaration = [Diagnostic.Note("declared here", at: target.declaration)]
        if Self.promptTypes.contains(declared) {
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
        let page = answers(of: node, isPage: true, into: &diagnostics) { [generated] scope, answers, diagnostics in
            ProgramPageReader(scope: scope, generated: generated).read(node, answers: answers, into: &diagnostics)
        }
        if page == nil, let verifier = node["pkce"]?.references.first, let slot = scope.slot(of: verifier, .step) {
            scope.paths.set(slot, .unknown)
        }
        for alternative in page?.alternatives ?? [] {
            for slot in alternative.without {
                scope.note(Diagnostic.Note("a page that is opened instead goes without it", at: node.span.location), for: slot)
                scope.paths.set(slot, .maybe)
            }
        }
        return page
    }

    /// Reads a request whose answer is the token.
    private mutating func tokenCall(
        _ node: DocumentNode, _ failures: [(failure: ResolvedProgram.TokenCall.Failure, errorCase: Located<String>)],
        into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.TokenCall? {
        if !scope.hasToken, !scope.incomplete.contains(.credential), let answers = node.entry("answers") {
            diagnostics.report(
                .misplacedKey,
                "a token is the whole credential; write 'token: oauth2' under 'credential', or the answers one by one",
                at: answers.value.span)
        }
        let call = ProgramCallReader(scope: scope).token(node, client: client, failures, into: &diagnostics)
        if let slot = scope.slot(of: "access_token", .credential) {
            filling.note(slot, at: node.span.location)
            scope.paths.set(slot, .present)
        }
        if let slot = scope.slot(of: "refresh_token", .credential) {
            scope.note(Diagnostic.Note("not every answer brings one", at: node.span.location), for: slot)
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
            let type: ProgramType = entry.value["json"] != nil ? .json : entry.value["join"] != nil ? .string : .secret
            filling.declare(entry.key, type: type, in: &scope)
            let function = function(entry.value, into: &diagnostics)
            guard let target = filling.target(of: entry, filledBy: .function, in: scope, into: &diagnostics) else { continue }
            if let declared = target.type, declared != type {
                diagnostics.report(
                    .wrongType,
                    type == .json
                        ? "'\(entry.key.value)' is a '\(declared.rawValue)', and no JSON"
                        : type == .string
                            ? "joined texts are a 'string', and '\(entry.key.value)' is a '\(declared.rawValue)'"
                            : "a one-time passcode is a secret, and '\(entry.key.value)' is a '\(declared.rawValue)'",
                    at: entry.keySpan, notes: [Diagnostic.Note("declared here", at: target.declaration)])
            }
            if let function {
                if case .join(let texts) = function, texts.flatMap(\.slots).contains(where: { generated.kind(of: $0) == .random }) {
                    generated.note(target.slot, .random, entry.key)
                }
                actions.append(.compute(slot: target.slot, function))
            }
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
        if let join = node["join"] { return self.join(join, into: &diagnostics) }
        guard let key = node["totp"] else { return nil }
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps, refusal: refusal)
        guard let template = reader.read(key, into: &diagnostics) else { return nil }
        template.checkText(isHidden: true, into: &diagnostics)
        template.checkSentSecret("the key of one-time passcodes", into: &diagnostics)
        return .totp(template.resolved)
    }

    /// Texts in a row; one that is absent is left out.
    private func join(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> ResolvedProgram.Function? {
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps)
        let templates = node.items.compactMap { reader.read($0, into: &diagnostics) }
        for template in templates { template.checkText(isHidden: false, into: &diagnostics) }
        guard !templates.isEmpty, templates.count == node.items.count else { return nil }
        if templates.allSatisfy({ $0.absence(in: scope) != nil }) {
            diagnostics.report(
                .optionalReference, "all of these may be absent, and an empty text would be left; join them with one that is there",
                at: node.span)
        }
        return .join(templates.map(\.resolved))
    }

    // MARK: Failures

    private mutating func readFailures(ofPrompt node: DocumentNode?, into diagnostics: inout DiagnosticCollector) {
        failures += errors.cases(
            named: node, words: [ResolvedProgram.Failure.cancelled, .missing, .unusable].map { ($0.word, $0) }, of: "prompt",
            into: &diagnostics
        ) { $0 == .unusable ? .some(of: [.string]) : .nothing }
    }

    private func failures(
        of page: DocumentNode, _ node: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) -> [(failure: ResolvedProgram.Page.Failure, errorCase: Located<String>)] {
        let isRedirect = page["until"] != nil
        let known = ResolvedProgram.Page.Failure.allCases.filter { isRedirect || $0 != .server && $0 != .missing }
        return errors.cases(named: node, words: known.map { ($0.rawValue, $0) }, of: "present", into: &diagnostics) { failure in
            switch failure {
            case .load: .error
            case .refused: .some(of: [.error])
            case .server: .some(of: [.serverError])
            case .missing, .dismissed, .reloaded, .background: .nothing
            }
        }
    }

    private func failures(
        of http: DocumentNode, isToken: Bool, _ node: DocumentNode?, into diagnostics: inout DiagnosticCollector
    ) -> [(failure: ResolvedProgram.TokenCall.Failure, errorCase: Located<String>)] {
        let known = isToken ? ResolvedProgram.TokenCall.Failure.allCases : []
        return errors.cases(named: node, words: known.map { ($0.rawValue, $0) }, of: "http", into: &diagnostics) { failure in
            switch failure {
            case .server: .some(of: [.serverError])
            case .status, .network, .noResponse: .some(of: [.error, .status, .responseText])
            case .decode: .some(of: [.string, .response, .responseData])
            }
        }
    }

    private mutating func fill(_ slot: Int, at entry: DocumentNode.Entry) {
        filling.note(slot, at: entry.key.location)
        scope.paths.set(slot, .present)
    }
}
