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
    private(set) var isConditional = false
    /// The slots that a function of the current step may set to an absent value.
    var cleared: Set<Int> = []
    /// The values that steps have generated.
    var generated = GeneratedValues()
    /// The reader of the error cases that steps name.
    private let named: StepFailureReader
    /// The client of token requests that name none.
    let client: DocumentNode.Entry?
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
}
