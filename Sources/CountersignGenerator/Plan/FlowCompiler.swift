import CountersignSpec

/// Makes the constants that the runtime executes of a method with tokens: its challenges and the steps of its grants.
struct FlowCompiler {
    let method: ResolvedMethod
    /// What the closures get.
    let subject: TemplateCompiler.Subject

    init(_ method: ResolvedMethod, subject: TemplateCompiler.Subject) {
        self.method = method
        self.subject = subject
    }

    /// `GrantMethod<…>(…)`.
    func tokenDefinition(failure: SwiftTypeName) throws -> SwiftExpression {
        var rejection: Located<String>?
        for case .fail(let name) in method.afterResend { rejection = name }
        let presents = method.grants.flatMap(\.authenticate).compactMap { step in
            if case .present(let present) = step { present } else { nil }
        }
        let cancellation = presents.flatMap(\.failures).first { $0.failure == .dismissed }?.errorCase
        return .call(
            "GrantMethod<\(failure)>",
            .init("name", .text(SwiftStringLiteral(method.name.value))),
            .init("summary", .text(SwiftStringLiteral(method.documentation.summary))),
            .init("challenges", "challenges"),
            .init("rejection", try rejection.map { try failureValue($0, carrying: .nothing) } ?? "nil"),
            .init("errors", "errors"),
            .init("mock", Self.mock(method)),
            .init("busy", try busy),
            .init("cancellation", try cancellation.map { try failureValue($0, carrying: .nothing) } ?? "nil"),
            .init("invalidArgument", try invalidArgument))
    }

    private var busy: SwiftExpression {
        get throws { try method.busy.map { try failureValue($0, carrying: .nothing) } ?? "nil" }
    }

    private var invalidArgument: SwiftExpression {
        get throws {
            try method.invalidArgument.map { .closure(nil, try failureValue($0, carrying: .detail("$0"))) } ?? "nil"
        }
    }

    /// How the mock landscape plays the server.
    static func mock(_ method: ResolvedMethod) -> SwiftExpression {
        let redirect: SwiftExpression =
            switch method.mock.loginRedirect {
            case .javascript: ".javascript"
            case .redirect: ".redirect"
            }
        var arguments: [SwiftExpression.Argument] = [
            .init("sessionCookie", .text(SwiftStringLiteral(method.mock.sessionCookie))),
            .init("loginRedirect", redirect),
            .init("userField", .text(SwiftStringLiteral(method.mock.userField))),
            .init("passwordField", .text(SwiftStringLiteral(method.mock.passwordField))),
        ]
        if method.mock.page == .passcode { arguments.append(.init("page", ".passcode")) }
        return .call("MockDescription", arguments)
    }

    /// The descriptions of the error cases.
    var errors: [SwiftExpression] {
        method.errorTypes.flatMap { type in
            type.cases.map { errorCase in
                .call(
                    "ErrorDescription",
                    .init("type", .text(SwiftStringLiteral(type.name.value))),
                    .init("code", .text(SwiftStringLiteral(errorCase.name.value))),
                    .init("summary", .text(SwiftStringLiteral(errorCase.documentation.summary))))
            }
        }
    }

    func step(_ step: ResolvedStep) throws -> SwiftExpression {
        switch step {
        case .generate(let values):
            .call(
                ".generate",
                .init(
                    nil,
                    .list(
                        values.map { value in
                            switch value {
                            case .state: ".state"
                            case .codeVerifier: ".codeVerifier"
                            }
                        })))
        case .present(let present): .call(".present", .init(nil, try self.present(present)))
        case .request(let request): .call(".request", .init(nil, try self.request(request)))
        case .fail, .load, .ask, .store, .delete, .againIfStored, .again:
            throw GenerationProblem(at: method.name.location, "the steps to a token make, show and send something")
        }
    }

    private func present(_ present: ResolvedPresent) throws -> SwiftExpression {
        let pages = try present.alternatives.map(page)
        let instead: [SwiftExpression.Argument] = pages.isEmpty ? [] : [.init("instead", .list(pages))]
        guard let redirect = present.redirect else {
            throw GenerationProblem(at: present.location, "a page on the way to a token ends at a redirect")
        }
        guard let field = try TemplateCompiler(parameters: parameters.map { ($0, "$0.parameters") }).onlyReference(present.finish)
        else {
            throw GenerationProblem(at: present.finish.location, "a redirect is a field of type 'url', alone")
        }
        let captures = try redirect.capture.map { capture in
            SwiftExpression.sequence([
                .call("RedirectFinish.Capture", .init(nil, .text(SwiftStringLiteral(capture.name)))),
                " { $0.captured.\(try Planning.identifier(capture.slot)) = $1 }",
            ])
        }
        return .call(
            "PresentStep",
            instead + [
                .init("url", try url(present.url)),
                .init("query", .list(try present.query.map(named))),
                .init(
                    "redirect",
                    .call(
                        "RedirectFinish",
                        .init("url", try url(present.finish)),
                        .init("move", "{ \(field.access) = $1 }"),
                        .init("verify", .list(try redirect.verify.map(named))),
                        .init("capture", .list(captures)),
                        .init("failure", try redirectFailures(present)))),
            ] + extras(of: present) + [.init("failure", try failures(present))])
    }

    private func page(_ page: ResolvedPage) throws -> SwiftExpression {
        var arguments: [SwiftExpression.Argument] = [.init(nil, try TemplateCompiler.optionalURL(page.url, of: subject))]
        if page.isOnlyEmbedded { arguments.append(.init("isOnlyEmbedded", "true")) }
        if let query = page.query { arguments.append(.init("query", .list(try query.map(named)))) }
        if page.without.contains(.codeVerifier) { arguments.append(.init("adjust", "{ $0.proofKey = nil }")) }
        return .call("AlternativePage", arguments)
    }

    private func request(_ request: ResolvedRequest) throws -> SwiftExpression {
        var arguments: [SwiftExpression.Argument] = [
            .init("url", try url(request.url)),
            .init("client", try request.client.map(client) ?? "nil"),
            .init("form", .list(try request.form.map(named))),
        ]
        if let prepare = request.prepare {
            let handler: SwiftExpression = "$0.parameters.\(try Planning.identifier(prepare))"
            arguments.append(.init("prepare", "{ GeneratedCodeVersion1.preparation(\(handler)) }"))
        }
        arguments.append(.init("failure", try failures(request)))
        return .call("RequestStep", arguments)
    }

    private func client(_ client: ResolvedRequest.Client) throws -> SwiftExpression {
        let secret: SwiftExpression =
            try client.secret.map { try TemplateCompiler.optional($0, of: subject) } ?? "Template(\"\") { _ in nil }"
        let authentication: SwiftExpression =
            switch client.authentication {
            case .basic: ".basic"
            case .rawBasic: ".rawBasic"
            case .body: ".body"
            }
        return .call(
            "ClientTemplate",
            .init("id", try TemplateCompiler.optional(client.id, of: subject)),
            .init("secret", secret),
            .init("authentication", authentication))
    }

    private func named(_ named: NamedTemplate) throws -> SwiftExpression {
        try TemplateCompiler.named(named, of: subject)
    }

    private var parameters: ResolvedParameters? {
        switch subject {
        case .parameters(let parameters), .values(let parameters): parameters
        case .nothing: nil
        }
    }

    private func url(_ template: ResolvedTemplate) throws -> SwiftExpression {
        try TemplateCompiler.template(template, of: subject, isURL: true)
    }
}
