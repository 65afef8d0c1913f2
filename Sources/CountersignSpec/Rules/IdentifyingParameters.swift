/// The rule that a parameter with `identifies: false` changes neither the stored credential nor the server and the client that it
/// belongs to.
///
/// Otherwise a credential that was stored with one value would be used with another one: it would be sent to other servers, be
/// renewed by another client, or be that of another user.
enum IdentifyingParameters {
    static func check(_ program: ResolvedProgram, into diagnostics: inout DiagnosticCollector) {
        for (number, slot) in program.slots.enumerated() where slot.source == .parameter && !slot.identifies {
            guard let use = program.identifyingUses.first(where: { $0.slots.contains(number) }) else { continue }
            diagnostics.report(
                .identifyingParameter,
                "'\(slot.name.value)' identifies the credential, because it is \(use.words); remove 'identifies: false'",
                at: slot.name.span)
        }
    }
}

extension ResolvedProgram {
    /// The slots by which a credential differs from another one, with the words for their use.
    fileprivate var identifyingUses: [(slots: [Int], words: String)] {
        let obtaining = (acquire + (renewal?.steps ?? [])).flatMap(\.all)
        // A field that no request carries, such as the granted scopes, describes the credential.
        let carried = Set(credential.fields.filter { !$0.isForStore }.map(\.slot))
        let computed = obtaining.compactMap(\.computed).filter { carried.contains($0.slot) }.flatMap(\.function.templates)
        let claims = obtaining.compactMap(\.computed).flatMap(\.function.claims)
        // A request of `end` only says that the credential is no longer used.
        let addresses = obtaining.flatMap(\.addresses)
        let users = obtaining.compactMap(\.call?.login?.user)
        let clients = steps.flatMap(\.clients).map(\.identifier)
        let uses: [(templates: [Template], words: String)] = [
            (credential.separators, "under 'per'"),
            (credential.fields.compactMap(\.value) + computed, "part of a field of it"),
            (attach.flatMap(\.templates), "under 'attach'"),
            (claims, "in a claim of a token by which it is obtained"),
            (addresses, "part of a URL from which it is obtained"),
            (clients, "the identifier of the client"),
            (users, "the name of the user"),
        ]
        var identifying: [(slots: [Int], words: String)] = [(credential.destinations, "under 'for'")]
        identifying += uses.map { (slots: $0.templates.flatMap(\.slots), words: $0.words) }
        identifying += obtaining.flatMap(\.userNames).map {
            (slots: $0.value.slots, words: "the user's name, as '\($0.name)' of a request by which it is obtained")
        }
        return identifying
    }
}

extension ResolvedProgram.Step {
    /// The URLs of the step's requests, documents and pages.
    fileprivate var addresses: [ResolvedProgram.Template] {
        switch action {
        case .http, .document: calls.map(\.url)
        case .token(let call): [call.url]
        case .present(let page): [page.url] + page.alternatives.map(\.url) + [page.push?.url].compactMap(\.self)
        case .prompt, .verify, .compute, .ask, .repeat: []
        }
    }

    /// The values that a request of the step sends as the name of a user, in its query, a form or JSON, with their names there.
    fileprivate var userNames: [(name: String, value: ResolvedProgram.Template)] {
        var members: [ResolvedProgram.Member] = []
        var json: ResolvedProgram.JSON?
        switch action {
        case .http(let call):
            members = call.query
            switch call.body {
            case .form(let form): members += form
            case .json(let body): json = body
            case .xml, .data, nil: break
            }
        case .token(let call): members = call.form
        case .document, .present, .prompt, .verify, .compute, .ask, .repeat: break
        }
        return members.compactMap { member in member.name.userName.map { (name: $0, value: member.value) } }
            + (json?.userNames ?? [])
    }

    /// The clients that the step's requests are from.
    fileprivate var clients: [ResolvedProgram.Client] {
        switch action {
        case .http(let call): [call.client].compactMap(\.self)
        case .token(let call): [call.client].compactMap(\.self)
        case .present(let page): [page.push?.client].compactMap(\.self)
        case .document, .prompt, .verify, .compute, .ask, .repeat: []
        }
    }
}

extension ResolvedProgram.Function {
    /// The claims of a signed token, without its key, which an application can replace; empty for other functions.
    fileprivate var claims: [ResolvedProgram.Template] {
        if case .token(let token) = self { ResolvedProgram.JSON.object(token.claims).templates } else { [] }
    }
}
