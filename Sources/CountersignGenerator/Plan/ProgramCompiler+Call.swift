import CountersignSpec

extension ProgramCompiler {
    /// Makes the expression of a request of the method's own.
    static func call(_ call: ResolvedProgram.Call) -> SwiftExpression {
        let login = call.login.map { login in
            Argument(
                "login",
                .call("HTTPCall.Login", .init("user", template(login.user)), .init("password", template(login.password))))
        }
        return .call(
            "HTTPCall",
            [.init(nil, text(call.method.rawValue)), .init(nil, template(call.url))] + list("query", call.query.map(member))
                + list("headers", call.headers.map(member)) + list("form", (call.form ?? []).map(member))
                + (login.map { [$0] } ?? []) + [.init("answers", .list(call.answers.map(answer)))])
    }

    private static func member(_ member: ResolvedProgram.Member) -> SwiftExpression {
        .call("HTTPCall.Member", .init(nil, text(member.name)), .init(nil, template(member.value)))
    }

    private static func answer(_ answer: ResolvedProgram.Answer) -> SwiftExpression {
        .call("HTTPCall.Answer", [.init(nil, challenge(answer.pattern))] + flag("isRefusal", answer.isRefusal))
    }
}
