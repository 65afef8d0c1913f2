extension ResolvedProgram {
    /// The program of a method of version 1.
    public init(lowering method: ResolvedMethod) {
        switch method.credential {
        case .sessionCookies: self.init(loweringCookies: method)
        case .oauth2Token: self.init(loweringToken: method)
        case .basic, .apiKey, .clientCertificate: self.init(loweringCredential: method)
        }
    }

    /// What follows a refusal: for challenges with an error of their own, then for all others.
    static func rejections(of method: ResolvedMethod) -> [Rejection] {
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
    /// A challenge of a method without parameters that its texts could name.
    public init(lowering challenge: ResolvedChallenge) {
        self.init(lowering: challenge) { ResolvedProgram.Template(pieces: [.text($0.literal)]) }
    }

    /// - Parameter template: Makes a text of one of version 1.
    init(
        lowering challenge: ResolvedChallenge, if conditions: [ResolvedProgram.Requirement] = [],
        capturing captures: [ResolvedProgram.Capture] = [], template: (ResolvedTemplate) -> ResolvedProgram.Template
    ) {
        func match(_ match: ResolvedChallenge.Match) -> ResolvedProgram.Condition.Match {
            switch match {
            case .present: .present
            case .equals(let text): .equals(template(text))
            case .prefix(let text): .prefix(template(text))
            case .contains(let text): .contains(template(text))
            }
        }
        self.init(
            name: challenge.name, conditions: conditions, isRefusedConnection: challenge.isRefusedConnection,
            statuses: challenge.statuses,
            headers: challenge.fields.map { ResolvedProgram.Condition(name: template($0.name), match: match($0.match)) },
            schemes: challenge.schemes.map { scheme in
                ResolvedProgram.Scheme(
                    field: scheme.field, name: scheme.name.value,
                    parameters: scheme.parameters.map { .init(name: $0.name.value, match: match($0.match)) })
            }, text: challenge.body.map { .contains(ResolvedProgram.Template(pieces: [.text($0)])) }, json: [], query: [],
            captures: challenge.isRefusedConnection ? [] : captures)
    }
}

extension ResolvedTemplate {
    /// The text, of a method without parameters that it could name.
    var literal: String {
        pieces.map { piece in
            if case .text(let text) = piece { text } else { "" }
        }.joined()
    }
}
