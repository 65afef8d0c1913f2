extension ResolvedProgram {
    /// The program of a method of version 1 whose credential is a token: what it has without a way to one.
    init(loweringToken method: ResolvedMethod) {
        let presents = method.grants.flatMap(\.authenticate).compactMap { step in
            if case .present(let present) = step { present } else { nil }
        }
        let dismissal = presents.flatMap(\.failures).first { $0.failure == .dismissed }?.errorCase
        let failures: [(failure: Failure, errorCase: Located<String>?)] = [
            (.cancelled, dismissal), (.invalidArgument, method.invalidArgument), (.busy, method.busy),
        ]
        self.init(
            name: method.name, stem: method.stem, documentation: method.documentation, title: method.title, parameters: [],
            slots: [],
            challenges: method.challenges.map { Challenge(lowering: $0) },
            credential: Credential(
                fields: [], separators: [], space: .origin, destinations: [], isForRequested: true, token: Token()),
            acquire: [], attach: [], rejections: Self.rejections(of: method), end: [], errors: method.errorTypes,
            failures: failures.compactMap { failure, errorCase in errorCase.map { (failure: failure, errorCase: $0) } })
    }

    /// The program of one of its ways to a token.
    ///
    /// Its first slot is for the servers that the token is for.
    public init(lowering grant: ResolvedGrant, of method: ResolvedMethod) {
        self.init(loweringToken: method)
        self.grant = grant.name.value
        var slots = LoweredSlots(at: grant.name.location)
        credential.destinations = [slots.slot(Located("servers", at: grant.name.location), .servers)]
        acquire = grant.authenticate.flatMap { Step.lowering($0, &slots) }
        let refresh = grant.refresh.flatMap { Step.lowering($0, &slots) }
        credential.token = Token(access: slots.slot(ifKnown: .accessToken), refresh: slots.slot(ifKnown: .refreshToken))
        renewal = refresh.isEmpty ? nil : Renewal(needs: [credential.token?.refresh].compactMap(\.self), steps: refresh)
        self.slots = slots.all
    }
}

extension ResolvedProgram.Step {
    fileprivate static func lowering(_ step: ResolvedStep, _ slots: inout LoweredSlots) -> [Self] {
        switch step {
        case .generate(let values): values.flatMap { actions(of: $0, &slots) }.map { Self(conditions: [], action: $0) }
        case .present(let present): [Self(conditions: [], action: .present(.init(loweringRedirect: present, &slots)))]
        case .request(let request): [Self(conditions: [], action: .token(.init(lowering: request, &slots)))]
        // Not on the way to a token.
        case .fail, .load, .ask, .store, .delete, .again, .againIfStored: []
        }
    }

    private static func actions(of value: ResolvedStep.Generated, _ slots: inout LoweredSlots) -> [Action] {
        switch value {
        case .state: return [.compute(slot: slots.slot(of: .state), .random)]
        case .codeVerifier:
            let verifier = slots.slot(of: .codeVerifier)
            let hash = ResolvedProgram.Function.codeChallenge(.init(pieces: [.slot(verifier)]))
            return [.compute(slot: verifier, .random), .compute(slot: slots.slot(of: .codeChallenge), hash)]
        }
    }
}

extension ResolvedProgram.Member {
    fileprivate init(lowering named: NamedTemplate, _ slots: inout LoweredSlots) {
        self.init(name: .init(pieces: [.text(named.name.value)]), value: slots.member(named.value))
    }

    fileprivate static func lowering(_ named: [NamedTemplate], _ slots: inout LoweredSlots) -> [Self] {
        named.map { Self(lowering: $0, &slots) }
    }
}

extension ResolvedProgram.Page {
    /// A page that ends at a redirect to the application.
    fileprivate init(loweringRedirect present: ResolvedPresent, _ slots: inout LoweredSlots) {
        // Before any text that names the same field.
        let redirect = slots.url(present.finish).slots.first ?? 0
        let url = slots.url(present.url)
        var alternatives: [Alternative] = []
        for page in present.alternatives {
            let without = page.without.contains(.codeVerifier) ? [FlowSlot.codeVerifier, .codeChallenge] : []
            alternatives.append(
                Alternative(
                    url: slots.url(page.url, isOptional: true), isOnlyEmbedded: page.isOnlyEmbedded,
                    query: page.query.map { ResolvedProgram.Member.lowering($0, &slots) },
                    without: without.map { slots.slot(of: $0) }))
        }
        let query = ResolvedProgram.Member.lowering(present.query, &slots)
        let verify = ResolvedProgram.Member.lowering(present.redirect?.verify ?? [], &slots)
        // Without anything to capture, that the browser came back to this login is the answer.
        let proofs = (present.redirect?.verify ?? []).filter { $0.value.pieces.contains(.slot(.state)) }.map(\.name.value)
        let captures = (present.redirect?.capture ?? []).map { capture in
            ResolvedProgram.Capture(
                slot: slots.slot(of: .captured(capture.slot.value)), source: .query(capture.name), isOptional: false)
        }
        self.init(
            url: url, alternatives: alternatives, query: query,
            end: .redirect(
                slot: redirect, verify: verify,
                answers: [
                    .refusal(at: present.location),
                    .init(pattern: .init(captures, or: proofs, at: present.location), isRefusal: false),
                ]),
            explanations: present.explanations, failures: present.failures)
    }
}

extension ResolvedProgram.Answer {
    /// The redirect of a server that refuses (RFC 6749, section 4.1.2.1).
    fileprivate static func refusal(at location: SourceLocation) -> Self {
        Self(pattern: .init([], or: ["error"], at: location, named: "refused"), isRefusal: true)
    }
}

extension ResolvedProgram.Challenge {
    /// An answer in a query.
    ///
    /// - Parameters:
    ///   - captures: What is taken from it, all of which has to be there.
    ///   - names: What has to be there where nothing is taken.
    fileprivate init(
        _ captures: [ResolvedProgram.Capture], or names: [String], at location: SourceLocation, named name: String = "answer"
    ) {
        let captured = captures.compactMap { capture in
            if case .query(let name) = capture.source { name } else { nil }
        }
        self.init(
            name: Located(name, at: location), statuses: [], headers: [], schemes: [], json: [],
            query: (captured.isEmpty ? names : captured).map { .init(name: $0, match: .present) }, captures: captures)
    }
}

extension ResolvedProgram.TokenCall {
    fileprivate init(lowering request: ResolvedRequest, _ slots: inout LoweredSlots) {
        let url = slots.url(request.url)
        let client = request.client.map { ResolvedProgram.Client(lowering: $0, &slots) }
        let form = ResolvedProgram.Member.lowering(request.form, &slots)
        let preparation = request.prepare.map { slots.slot($0, .preparation($0)) }
        self.init(url: url, client: client, form: form, preparation: preparation, failures: request.failures)
    }
}

extension ResolvedProgram.Client {
    fileprivate init(lowering client: ResolvedRequest.Client, _ slots: inout LoweredSlots) {
        let authentication: String? =
            switch client.authentication {
            case .basic: nil
            case .rawBasic: "raw_basic"
            case .body: "client_secret_post"
            }
        let identifier = slots.member(client.id)
        self.init(
            identifier: identifier, secret: client.secret.map { slots.member($0) },
            authentication: authentication.map { .init(pieces: [.text($0)]) })
    }
}
