import CountersignSpec

/// Makes the constant that the runtime executes of a method's challenges and steps.
struct FlowCompiler {
    let method: ResolvedMethod

    init(_ method: ResolvedMethod) {
        self.method = method
    }

    /// `Method<…>(…)`, whose parts are constants beside it: the compiler checks small expressions quickly, and readers read them.
    ///
    /// The type's module is named because Foundation has a type of the same name on Apple's systems.
    func definition(parameters: SwiftTypeName, failure: SwiftTypeName) throws -> SwiftExpression {
        .call(
            "Countersign.Method<\(parameters), \(failure)>",
            .init("name", .text(SwiftStringLiteral(method.name.value))),
            .init("summary", .text(SwiftStringLiteral(method.documentation.summary))),
            .init("challenges", "challenges"),
            .init("credential", credential),
            .init("authenticate", "authenticate"),
            .init("afterResend", "afterResend"),
            .init("errors", "errors"),
            .init("mock", mock),
            .init("busy", try method.busy.map { try failureValue($0, carrying: .nothing) } ?? "nil"),
            .init(
                "invalidArgument",
                try method.invalidArgument.map { .closure(nil, try failureValue($0, carrying: .detail("$0"))) } ?? "nil"))
    }

    private var credential: SwiftExpression {
        switch method.credential {
        case .sessionCookies: ".sessionCookies"
        }
    }

    private var mock: SwiftExpression {
        let redirect: SwiftExpression =
            switch method.mock.loginRedirect {
            case .javascript: ".javascript"
            case .redirect: ".redirect"
            }
        return .call(
            "MockDescription",
            .init("sessionCookie", .text(SwiftStringLiteral(method.mock.sessionCookie))),
            .init("loginRedirect", redirect),
            .init("userField", .text(SwiftStringLiteral(method.mock.userField))),
            .init("passwordField", .text(SwiftStringLiteral(method.mock.passwordField))))
    }

    /// The descriptions of the error cases.
    var errors: [SwiftExpression] {
        method.errors.cases.map { errorCase in
            .call(
                "ErrorDescription",
                .init("type", .text(SwiftStringLiteral(method.errors.name.value))),
                .init("code", .text(SwiftStringLiteral(errorCase.name.value))),
                .init("summary", .text(SwiftStringLiteral(errorCase.documentation.summary))))
        }
    }

    func challenge(_ challenge: ResolvedChallenge) throws -> SwiftExpression {
        let fields = try challenge.fields.map { field in
            SwiftExpression.call(
                "FieldCondition", .init(nil, try text(field.name)), .init(nil, try match(field.match)))
        }
        let arguments: [SwiftExpression.Argument] = [
            .init("name", .text(SwiftStringLiteral(challenge.name.value))),
            .init("statuses", .list(challenge.statuses.map(SwiftExpression.number))),
            .init("fields", .list(fields)),
        ]
        let schemes = try challenge.schemes.map(scheme)
        return .call("ChallengeSignature", arguments + (schemes.isEmpty ? [] : [.init("schemes", .list(schemes))]))
    }

    func match(_ match: ResolvedChallenge.Match) throws -> SwiftExpression {
        switch match {
        case .present: ".present"
        case .equals(let template): .call(".equals", .init(nil, try text(template)))
        case .prefix(let template): .call(".prefix", .init(nil, try text(template)))
        case .contains(let template): .call(".contains", .init(nil, try text(template)))
        }
    }

    func step(_ step: ResolvedStep) throws -> SwiftExpression {
        switch step {
        case .fail(let name): .call(".fail", .init(nil, try failureValue(name, carrying: .nothing)))
        case .present(let present):
            .call(
                ".present",
                .init(
                    nil,
                    .call(
                        "PresentStep",
                        .init("url", try url(present.url)),
                        .init("finish", try url(present.finish)),
                        .init("match", finishMatch(present.match)),
                        .init("failure", try failures(present)))))
        }
    }

    private func finishMatch(_ match: ResolvedPresent.FinishMatch) -> SwiftExpression {
        switch match {
        case .exact: ".exact"
        case .path: ".path"
        case .pathAndQueryNames: ".pathAndQueryNames"
        }
    }

    private func text(_ template: ResolvedTemplate) throws -> SwiftExpression {
        try TemplateCompiler.template(template, of: method.parameters, isURL: false)
    }

    private func url(_ template: ResolvedTemplate) throws -> SwiftExpression {
        try TemplateCompiler.template(template, of: method.parameters, isURL: true)
    }
}
