/// The values in the requests of a method: in those that its steps send, and in those that carry the credential.
///
/// Texts that are only compared with a response are in no request. Each switch names all cases, so that a new kind of request needs
/// a decision here; a test compares the result with all templates of the model.
struct SentContents {
    struct Item {
        let content: SecretContent
        let part: SecretDestinations.Part
        let request: SecretDestinations.Request
        let origins: [SecretDestinations.Origin]
        /// `nil` for the application's requests.
        let step: SecretDestinations.StepNumber?
    }

    private typealias Part = SecretDestinations.Part

    /// A value in a part of a request.
    private struct Piece {
        let part: Part
        let content: SecretContent

        init(_ part: Part, _ content: SecretContent) {
            self.part = part
            self.content = content
        }
    }

    private let program: ResolvedProgram
    private let origins: RequestOrigins

    init(_ program: ResolvedProgram) {
        self.program = program
        origins = RequestOrigins(program)
    }

    /// The contents of all requests.
    var all: [Item] {
        steps(program.acquire, .acquire) + steps(program.renewal?.steps ?? [], .renew) + steps(program.end, .end) + attached
    }

    // MARK: Steps

    private func steps(
        _ steps: [ResolvedProgram.Step], _ section: SecretDestinations.Section, in parent: String = ""
    ) -> [Item] {
        steps.enumerated().flatMap { index, step -> [Item] in
            let number = "\(parent)\(index + 1)"
            return items(of: step.action, SecretDestinations.StepNumber(section: section, number: number))
        }
    }

    private func items(of action: ResolvedProgram.Step.Action, _ step: SecretDestinations.StepNumber) -> [Item] {
        switch action {
        case .prompt, .compute, .verify, .ask: []
        case .http(let call): items(call.method, call.url, pieces(of: call) + cookies, step)
        case .token(let call): items(.post, call.url, pieces(of: call.request), step)
        case .document(let document):
            document.places.flatMap { items(.get, $0.url, inPath($0.url), step) }
        case .present(let page): items(of: page, step)
        case .repeat(let repetition): steps(repetition.steps, step.section, in: step.number + ".")
        }
    }

    private func items(
        _ method: ResolvedProgram.Call.Method, _ url: ResolvedProgram.Template, _ pieces: [Piece],
        _ step: SecretDestinations.StepNumber
    ) -> [Item] {
        items(.step(method, url), origins.of(url), pieces, step)
    }

    private func items(
        _ request: SecretDestinations.Request, _ origins: [SecretDestinations.Origin], _ pieces: [Piece],
        _ step: SecretDestinations.StepNumber?
    ) -> [Item] {
        pieces.map { piece in
            // The rules for cookies decide, not the place of the request.
            let isCookies = piece.part.kind == .cookies && step != nil
            return Item(
                content: piece.content, part: piece.part, request: request, origins: isCookies ? [.ofCookies] : origins, step: step)
        }
    }

    private func items(of page: ResolvedProgram.Page, _ step: SecretDestinations.StepNumber) -> [Item] {
        let query = members(page.query, .query)
        let proof = page.verifier.map { self.pieces(.query("code_challenge"), $0, as: .hash) } ?? []
        // A browser that posts the form has the query in it, too; one that only opens URLs has the query in the URL.
        let form = members(page.form, .form)
        var items = self.items(.page(page.url), origins.of(page.url), inPath(page.url) + query + proof + form, step)
        for other in page.alternatives {
            let own = other.query.map { members($0, .query) } ?? query
            items += self.items(.page(other.url), origins.of(other.url), inPath(other.url) + own + proof, step)
        }
        if let push = page.push {
            let pushed = (query + proof).map { Piece(Part(.form, $0.part.name), $0.content) }
            let proof = push.proof.map { pieces(of: $0) } ?? []
            items += self.items(.post, push.url, inPath(push.url) + pushed + pieces(of: push.client) + proof, step)
        }
        if let code = page.code {
            items += self.items(.page(page.url), [], code.text.map { pieces(Part(.user), $0) } ?? [], step)
            if let url = code.complete { items += self.items(.page(url), origins.of(url), inPath(url), step) }
        }
        return items
    }

    private func pieces(of call: ResolvedProgram.Call) -> [Piece] {
        var pieces = inPath(call.url) + members(call.query, .query) + members(call.headers, .header)
        if let body = call.body { pieces += self.pieces(of: body) }
        if let login = call.login { pieces += self.pieces(.header("Authorization"), login.user, login.password) }
        if let signature = call.signature { pieces += self.pieces(of: signature) }
        if let proof = call.proof { pieces += self.pieces(of: proof) }
        if let client = call.client { pieces += self.pieces(of: client) }
        if let identity = call.identity { pieces.append(handshake(with: identity)) }
        return pieces
    }

    private func pieces(of body: ResolvedProgram.Body) -> [Piece] {
        switch body {
        case .form(let members): self.members(members, .form)
        case .json(let json): json.contents().map { Piece(Part(.json, $0.pointer), $0.content) }
        case .xml(let text): pieces(Part(.xml), text)
        case .data(let slot, _): [Piece(Part(.body), SecretContent(slot: slot))]
        }
    }

