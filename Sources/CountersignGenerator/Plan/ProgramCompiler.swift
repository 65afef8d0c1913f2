import CountersignSpec

/// Creates the expression for a method: the runtime's `MethodProgram`, without arguments that have their default value.
enum ProgramCompiler {
    typealias Argument = SwiftExpression.Argument

    static func program(_ program: ResolvedProgram) -> SwiftExpression {
        let step = step(of: program)
        return .call(
            "MethodProgram",
            [
                .init("name", text(program.name.value)), .init("summary", text(program.documentation.summary)),
                .init("slots", .list(program.slots.map(slot))),
            ] + list("announcements", program.announcements.map(member)) + [
                .init("challenges", .list(program.challenges.map(challenge))),
                .init("credential", credential(program.credential)),
            ] + documents(of: program) + list("acquire", program.acquire.map(step))
                + (program.renewal.map { [.init("renewal", renewal($0, step))] } ?? [])
                + list("attach", program.attach.map(placement)) + list("updates", program.updates.map(update))
                + list("rejections", program.rejections.map { rejection($0, of: program) })
                + list("end", program.end.map(step)) + errors(of: program)
                + (program.failures.isEmpty
                    ? []
                    : [.init("failures", .list(program.failures.compactMap { failure($0.failure, $0.errorCase, of: program) }))]))
    }

    /// Returns the expression for a grant, as the changes that it makes to the method's program.
    ///
    /// - Parameter method: The expression for the method's program.
    static func grant(_ program: ResolvedProgram, of method: SwiftExpression) -> SwiftExpression {
        let step = step(of: program)
        return .call(
            .sequence([method, ".with"]),
            [
                .init("grant", text(program.grant ?? "")), .init("slots", .list(program.slots.map(slot))),
                .init("credential", credential(program.credential)),
            ] + documents(of: program) + [.init("acquire", steps(of: program))]
                + (program.renewal.map { [.init("renewal", renewal($0, step))] } ?? [])
                + list("end", program.end.map(step)))
    }

    private static func update(_ update: ResolvedProgram.Update) -> SwiftExpression {
        let source: SwiftExpression =
            switch update.source {
            case .headers(let names): .call(".headers", .init(nil, .list(names.map(text))))
            case .cookie(let name): .call(".cookie", .init(nil, text(name)))
            }
        return .call(".init", .init(nil, .number(update.slot)), .init("from", source))
    }

    /// Returns the argument with the documents that servers publish, if the steps use any.
    static func documents(of program: ResolvedProgram) -> [Argument] { list("documents", program.documents.map(document)) }

    /// Returns the argument with the slots, if there are any.
    static func slots(of program: ResolvedProgram) -> [Argument] { list("slots", program.slots.map(slot)) }

    /// Returns the expression for the steps that acquire the credential.
    static func steps(of program: ResolvedProgram) -> SwiftExpression { .list(program.acquire.map(step(of: program))) }

    /// Returns a function that creates the expressions of steps and numbers their prompts.
    private static func step(of program: ResolvedProgram) -> (ResolvedProgram.Step) -> SwiftExpression {
        var prompts = 0
        func expression(_ step: ResolvedProgram.Step) -> SwiftExpression {
            var action: SwiftExpression
            switch step.action {
            case .prompt(let fields):
                action = .call(".prompt", .init(nil, .number(prompts)), .init("slots", numbers(fields.map(\.slot))))
                prompts += 1
            case .ask(let page, let server, let slot, let limit): action = ask(page, of: server, into: slot, within: limit)
            case .repeat(let repetition):
                action = .call(
                    ".repeat",
                    .init(
                        nil,
                        .call(
                            ".init",
                            [
                                .init("while", .list(repetition.conditions.map(requirement))),
                                .init("limit", .number(repetition.limit)),
                            ] + optional("every", repetition.interval, time)
                                + optional("within", repetition.timeout, time)
                                + [.init(nil, .list(repetition.steps.map(expression)))])))
            case .present(let page): action = .call(".present", .init(nil, self.page(page, of: program)))
            case .http(let call): action = .call(".http", .init(nil, self.call(call)))
            case .token(let call): action = .call(".token", .init(nil, tokenCall(call, of: program)))
            case .document(let document):
                action = ".document(\(SwiftExpression.number(program.documents.firstIndex { $0.name == document.name } ?? 0)))"
            case .verify(let verification): action = .call(".verify", .init(nil, self.verification(verification)))
            case .compute(let slot, let function):
                action = .call(".compute", .init("slot", .number(slot)), .init(nil, self.function(function)))
            }
            if !step.failures.isEmpty { action = self.step(action, step.failures, of: program) }
            guard !step.conditions.isEmpty else { return action }
            return .call(".when", .init(nil, .list(step.conditions.map(requirement))), .init(nil, action))
        }
        return expression
    }

