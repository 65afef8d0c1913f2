internal import Countersign
internal import CountersignSpec

// The credential of a program: its shape, its places in requests, the answers to rejections, and the method's errors.

extension CredentialShape {
    init(_ credential: ResolvedProgram.Credential) {
        let space: Space =
            switch credential.space {
            case .origin: .origin
            case .directory: .directory
            case .servers: .servers
            case .request: .request
            }
        self.init(
            fields: credential.fields.map { .slot($0.slot, from: $0.value.map { ProgramTemplate($0) }) },
            separators: credential.separators.map { ProgramTemplate($0) }, space: space, lifetime: credential.lifetime,
            fixedLifetime: credential.fixedLifetime.map { .milliseconds($0) }, destinations: credential.destinations,
            recipients: credential.recipients,
            isForRequested: credential.isForRequested, isEager: credential.isEager, cookies: credential.cookies,
            isSessionCookies: credential.isSessionCookies,
            token: credential.token.map { Token(access: $0.access, refresh: $0.refresh) })
    }
}

extension CredentialUpdate {
    init(_ update: ResolvedProgram.Update) {
        let source: Source =
            switch update.source {
            case .headers(let names): .headers(names)
            case .cookie(let name): .cookie(name)
            }
        self.init(update.slot, from: source)
    }
}

extension CredentialPlacement {
    init(_ placement: ResolvedProgram.Placement) {
        self =
            switch placement {
            case .header(let name, let value, let methods):
                .header(ProgramTemplate(name), ProgramTemplate(value), methods: methods)
            case .query(let name, let value, let methods):
                .query(ProgramTemplate(name), ProgramTemplate(value), methods: methods)
            case .json(let name, let value): .json(ProgramTemplate(name), JSONTemplate(value))
            case .form(let name, let value): .form(ProgramTemplate(name), ProgramTemplate(value))
            case .basic(let user, let password): .basic(user: ProgramTemplate(user), password: ProgramTemplate(password))
            case .digest(let user, let password): .digest(user: ProgramTemplate(user), password: ProgramTemplate(password))
            case .signature(let signature): .signature(SignatureVersion4(signature))
            case .connection(let slot): .connection(slot)
            case .messageSignature(let signature): .messageSignature(MessageSignature(signature))
            case .computed(let functions, let headers, let query):
                .computed(functions.map { ProgramFunction($0) }, headers: NamedList(headers), query: NamedList(query))
            case .proof(let proof): .proof(ProofOfPossession(proof))
            case .negotiate(let negotiation):
                .negotiate(
                    Negotiation(
                        service: negotiation.service.map { ProgramTemplate($0) } ?? "HTTP",
                        principal: negotiation.principal.map { ProgramTemplate($0) }, bound: negotiation.bound,
                        anyMechanism: negotiation.anyMechanism))
            }
    }
}

extension ProofOfPossession {
    init(_ proof: ResolvedProgram.Proof) {
        self.init(key: ProgramTemplate(proof.key), token: proof.token.map { ProgramTemplate($0) })
    }
}

extension MessageSignature {
    init(_ signature: ResolvedProgram.MessageSignature) {
        let algorithm: Algorithm =
            switch signature.algorithm {
            case .hmacSHA256: .hmacSHA256
            case .ecdsaP256: .ecdsaP256
            case .ecdsaP384: .ecdsaP384
            case .ed25519: .ed25519
            case .rsaPSS: .rsaPSS
            case .rsaPKCS1: .rsaPKCS1
            }
        let nonce: Nonce? =
            switch signature.nonce {
            case .random: .random
            case .given(let template): .given(ProgramTemplate(template))
            case nil: nil
            }
        self.init(
            algorithm, key: ProgramTemplate(signature.key), keyEncoding: DigestFunction.KeyEncoding(signature.keyEncoding),
            keyIdentifier: signature.keyIdentifier.map { ProgramTemplate($0) }, components: signature.components,
            label: signature.label, lifetime: signature.lifetime.map { .milliseconds($0) },
            tag: signature.tag.map { ProgramTemplate($0) }, nonce: nonce, clock: signature.clock)
    }
}

extension DigestFunction.KeyEncoding {
    init(_ encoding: ResolvedProgram.Digest.KeyEncoding) {
        self =
            switch encoding {
            case .text: .text
            case .hex: .hex
            case .base64: .base64
            }
    }
}

extension SignatureVersion4 {
    init(_ signature: ResolvedProgram.SignatureVersion4) {
        self.init(
            id: ProgramTemplate(signature.identifier), key: ProgramTemplate(signature.key),
            session: signature.session.map { ProgramTemplate($0) }, region: ProgramTemplate(signature.region),
            service: ProgramTemplate(signature.service), clock: signature.clock,
            lifetimeInQuery: signature.lifetimeInQuery.map { .milliseconds($0) })
    }
}

extension RejectionRule.Action {
    init(_ action: ResolvedProgram.Rejection.Action) {
        self =
            switch action {
            case .resend: .resend
            case .renew: .renew
            case .acquire: .acquire
            }
    }
}

extension ProgramFailure {
    init(_ failure: ResolvedProgram.Failure) {
        self =
            switch failure {
            case .cancelled: .cancelled
            case .missing: .missing
            case .unusable: .unusable
            case .invalidArgument: .invalidArgument
            case .busy: .busy
            }
    }
}

extension ErrorTable {
    init(_ type: ResolvedErrorType, of method: String) {
        self.init(
            method,
            type.cases.map { errorCase in
                ErrorDescription(
                    type: type.name.value, code: errorCase.name.value, summary: errorCase.documentation.summary,
                    reason: errorCase.reason, recovery: errorCase.recovery)
            })
    }
}