    private func pieces(of client: ResolvedProgram.Client) -> [Piece] {
        let part = Part(.client)
        let sent = [client.identifier, client.secret, client.keyIdentifier, client.audience].compactMap(\.self)
        guard let key = client.key else { return pieces(part, sent) }
        return pieces(part, sent) + pieces(part, key, as: .signature)
    }

    /// The part of a TLS handshake with a client identity, whose private key only signs.
    private func handshake(with identity: Int) -> Piece {
        Piece(Part(.handshake), SecretContent(slot: identity, form: .certificate))
    }

    /// The cookies that the steps' requests carry, if they are kept apart from the session's.
    private var cookies: [Piece] { program.credential.cookies.map { [Piece(Part(.cookies), SecretContent(slot: $0))] } ?? [] }

    // MARK: The application's requests

    private var attached: [Item] {
        let origins = self.origins.ofCredential
        let announced = members(program.announcements, .header)
        return items(.application, origins, announced + program.attach.flatMap { pieces(of: $0) } + token + cookies, nil)
    }

    /// The access token, which a method with a standard token attaches without `attach`.
    private var token: [Piece] {
        guard program.attach.isEmpty, let slot = program.credential.token?.access else { return [] }
        return [Piece(.header("Authorization"), SecretContent(slot: slot))]
    }

    private func pieces(of placement: ResolvedProgram.Placement) -> [Piece] {
        switch placement {
        case .header(let name, let value, _): pieces(Part(.header, name), name, value)
        case .query(let name, let value, _): pieces(Part(.query, name), name, value)
        case .form(let name, let value): pieces(Part(.form, name), name, value)
        case .json(let name, let json):
            pieces(of: ResolvedProgram.Body.json(.object([ResolvedProgram.JSON.Member(name: name, value: json)])))
        case .basic(let user, let password): pieces(.header("Authorization"), user, password)
        case .digest(let user, let password):
            pieces(Part.header("Authorization"), user) + pieces(Part.header("Authorization"), password, as: .hash)
        case .signature(let signature): pieces(of: signature)
        case .connection(let slot): [handshake(with: slot)]
        case .messageSignature(let signature): pieces(of: signature)
        case .computed(let functions, let headers, let query):
            members(headers, .header, functions) + members(query, .query, functions)
        case .proof(let proof): pieces(of: proof)
        case .negotiate(let negotiation): pieces(.header("Authorization"), negotiation.templates)
        }
    }

    // MARK: Signatures

    private func pieces(of signature: ResolvedProgram.SignatureVersion4) -> [Piece] {
        let isInQuery = signature.lifetimeInQuery != nil
        let scope = isInQuery ? Part.query("X-Amz-Credential") : Part.header("Authorization")
        let proof = isInQuery ? Part.query("X-Amz-Signature") : scope
        let token = isInQuery ? Part.query("X-Amz-Security-Token") : Part.header("X-Amz-Security-Token")
        let session = signature.session.map { pieces(token, $0) } ?? []
        return pieces(scope, [signature.identifier, signature.region, signature.service])
            + pieces(proof, signature.key, as: .signature) + session
    }

    private func pieces(of proof: ResolvedProgram.Proof) -> [Piece] {
        let part = Part.header("DPoP")
        let token = proof.token.map { pieces(part, $0, as: .hash) } ?? []
        return pieces(part, proof.key, as: .signature) + token
    }

    private func pieces(of signature: ResolvedProgram.MessageSignature) -> [Piece] {
        var given: [ResolvedProgram.Template] = []
        switch signature.nonce {
        case .given(let nonce)?: given = [nonce]
        case .random?, nil: break
        }
        let parameters = [signature.keyIdentifier, signature.tag].compactMap(\.self) + given
        return pieces(Part.header("Signature"), signature.key, as: .signature)
            + pieces(Part.header("Signature-Input"), parameters)
    }

    // MARK: Parts

    private func pieces(_ part: Part, _ templates: ResolvedProgram.Template...) -> [Piece] { pieces(part, templates) }

    private func pieces(_ part: Part, _ templates: [ResolvedProgram.Template]) -> [Piece] {
        templates.flatMap { $0.contents() }.map { Piece(part, $0) }
    }

    private func pieces(
        _ part: Part, _ template: ResolvedProgram.Template, as form: SecretDestinations.Form
    ) -> [Piece] {
        template.contents().map { Piece(part, $0.computed(as: form)) }
    }

    private func members(
        _ members: [ResolvedProgram.Member], _ kind: Part.Kind, _ functions: [ResolvedProgram.Function] = []
    ) -> [Piece] {
        members.flatMap { member in
            (member.name.contents(functions) + member.value.contents(functions)).map { Piece(Part(kind, member.name), $0) }
        }
    }

    /// The values in a URL after its origin.
    private func inPath(_ url: ResolvedProgram.Template) -> [Piece] { pieces(Part(.path), url) }
}
