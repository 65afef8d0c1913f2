internal import Countersign
internal import CountersignSpec

// The requests of a program.

extension HTTPCall {
    init(_ call: ResolvedProgram.Call) {
        self.init(
            call.method.rawValue, ProgramTemplate(call.url), query: NamedList(call.query),
            headers: NamedList(call.headers),
            body: call.body.map { Body($0) },
            login: call.login.map { Login(user: ProgramTemplate($0.user), password: ProgramTemplate($0.password)) },
            signature: call.signature.map { SignatureVersion4($0) }, proof: call.proof.map { ProofOfPossession($0) },
            client: call.client.map(Client.init), answers: call.answers.map(Answer.init), usesSession: call.usesSession,
            identity: call.identity,
            pins: call.pins, message: call.message)
    }
}

extension HTTPCall.Body {
    init(_ body: ResolvedProgram.Body) {
        self =
            switch body {
            case .form(let members): .form(NamedList(members))
            case .json(let json): .json(JSONTemplate(json))
            case .xml(let text): .xml(ProgramTemplate(text))
            case .data(let slot, let type): .data(slot, type: type)
            }
    }
}

extension HTTPCall.Client {
    init(_ client: ResolvedProgram.Client) {
        func optional(_ template: ResolvedProgram.Template?) -> ProgramTemplate? { template.map { ProgramTemplate($0) } }
        self.init(
            ProgramTemplate(client.identifier), secret: optional(client.secret),
            authentication: optional(client.authentication) ?? "client_secret_basic", key: optional(client.key),
            keyIdentifier: optional(client.keyIdentifier), audience: optional(client.audience),
            rsaAlgorithm: client.usesPSS ? .ps256 : .rs256)
    }
}
