package import Countersign
package import CountersignSpec

// Creates programs from specs without the generator and a compiler. The result must be the same as with both.

extension MethodProgram {
    /// Creates the program that the generator would create for the spec of a method.
    package init(_ method: ResolvedProgram) {
        var lowering = ProgramLowering(method)
        self.init(
            name: method.name.value, summary: method.documentation.summary, slots: method.slots.map(ProgramSlot.init),
            announcements: NamedList(method.announcements),
            challenges: method.challenges.map { ChallengePattern($0) }, credential: CredentialShape(method.credential),
            documents: method.documents.map { ProgramDocument($0) }, acquire: lowering.steps(method.acquire),
            renewal: method.renewal.map { lowering.renewal($0) },
            attach: method.attach.map(CredentialPlacement.init), updates: method.updates.map(CredentialUpdate.init),
            rejections: method.rejections.map(lowering.rejection),
            end: lowering.steps(method.end), errors: method.errors.map { ErrorTable($0, of: method.name.value) },
            failures: lowering.numbers(method.failures) { ProgramFailure($0) })
    }

    /// Returns the same method with one of its grants.
    package func with(_ grant: ResolvedProgram) -> MethodProgram {
        var lowering = ProgramLowering(grant)
        return with(
            grant: grant.grant ?? "", slots: grant.slots.map(ProgramSlot.init), credential: CredentialShape(grant.credential),
            documents: grant.documents.map { ProgramDocument($0) }, acquire: lowering.steps(grant.acquire),
            renewal: grant.renewal.map { lowering.renewal($0) }, end: lowering.steps(grant.end))
    }
}

extension LandscapeOperation {
    /// Creates a version of an operation, with the values of the first slots.
    init(_ operation: ResolvedOperation, _ version: ResolvedOperation.Version, values: [ProgramValue]) {
        let program = version.program
        var lowering = ProgramLowering(program)
        self.init(
            name: operation.name.value, version: version.name.value, summary: program.documentation.summary,
            slots: program.slots.map(ProgramSlot.init), values: values, results: version.results,
            documents: program.documents.map { ProgramDocument($0) }, steps: lowering.steps(program.acquire),
            ends: End(operation.ends))
    }
}

extension LandscapeOperation.End {
    fileprivate init(_ end: ResolvedOperation.End) {
        self =
            switch end {
            case .nothing: .nothing
            case .userSession: .userSession
            }
    }
}

/// Creates the steps of one program, numbers its prompts and resolves its error cases to numbers.
private struct ProgramLowering {
    private let cases: [String]
    private let documents: [String]
    private var prompts = 0

    init(_ program: ResolvedProgram) {
        cases = program.errors.flatMap { $0.cases.map(\.name.value) }
        documents = program.documents.map(\.name)
    }

    mutating func steps(_ steps: [ResolvedProgram.Step]) -> [ProgramStep] { steps.map { step($0) } }

    mutating func renewal(_ renewal: ResolvedProgram.Renewal) -> CredentialRenewal {
        CredentialRenewal(needs: renewal.needs, steps(renewal.steps))
    }

    func rejection(_ rejection: ResolvedProgram.Rejection) -> RejectionRule {
        RejectionRule(
            challenge: rejection.challenge, rejection.actions.map(RejectionRule.Action.init), retries: rejection.retries,
            keepsCredential: rejection.keepsCredential, error: rejection.error.flatMap { number(of: $0) })
    }

    /// Returns the numbers of error cases, by the failures that raise them.
    func numbers<Failure, Word: Hashable>(
        _ failures: [(failure: Failure, errorCase: Located<String>)], _ word: (Failure) -> Word?
    ) -> [Word: Int] {
        Dictionary(
            failures.compactMap { failure, errorCase in
                word(failure).flatMap { word in number(of: errorCase).map { (word, $0) } }
            }
        ) { first, _ in first }
    }

    private func number(of errorCase: Located<String>) -> Int? { cases.firstIndex(of: errorCase.value) }

    private mutating func step(_ step: ResolvedProgram.Step) -> ProgramStep {
        var lowered = action(step.action)
        if !step.failures.isEmpty { lowered = .step(lowered, failures: numbers(step.failures) { .init(rawValue: $0.rawValue) }) }
        return step.conditions.isEmpty ? lowered : .when(step.conditions.map(StepCondition.init), lowered)
    }

    private mutating func action(_ action: ResolvedProgram.Step.Action) -> ProgramStep {
        switch action {
        case .prompt(let fields):
            defer { prompts += 1 }
            return .prompt(prompts, slots: fields.map(\.slot))
        case .ask(let page, let server, let slot, let limit):
            return .ask(PromptPage(page), of: server, into: slot, within: .milliseconds(limit))
        case .repeat(let repetition):
            return .repeat(
                StepRepetition(
                    while: repetition.conditions.map(StepCondition.init), limit: repetition.limit,
                    every: repetition.interval.map(StepTime.init), within: repetition.timeout.map(StepTime.init),
                    steps(repetition.steps)))
        case .present(let page): return .present(self.page(page))
        case .http(let call): return .http(HTTPCall(call))
        case .token(let call):
            return .token(
                TokenCall(
                    ProgramTemplate(call.url), client: call.client.map(HTTPCall.Client.init), form: NamedList(call.form),
                    preparation: call.preparation, failures: numbers(call.failures) { .init(rawValue: $0.rawValue) }))
        case .document(let document): return .document(documents.firstIndex(of: document.name) ?? 0)
        case .verify(let verification):
            return .verify(
                TokenVerification(
                    token: verification.token, keys: verification.keys, claims: NamedList(verification.claims),
                    accessToken: verification.accessToken, maximumAge: verification.maximumAge,
                    captures: verification.captures.map { ChallengePattern.Capture($0) }))
        case .compute(let slot, let function): return .compute(slot: slot, ProgramFunction(function))
        }
    }

    private func page(_ page: ResolvedProgram.Page) -> LoginPage {
        let failures: [LoginPage.Failure: Int] = numbers(page.failures) { .init(rawValue: $0.rawValue) }
        let explanations = Dictionary(page.explanations.map { ($0.status, $0.text) }) { first, _ in first }
        switch page.end {
        case .redirect(let slot, let verify, let answers):
            return LoginPage(
                ProgramTemplate(page.url), instead: page.alternatives.map(LoginPage.Alternative.init), query: NamedList(page.query),
                form: NamedList(page.form), verifier: page.verifier.map { ProgramTemplate($0) },
                push: page.push.map(LoginPage.Push.init), redirect: slot, verify: NamedList(verify), agreed: NamedList(page.agreed),
                answers: answers.map(HTTPCall.Answer.init), explanations: explanations, failures: failures)
        case .at(let end, let match):
            return LoginPage(
                ProgramTemplate(page.url), instead: page.alternatives.map(LoginPage.Alternative.init), endsAt: ProgramTemplate(end),
                match: FinishRule.Match(match), callback: page.callback.map(CallbackRule.init), explanations: explanations,
                failures: failures)
        case .userCode(let code):
            return LoginPage(
                ProgramTemplate(page.url),
                code: LoginPage.Code(
                    code.text.map { ProgramTemplate($0) }, complete: code.complete.map { ProgramTemplate($0) },
                    lifetime: code.lifetime.map(StepTime.init)), failures: failures)
        }
    }
}
