// The values in templates, JSON and functions, and what is left of them there. Each switch names all cases, so that a new construct
// of the language needs a decision here.

/// A value that something else contains.
struct SecretContent: Hashable {
    let slot: Int
    /// The form of it in the other one.
    var form = SecretDestinations.Form.itself

    /// Returns the content of something that is computed from this one, and from which the value cannot be recovered.
    func computed(as form: SecretDestinations.Form) -> SecretContent {
        self.form == .itself ? SecretContent(slot: slot, form: form) : self
    }
}

extension ResolvedProgram.Template {
    /// Returns the values in the template.
    ///
    /// - Parameter functions: The functions of the values that are computed for each request.
    func contents(_ functions: [ResolvedProgram.Function] = []) -> [SecretContent] {
        pieces.flatMap { piece -> [SecretContent] in
            switch piece {
            case .text, .requestOrigin, .request: []
            case .slot(let slot): [SecretContent(slot: slot)]
            case .computed(let number): functions[number].contents(functions)
            }
        }
    }
}

extension ResolvedProgram.JSON {
    /// A value in JSON, with the pointer of the member that has it.
    struct Content {
        let pointer: ResolvedProgram.Template
        let content: SecretContent
    }

    /// Returns the values in the JSON.
    func contents(at pointer: ResolvedProgram.Template = .init(pieces: [])) -> [Content] {
        switch self {
        case .text(let template): template.contents().map { Content(pointer: pointer, content: $0) }
        case .value(let slot): [Content(pointer: pointer, content: SecretContent(slot: slot))]
        case .number, .flag, .null: []
        case .list(let items):
            items.enumerated().flatMap { $0.element.contents(at: pointer.member(named: [.text("\($0.offset)")])) }
        case .object(let members):
            members.flatMap { member -> [Content] in
                let inner = pointer.member(named: member.name.pieces)
                let names = member.name.contents().map { Content(pointer: inner, content: $0) }
                return names + member.value.contents(at: inner)
            }
        }
    }
}

extension ResolvedProgram.Template {
    /// Returns the JSON pointer of a member.
    fileprivate func member(named name: [Piece]) -> ResolvedProgram.Template {
        ResolvedProgram.Template(pieces: pieces + [.text("/")] + name)
    }
}

extension ResolvedProgram.Function {
    /// Returns the values in the result of the function.
    ///
    /// - Parameter functions: The functions of the values that are computed for each request.
    func contents(_ functions: [ResolvedProgram.Function] = []) -> [SecretContent] {
        switch self {
        // The result of a comparison is only a condition for steps.
        case .random, .signingKey, .time, .same: []
        case .totp(let key): key.contents(functions).map { $0.computed(as: .passcode) }
        case .thumbprint(let key): key.contents(functions).map { $0.computed(as: .thumbprint) }
        case .join(let templates), .scopes(let templates), .encode(let templates, _):
            templates.flatMap { $0.contents(functions) }
        case .json(let json): json.contents().map(\.content)
        case .merge(let objects): objects.flatMap { $0.contents().map(\.content) }
        case .value(let slot): [SecretContent(slot: slot)]
        case .certificate(let function): function.contents
        case .digest(let digest):
            [digest.message, digest.key].compactMap(\.self).flatMap { $0.contents(functions) }
                .map { $0.computed(as: digest.key == nil ? .hash : .authenticationCode) }
        case .derive(let derivation):
            [derivation.password, derivation.salt].flatMap { $0.contents(functions) }.map { $0.computed(as: .hash) }
        case .part(let text, _, _): text.contents(functions)
        case .token(let token):
            token.key.contents(functions).map { $0.computed(as: .signature) } + token.visible(functions)
        }
    }
}

extension ResolvedProgram.SignedToken {
    /// The values that everyone who has the token can read.
    fileprivate func visible(_ functions: [ResolvedProgram.Function]) -> [SecretContent] {
        let claims = ResolvedProgram.JSON.object(self.claims).contents().map(\.content)
        return claims + (keyIdentifier?.contents(functions) ?? [])
    }
}

extension ResolvedProgram.CertificateFunction {
    /// The values in the result of the function.
    fileprivate var contents: [SecretContent] {
        switch self {
        case .key(let kind): kind.contents()
        case .request(let key, let subject, let dns, let email):
            [SecretContent(slot: key, form: .signature)] + [subject, dns, email].compactMap(\.self).flatMap { $0.contents() }
        case .identity(let key, let certificates): [SecretContent(slot: key), SecretContent(slot: certificates)]
        // The text of an identity has no private key.
        case .pem(let slot), .serialNumber(let slot), .lifetime(let slot): [SecretContent(slot: slot, form: .certificate)]
        }
    }
}
