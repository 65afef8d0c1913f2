import CountersignSpec

// The expressions of requests, login pages, and documents.

extension ProgramCompiler {
    /// Returns the expression for a request that the method itself sends.
    static func call(_ call: ResolvedProgram.Call) -> SwiftExpression {
        let login = call.login.map { login in
            Argument(
                "login",
                .call(".init", .init("user", template(login.user)), .init("password", template(login.password))))
        }
        return .call(
            "HTTPCall",
            [.init(nil, text(call.method.rawValue)), .init(nil, template(call.url))]
                + list("query", call.query.map(member))
                + list("headers", call.headers.map(member)) + optional("body", call.body, body)
                + (login.map { [$0] } ?? []) + optional("signature", call.signature, signature)
                + optional("proof", call.proof, proof)
                + optional("client", call.client, client) + [
                    .init("answers", .list(call.answers.map(answer)))
                ] + flag("usesSession", call.usesSession) + optional("identity", call.identity, SwiftExpression.number)
                + optional("pins", call.pins, SwiftExpression.number)
                + optional("message", call.message, text))
    }

    /// Returns the expression for a token request.
    static func tokenCall(_ call: ResolvedProgram.TokenCall, of program: ResolvedProgram) -> SwiftExpression {
        .call(
            "TokenCall",
            [.init(nil, template(call.url))] + optional("client", call.client, client)
                + [.init("form", .list(call.form.map(member)))]
                + optional("preparation", call.preparation, SwiftExpression.number)
                + list("failures", call.failures.compactMap { failure($0.failure, $0.errorCase, of: program) }))
    }

    private static func failure(
        _ failure: ResolvedProgram.TokenCall.Failure, _ errorCase: Located<String>, of program: ResolvedProgram
    ) -> SwiftExpression? {
        guard let number = program.errorNumber(of: errorCase) else { return nil }
        let word: SwiftExpression =
            switch failure {
            case .server: ".server"
            case .status: ".status"
            case .network: ".network"
            case .noResponse: ".noResponse"
            case .decode: ".decode"
            }
        return .sequence([word, ": ", .number(number)])
    }

    /// Returns the expression for a login page.
    static func page(_ page: ResolvedProgram.Page, of program: ResolvedProgram) -> SwiftExpression {
        switch page.end {
        case .redirect(let slot, let verify, let answers):
            redirectPage(page, slot, verify, answers, of: program)
        case .at(let end, let match):
            .call(
                "LoginPage",
                [.init(nil, template(page.url))] + list("instead", page.alternatives.map(alternative))
                    + [.init("endsAt", template(end)), .init("match", self.match(match))]
                    + optional("callback", page.callback, callback)
                    + list("explanations", page.explanations.map(explanation))
                    + list("failures", page.failures.compactMap { failure($0.failure, $0.errorCase, of: program) }))
        case .userCode(let code):
            .call(
                "LoginPage",
                [
                    .init(nil, template(page.url)),
                    .init(
                        "code",
                        .call(
                            ".init",
                            [.init(nil, code.text.map(template) ?? "nil")] + optional("complete", code.complete, template)
                                + optional("lifetime", code.lifetime, time))),
                ] + list("failures", page.failures.compactMap { failure($0.failure, $0.errorCase, of: program) }))
        }
    }

    private static func redirectPage(
        _ page: ResolvedProgram.Page, _ slot: Int, _ verify: [ResolvedProgram.Member], _ answers: [ResolvedProgram.Answer],
        of program: ResolvedProgram
    ) -> SwiftExpression {
        var arguments = [Argument(nil, template(page.url))] + list("instead", page.alternatives.map(alternative))
        arguments.append(.init("query", .list(page.query.map(member))))
        arguments += list("form", page.form.map(member))
        if let verifier = page.verifier { arguments.append(.init("verifier", template(verifier))) }
        if let push = page.push { arguments.append(.init("push", self.push(push))) }
        arguments += [
            .init("redirect", .number(slot)), .init("verify", .list(verify.map(member))),
        ]
        arguments += list("agreed", page.agreed.map(member))
        arguments += [
            .init("answers", .list(answers.map(answer)))
        ]
        arguments += list("explanations", page.explanations.map(explanation))
        arguments += list("failures", page.failures.compactMap { failure($0.failure, $0.errorCase, of: program) })
        return .call("LoginPage", arguments)
    }

    private static func push(_ push: ResolvedProgram.Page.Push) -> SwiftExpression {
        .call(
            ".init",
            [.init("to", template(push.url)), .init("client", client(push.client))] + optional("proof", push.proof, proof))
    }

    private static func alternative(_ page: ResolvedProgram.Page.Alternative) -> SwiftExpression {
        .call(
            ".init",
            [.init(nil, template(page.url))] + flag("isOnlyEmbedded", page.isOnlyEmbedded)
                + (page.query.map { [.init("query", .list($0.map(member)))] } ?? [])
                + (page.without.isEmpty ? [] : [.init("without", .list(page.without.map { .number($0) }))]))
    }

