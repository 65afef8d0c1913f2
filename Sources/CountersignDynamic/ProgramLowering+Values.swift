internal import Countersign
internal import CountersignSpec

// The values of programs: slots, templates, conditions, times, JSON, and the functions that compute them.

extension ProgramSlot {
    init(_ slot: ResolvedProgram.Slot) {
        self =
            switch slot.source {
            case .parameter: .parameter(slot.name.value, isSecret: slot.isSecret, identifies: slot.identifies)
            case .challenge: .challenge(slot.name.value, isSecret: slot.isSecret)
            case .credential: .credential(slot.name.value, isSecret: slot.isSecret)
            case .step: .step(slot.name.value, isSecret: slot.isSecret)
            }
    }
}

extension ProgramTemplate {
    init(_ template: ResolvedProgram.Template) {
        self.init(
            template.pieces.map { piece in
                switch piece {
                case .text(let text): .text(text)
                case .slot(let slot): .slot(slot)
                case .requestOrigin: .requestOrigin
                case .request(let part): .request(RequestPart(part))
                case .computed(let number): .computed(number)
                }
            })
    }
}

extension NamedList<HTTPCall.Member> {
    init(_ members: [ResolvedProgram.Member]) {
        self.init(members.map { HTTPCall.Member(ProgramTemplate($0.name), ProgramTemplate($0.value)) })
    }
}

extension NamedList<ChallengePattern.Named> {
    init(_ conditions: [ResolvedProgram.Condition]) {
        self.init(conditions.map { ChallengePattern.Named(ProgramTemplate($0.name), ChallengePattern.Match($0.match)) })
    }
}

extension StepTime {
    init(_ time: ResolvedProgram.Time) {
        self =
            switch time {
            case .milliseconds(let count): .fixed(.milliseconds(count))
            case .slot(let slot): .slot(slot)
            }
    }
}

extension StepCondition {
    init(_ requirement: ResolvedProgram.Requirement) {
        self = requirement.isPresent ? .present(requirement.slot) : .absent(requirement.slot)
    }
}

extension JSONTemplate {
    init(_ json: ResolvedProgram.JSON) {
        self =
            switch json {
            case .text(let template): .text(ProgramTemplate(template))
            case .value(let slot): .slot(slot)
            case .number(let number): .number(number)
            case .flag(let flag): .flag(flag)
            case .null: .null
            case .list(let items): .list(items.map { JSONTemplate($0) })
            case .object(let members): .object(members.map { Member(ProgramTemplate($0.name), JSONTemplate($0.value)) })
            }
    }
}

extension ProgramFunction {
    init(_ function: ResolvedProgram.Function) {
        self =
            switch function {
            case .random: .random
            case .totp(let key): .totp(ProgramTemplate(key))
            case .join(let texts): .join(texts.map { ProgramTemplate($0) })
            case .encode(let texts, let encoding): .encode(texts.map { ProgramTemplate($0) }, as: .init(encoding))
            case .scopes(let texts): .scopes(texts.map { ProgramTemplate($0) })
            case .value(let slot): .value(slot)
            case .json(let json): .json(JSONTemplate(json))
            case .certificate(let function): .certificate(CertificateFunction(function))
            case .digest(let digest): .digest(DigestFunction(digest))
            case .derive(let derivation): .derive(KeyDerivation(derivation))
            case .part(let text, let start, let end):
                .part(
                    TextPart(
                        of: ProgramTemplate(text), after: start.map { ProgramTemplate($0) }, before: end.map { ProgramTemplate($0) }
                    ))
            case .time(let format, let clock): .time(TimeFormat(format), clock: clock)
            case .merge(let objects): .merge(objects.map { JSONTemplate($0) })
            case .same(let texts): .same(texts.map { ProgramTemplate($0) })
            case .signingKey: .signingKey
            case .thumbprint(let key): .thumbprint(ProgramTemplate(key))
            case .token(let token): .token(TokenFunction(token))
            }
    }
}

extension DigestFunction {
    init(_ digest: ResolvedProgram.Digest) {
        self.init(
            Algorithm(digest.algorithm), of: ProgramTemplate(digest.message), messageEncoding: KeyEncoding(digest.messageEncoding),
            key: digest.key.map { ProgramTemplate($0) }, keyEncoding: KeyEncoding(digest.keyEncoding),
            as: Encoding(digest.encoding))
    }
}

extension DigestFunction.Algorithm {
    init(_ algorithm: ResolvedProgram.Digest.Algorithm) {
        self =
            switch algorithm {
            case .sha256: .sha256
            case .sha384: .sha384
            case .sha512: .sha512
            }
    }
}

extension KeyDerivation {
    init(_ derivation: ResolvedProgram.KeyDerivation) {
        self.init(
            DigestFunction.Algorithm(derivation.algorithm), of: ProgramTemplate(derivation.password),
            passwordEncoding: DigestFunction.KeyEncoding(derivation.passwordEncoding), salt: ProgramTemplate(derivation.salt),
            saltEncoding: DigestFunction.KeyEncoding(derivation.saltEncoding), iterations: ProgramTemplate(derivation.iterations),
            as: DigestFunction.Encoding(derivation.encoding))
    }
}

extension DigestFunction.Encoding {
    init(_ encoding: ResolvedProgram.Digest.Encoding) {
        self =
            switch encoding {
            case .hex: .hex
            case .base64: .base64
            case .base64url: .base64url
            }
    }
}

extension TokenFunction {
    init(_ token: ResolvedProgram.SignedToken) {
        self.init(
            token.claims.map { JSONTemplate.Member(ProgramTemplate($0.name), JSONTemplate($0.value)) },
            key: ProgramTemplate(token.key), keyIdentifier: token.keyIdentifier.map { ProgramTemplate($0) },
            rsaAlgorithm: token.usesPSS ? .ps256 : .rs256,
            lifetime: .milliseconds(token.lifetime), clockSkew: .milliseconds(token.clockSkew))
    }
}

extension TimeFormat {
    init(_ format: ResolvedProgram.TimeFormat) {
        self =
            switch format {
            case .unix: .unix
            case .unixMilliseconds: .unixMilliseconds
            case .rfc3339: .rfc3339
            case .http: .http
            }
    }
}

extension RequestPart {
    init(_ part: ResolvedProgram.RequestPart) {
        self =
            switch part {
            case .method: .method
            case .host: .host
            case .path: .path
            case .query: .query
            case .target: .target
            case .body: .body
            }
    }
}

extension CertificateFunction {
    init(_ function: ResolvedProgram.CertificateFunction) {
        func optional(_ template: ResolvedProgram.Template?) -> ProgramTemplate? { template.map { ProgramTemplate($0) } }
        self =
            switch function {
            case .key(let kind): .key(ProgramTemplate(kind))
            case .request(let key, let subject, let dns, let email):
                .request(key: key, subject: optional(subject), dns: optional(dns), email: optional(email))
            case .identity(let key, let certificates): .identity(key: key, certificates: certificates)
            case .pem(let slot): .pem(slot)
            case .serialNumber(let slot): .serialNumber(slot)
            case .lifetime(let slot): .lifetime(slot)
            }
    }
}