    private static func step(
        _ step: SwiftExpression, _ failures: [(failure: ResolvedProgram.Step.Failure, errorCase: Located<String>)],
        of program: ResolvedProgram
    ) -> SwiftExpression {
        let numbers = failures.compactMap { failure, errorCase -> SwiftExpression? in
            guard let word = SwiftIdentifier(failure.rawValue), let number = program.errorNumber(of: errorCase) else { return nil }
            return .sequence([".\(word): ", .number(number)])
        }
        return .call(".step", .init(nil, step), .init("failures", numbers.isEmpty ? "[:]" : .list(numbers)))
    }

    private static func failure(
        _ failure: ResolvedProgram.Failure, _ errorCase: Located<String>, of program: ResolvedProgram
    ) -> SwiftExpression? {
        guard let number = program.errorNumber(of: errorCase) else { return nil }
        let word: SwiftExpression =
            switch failure {
            case .cancelled: ".cancelled"
            case .missing: ".missing"
            case .unusable: ".unusable"
            case .invalidArgument: ".invalidArgument"
            case .busy: ".busy"
            }
        return .sequence([word, ": ", .number(number)])
    }

    /// Returns the argument with the tables of the error types, if there are any.
    private static func errors(of program: ResolvedProgram) -> [Argument] {
        list("errors", program.errors.compactMap { type in SwiftTypeName(type.name.value).map { "\($0).table" } })
    }

    private static func renewal(
        _ renewal: ResolvedProgram.Renewal, _ step: (ResolvedProgram.Step) -> SwiftExpression
    ) -> SwiftExpression {
        .call(
            "CredentialRenewal",
            (renewal.needs.isEmpty ? [] : [.init("needs", numbers(renewal.needs))])
                + [.init(nil, .list(renewal.steps.map(step)))])
    }

    static func time(_ time: ResolvedProgram.Time) -> SwiftExpression {
        switch time {
        case .milliseconds(let count): .call(".fixed", .init(nil, LiteralCompiler.duration(milliseconds: count)))
        case .slot(let slot): ".slot(\(SwiftExpression.number(slot)))"
        }
    }

    static func requirement(_ requirement: ResolvedProgram.Requirement) -> SwiftExpression {
        let slot = SwiftExpression.number(requirement.slot)
        return requirement.isPresent ? ".present(\(slot))" : ".absent(\(slot))"
    }

    private static func slot(_ slot: ResolvedProgram.Slot) -> SwiftExpression {
        let source: SwiftExpression =
            switch slot.source {
            case .parameter: ".parameter"
            case .challenge: ".challenge"
            case .credential: ".credential"
            case .step: ".step"
            }
        let identifies = slot.identifies ? [] : [Argument("identifies", "false")]
        return .call(source, [.init(nil, text(slot.name.value))] + flag("isSecret", slot.isSecret) + identifies)
    }

    private static func credential(_ credential: ResolvedProgram.Credential) -> SwiftExpression {
        let fields = credential.fields.map { field in
            SwiftExpression.call(
                ".slot", [.init(nil, .number(field.slot))] + optional("from", field.value, template))
        }
        return .call(
            "CredentialShape",
            list("fields", fields) + list("separators", credential.separators.map(template))
                + space(credential.space)
                + optional("lifetime", credential.lifetime, SwiftExpression.number)
                + optional("fixedLifetime", credential.fixedLifetime) { LiteralCompiler.duration(milliseconds: $0) }
                + [.init("destinations", numbers(credential.destinations))]
                + list("recipients", credential.recipients.map(SwiftExpression.number))
                + flag("isForRequested", credential.isForRequested) + flag("isEager", credential.isEager)
                + optional("cookies", credential.cookies, SwiftExpression.number)
                + flag("isSessionCookies", credential.isSessionCookies)
                + optional("token", credential.token, token))
    }

