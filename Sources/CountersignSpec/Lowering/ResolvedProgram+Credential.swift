extension ResolvedProgram {
    /// The program of a method of version 1 whose credential the application gives.
    ///
    /// Its first slot is for the servers that may receive the credential, if the application names any; the second, of a method with API
    /// keys, for whether keys are the only way, so that a server's refusal of one is answered.
    init(loweringCredential method: ResolvedMethod) {
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
            name: method.name, stem: method.stem, documentation: method.documentation, title: method.title, parameters: [],
            slots: slots,
            challenges: method.challenges.map { challenge in
                Challenge(
                    lowering: challenge, if: conditions, capturing: captures,
                    template: { Template(pieces: [.text($0.literal)]) })
            },
            credential: credential,
            acquire: [
                Step(conditions: [], action: .prompt(asked.map { PromptField(slot: $0, summary: slots[$0].name.value) }))
            ], attach: [placement], rejections: Self.rejections(of: method), end: [], errors: method.errorTypes,
            failures: method.askFailures)
    }
}

extension ResolvedMethod {
    /// The error cases for an application that gives nothing that can be sent.
    fileprivate var askFailures: [(failure: ResolvedProgram.Failure, errorCase: Located<String>)] {
        for case .ask(let ask) in authenticate {
            return ask.failures.map { failure, errorCase in
                switch failure {
                case .cancelled: (failure: .cancelled, errorCase: errorCase)
                case .missing: (failure: .missing, errorCase: errorCase)
                case .unusable: (failure: .unusable, errorCase: errorCase)
                }
            }
        }
        return []
    }
}