    private static func match(_ match: ResolvedProgram.Page.Match) -> SwiftExpression {
        switch match {
        case .exact: ".exact"
        case .path: ".path"
        case .pathAndQueryNames: ".pathAndQueryNames"
        }
    }

    private static func explanation(_ explanation: (status: Int, text: String)) -> SwiftExpression {
        .sequence([.number(explanation.status), ": ", text(explanation.text)])
    }

    private static func failure(
        _ failure: ResolvedProgram.Page.Failure, _ errorCase: Located<String>, of program: ResolvedProgram
    ) -> SwiftExpression? {
        guard let number = program.errorNumber(of: errorCase) else { return nil }
        let word: SwiftExpression
        switch failure {
        case .dismissed: word = ".dismissed"
        case .load: word = ".load"
        case .refused: word = ".refused"
        case .reloaded: word = ".reloaded"
        case .background: word = ".background"
        case .server: word = ".server"
        case .missing: word = ".missing"
        }
        return .sequence([word, ": ", .number(number)])
    }

    private static func callback(_ callback: ResolvedCallback) -> SwiftExpression {
        .call(
            "CallbackRule",
            .init("schemeEnding", text(callback.schemeEnding)), .init("host", text(callback.host)),
            .init("path", text(callback.path)), .init("application", text(callback.application)),
            .init("source", callback.source.map(text) ?? "nil"),
            .init(
                "query",
                .list(callback.query.map { .call(".init", .init(nil, text($0.name.value)), .init("as", text($0.pageName))) })))
    }

    private static func client(_ client: ResolvedProgram.Client) -> SwiftExpression {
        let optional: [(SwiftExpression, ResolvedProgram.Template?)] = [
            ("secret", client.secret), ("authentication", client.authentication), ("key", client.key),
            ("keyIdentifier", client.keyIdentifier), ("audience", client.audience),
        ]
        let arguments = optional.compactMap { label, value in value.map { Argument(label, template($0)) } }
        let algorithm = client.usesPSS ? [Argument("rsaAlgorithm", ".ps256")] : []
        return .call(".init", [Argument(nil, template(client.identifier))] + arguments + algorithm)
    }

    private static func body(_ body: ResolvedProgram.Body) -> SwiftExpression {
        switch body {
        case .form(let members): .call(".form", .init(nil, .list(members.map(member))))
        case .json(let json): .call(".json", .init(nil, self.json(json)))
        case .xml(let text): .call(".xml", .init(nil, template(text)))
        case .data(let slot, let type): .call(".data", .init(nil, .number(slot)), .init("type", text(type)))
        }
    }

    /// Returns the expression for a document that a server publishes.
    static func document(_ document: ResolvedProgram.Document) -> SwiftExpression {
        let places = document.places.map { place -> SwiftExpression in
            place.wellKnown.map {
                .call(
                    ".wellKnown", [.init(nil, text($0)), .init("of", template(place.url))] + flag("isRoot", place.isRoot))
            }
                ?? .call(".url", .init(nil, template(place.url)))
        }
        return .call(
            "ProgramDocument",
            [.init("at", .list(places))] + list("json", document.content.json.map(condition)) + [
                .init("captures", .list(document.content.captures.map(capture))),
                .init("for", LiteralCompiler.duration(milliseconds: document.lifetime)),
            ])
    }

    /// Returns the expression for the verification of a token.
    static func verification(_ verification: ResolvedProgram.Verification) -> SwiftExpression {
        .call(
            "TokenVerification",
            [
                .init("token", .number(verification.token)), .init("keys", .number(verification.keys)),
                .init("claims", .list(verification.claims.map(member))),
            ] + optional("accessToken", verification.accessToken, SwiftExpression.number)
                + optional("maximumAge", verification.maximumAge, SwiftExpression.number)
                + list("captures", verification.captures.map(capture)))
    }

    /// Returns the expression for a step that asks the user for the values that a server's page requests.
    static func ask(
        _ page: ResolvedProgram.PromptPage, of server: Int, into slot: Int, within limit: Int
    ) -> SwiftExpression {
        let members = page.map { key, text in
            let label: SwiftExpression =
                switch key {
                case .fields: "fields"
                case .name: "name"
                case .prompt: "prompt"
                case .preset: "preset"
                case .type: "type"
                case .hidden: "hidden"
                case .confirms: "confirms"
                case .message: "message"
                case .messageType: "messageType"
                case .disclaimer: "disclaimer"
                }
            return Argument(label, self.text(text))
        }
        return .call(
            ".ask", .init(nil, .call("PromptPage", members)), .init("of", .number(server)), .init("into", .number(slot)),
            .init("within", LiteralCompiler.duration(milliseconds: limit)))
    }

    static func member(_ member: ResolvedProgram.Member) -> SwiftExpression {
        .sequence([template(member.name), ": ", template(member.value)])
    }

    private static func answer(_ answer: ResolvedProgram.Answer) -> SwiftExpression {
        .call(
            ".init",
            pattern(answer.pattern) + flag("isRefusal", answer.isRefusal)
                + (answer.delay == 0 ? [] : [.init("delay", LiteralCompiler.duration(milliseconds: answer.delay))]))
    }
}
