extension ResolvedProgram {
    /// The program of a method of version 1 whose credential the application gives.
    ///
    /// Its first slot is for the servers that may receive the credential, if the application names any; the second, of a method with API
    /// keys, for whether keys are the only way, so that a server's refusal of one is answered.
    public init(lowering method: ResolvedMethod) {
        func slot(_ name: String, _ source: Slot.Source, isSecret: Bool = false) -> Slot {
            Slot(name: Located(name, at: method.name.location), source: source, isSecret: isSecret)
        }
        func text(_ slot: Int) -> Template { Template(pieces: [.slot(slot)]) }

        var slots = [slot("protectedURLs", .parameter)]
        var conditions: [Requirement] = []
        var captures: [Capture] = []
        var credential = Credential(fields: [], separators: [], space: .origin, destinations: [0], isForRequested: true)
        let placement: Placement
        switch method.credential {
        case .apiKey:
            slots += [slot("isAPIKeyAccessOnly", .parameter), slot("key", .credential, isSecret: true)]
            placement = .header(Template(pieces: [.text(method.attachment?.value ?? "")]), text(2))
            conditions = [Requirement(slot: 1, isPresent: true)]
            credential.isEager = true
        case .clientCertificate:
            slots += [slot("identity", .credential, isSecret: true), slot("archive", .credential, isSecret: true)]
            placement = .connection(1)
        case .basic, .sessionCookies, .oauth2Token:
            slots += [slot("realm", .challenge), slot("user", .credential), slot("password", .credential, isSecret: true)]
            placement = .basic(user: text(2), password: text(3))
            captures = [Capture(slot: 1, source: .parameter("realm"), isOptional: true)]
            credential.separators = [text(1)]
            credential.space = .directory
        }
        let asked = slots.indices.filter { slots[$0].source == .credential }
        credential.fields = asked.map { CredentialField(slot: $0, summary: slots[$0].name.value) }
        self.init(
            name: method.name, stem: method.stem, documentation: method.documentation, parameters: [], slots: slots,
            challenges: method.challenges.map { Challenge(lowering: $0, if: conditions, capturing: captures) },
            credential: credential,
            acquire: [
                Step(conditions: [], action: .prompt(asked.map { PromptField(slot: $0, summary: slots[$0].name.value) }))
            ], attach: [placement], rejections: Self.rejections(of: method), end: [], errors: method.errorTypes,
            failures: method.askFailures)
    }

    /// What follows a refusal: for challenges with an error of their own, then for all others.
    private static func rejections(of method: ResolvedMethod) -> [Rejection] {
        var retries = 0
        var error: Located<String>?
        for step in method.afterResend {
            switch step {
            case .again(let count): retries = count.value
            case .fail(let name): error = name
            case .load, .ask, .store, .delete, .againIfStored, .generate, .present, .request: break
            }
        }
        let own = method.challenges.compactMap { challenge in
            challenge.refused.map {
                Rejection(challenge: challenge.name.value, actions: [.acquire], retries: retries, error: $0)
            }
        }
        return own + [Rejection(challenge: nil, actions: [.acquire], retries: retries, error: error)]
    }
}

extension ResolvedProgram.Challenge {
    fileprivate init(
        lowering challenge: ResolvedChallenge, if conditions: [ResolvedProgram.Requirement],
        capturing captures: [ResolvedProgram.Capture]
    ) {
        self.init(
            name: challenge.name, conditions: conditions, isRefusedConnection: challenge.isRefusedConnection,
            statuses: challenge.statuses,
            headers: challenge.fields.map { .init(name: $0.name.literal, match: .init(lowering: $0.match)) },
            schemes: challenge.schemes.map { scheme in
                ResolvedProgram.Scheme(
                    field: scheme.field, name: scheme.name.value,
                    parameters: scheme.parameters.map { .init(name: $0.name.value, match: .init(lowering: $0.match)) })
            }, text: challenge.body.map { .contains(ResolvedProgram.Template(pieces: [.text($0)])) }, json: [], query: [],
            captures: challenge.isRefusedConnection ? [] : captures)
    }
}

extension ResolvedProgram.Condition.Match {
    fileprivate init(lowering match: ResolvedChallenge.Match) {
        func template(_ text: ResolvedTemplate) -> ResolvedProgram.Template {
            ResolvedProgram.Template(pieces: [.text(text.literal)])
        }
        self =
            switch match {
            case .present: .present
            case .equals(let text): .equals(template(text))
            case .prefix(let text): .prefix(template(text))
            case .contains(let text): .contains(template(text))
            }
    }
}

extension ResolvedTemplate {
    /// The text; methods whose credential the application gives have no parameters that a text could name.
    fileprivate var literal: String {
        pieces.map { piece in
            if case .text(let text) = piece { text } else { "" }
        }.joined()
    }
}

extension ResolvedMethod {
    /// The error cases for an application that gives nothing that can be sent.
    fileprivate var askFailures: [(failure: ResolvedAsk.Failure, errorCase: Located<String>)] {
        for case .ask(let ask) in authenticate { return ask.failures }
        return []
    }
}