    private static func token(_ token: ResolvedProgram.Token) -> SwiftExpression {
        .call(
            ".init",
            optional("access", token.access, SwiftExpression.number)
                + optional("refresh", token.refresh, SwiftExpression.number))
    }

    private static func space(_ space: ResolvedProgram.Credential.Space) -> [Argument] {
        switch space {
        case .origin: []
        case .directory: [.init("space", ".directory")]
        case .servers: [.init("space", ".servers")]
        case .request: [.init("space", ".request")]
        }
    }

    private static func rejection(
        _ rejection: ResolvedProgram.Rejection, of program: ResolvedProgram
    ) -> SwiftExpression {
        let error = rejection.error.flatMap(program.errorNumber(of:)).map { [Argument("error", .number($0))] } ?? []
        let challenge = rejection.challenge.map { [Argument("challenge", text($0))] } ?? []
        let actions = rejection.actions.map { action -> Argument in
            switch action {
            case .resend: .init(nil, ".resend")
            case .renew: .init(nil, ".renew")
            case .acquire: .init(nil, ".acquire")
            }
        }
        let retries = rejection.retries == 0 ? [] : [Argument("retries", .number(rejection.retries))]
        return .call(
            "RejectionRule", challenge + actions + retries + flag("keepsCredential", rejection.keepsCredential) + error)
    }

    static func template(_ template: ResolvedProgram.Template) -> SwiftExpression {
        let pieces = template.pieces.map { piece -> SwiftExpression in
            switch piece {
            case .text(let literal): template.pieces.count == 1 ? text(literal) : ".text(\(text(literal)))"
            case .slot(let slot): ".slot(\(SwiftExpression.number(slot)))"
            case .requestOrigin: ".requestOrigin"
            case .request(let part): .sequence([".request(", requestPart(part), ")"])
            case .computed(let number): ".computed(\(SwiftExpression.number(number)))"
            }
        }
        if template.pieces.count == 2, case .slot(let slot) = template.pieces[0], case .text(let rest) = template.pieces[1] {
            return .call(".slot", .init(nil, .number(slot)), .init("then", text(rest)))
        }
        return pieces.count == 1 ? pieces[0] : .call("ProgramTemplate", pieces.map { .init(nil, $0) })
    }

    private static func requestPart(_ part: ResolvedProgram.RequestPart) -> SwiftExpression {
        switch part {
        case .method: ".method"
        case .host: ".host"
        case .path: ".path"
        case .query: ".query"
        case .target: ".target"
        case .body: ".body"
        }
    }

    static func text(_ text: String) -> SwiftExpression { .text(SwiftStringLiteral(text)) }

    static func numbers(_ numbers: [Int]) -> SwiftExpression { .list(numbers.map { .number($0) }) }

    /// Returns an argument with a list, or nothing if the list is empty.
    static func list(_ label: SwiftExpression, _ elements: [SwiftExpression]) -> [Argument] {
        elements.isEmpty ? [] : [Argument(label, .list(elements))]
    }

    /// Returns an argument with `true`, or nothing for `false`, which is the default.
    static func flag(_ label: SwiftExpression, _ isSet: Bool) -> [Argument] { isSet ? [Argument(label, "true")] : [] }

    /// Returns an argument for a value that is not `nil`. A separate function with explicit types keeps the type checking of long
    /// sums fast.
    static func optional<Value>(
        _ label: SwiftExpression?, _ value: Value?, _ expression: (Value) -> SwiftExpression
    ) -> [Argument] {
        guard let value else { return [] }
        return [Argument(label, expression(value))]
    }
}

extension ResolvedProgram {
    /// The cases of all of its error types, in the order of the file.
    var errorCases: [(type: ResolvedErrorType, errorCase: ResolvedErrorCase)] {
        errors.flatMap { type in type.cases.map { (type: type, errorCase: $0) } }
    }

    /// Returns the index of a case among all error cases.
    func errorNumber(of name: Located<String>) -> Int? { errorCases.firstIndex { $0.errorCase.name.value == name.value } }
}
