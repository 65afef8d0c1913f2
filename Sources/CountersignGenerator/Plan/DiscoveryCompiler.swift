import CountersignSpec

/// Makes the constants that the runtime executes of a discovery's steps.
struct DiscoveryCompiler {
    let discovery: ResolvedDiscovery
    private let subject: TemplateCompiler.Subject
    private let cases: ErrorCaseCompiler

    init(_ discovery: ResolvedDiscovery) {
        self.discovery = discovery
        subject = TemplateCompiler.Subject(parameters: discovery.parameters)
        cases = ErrorCaseCompiler(types: [discovery.errors], isNamed: false)
    }

    /// `IdentityDiscovery<…>(…)`.
    func definition(failure: SwiftTypeName) throws -> SwiftExpression {
        var arguments: [SwiftExpression.Argument] = [.init("name", .text(SwiftStringLiteral(discovery.name.value)))]
        if let pins = discovery.pins { arguments.append(.init("pins", "{ $0.\(try Planning.identifier(pins)) }")) }
        arguments.append(.init("obtain", "obtain"))
        if !discovery.retire.isEmpty { arguments.append(.init("retire", "retire")) }
        let cancellation = try discovery.cancelled.map { try cases.value($0) }
        return .call("IdentityDiscovery<Values, \(failure)>", arguments + [.init("cancellation", cancellation ?? "nil")])
    }

    /// The slots of captured values, each once.
    var captures: [SwiftIdentifier] {
        get throws {
            var captures: [SwiftIdentifier] = []
            for call in (discovery.obtain + discovery.retire).compactMap(\.call) {
                for capture in call.captures {
                    let identifier = try Planning.identifier(capture.slot)
                    if !captures.contains(identifier) { captures.append(identifier) }
                }
            }
            return captures
        }
    }

    func step(_ step: ResolvedDiscoveryStep) throws -> SwiftExpression {
        let failure = SwiftExpression.Argument("failure", try failures(step))
        switch step.action {
        case .call(let call): return .call(".call", .init(nil, try self.call(call, failure: failure)))
        case .rounds(let rounds):
            var arguments: [SwiftExpression.Argument] = [
                .init(nil, try call(rounds.call, failure: failure)),
                .init("page", page(rounds.page)),
                .init("limit", .number(rounds.limit)),
            ]
            if let values = rounds.values { arguments.insert(.init("values", .text(SwiftStringLiteral(values))), at: 1) }
            if let within = rounds.within { arguments.append(.init("within", try LiteralCompiler.value(within, as: .duration))) }
            return .call(".rounds", .init(nil, .call("RoundsStep", arguments)))
        case .key(let key):
            var arguments: [SwiftExpression.Argument] = []
            if let named = key.named { arguments.append(.init("kind", try TemplateCompiler.list(named, of: subject))) }
            let otherwise: SwiftExpression =
                switch key.otherwise {
                case .p256: ".p256"
                case .rsa2048: ".rsa2048"
                }
            return .call(".key", .init(nil, .call("KeyStep", arguments + [.init("otherwise", otherwise), failure])))
        case .certificateRequest(let subject, let dns, let email):
            var arguments: [SwiftExpression.Argument] = []
            for (label, template) in [("subject" as SwiftExpression, subject), ("dns", dns), ("email", email)] {
                guard let template else { continue }
                arguments.append(.init(label, try TemplateCompiler.list(template, of: self.subject)))
            }
            return .call(".certificateRequest", .init(nil, .call("CertificateRequestStep", arguments + [failure])))
        case .identity(let template):
            let certificates = SwiftExpression.Argument("certificates", try TemplateCompiler.list(template, of: subject))
            return .call(".identity", .init(nil, .call("IdentityStep", [certificates, failure])))
        }
    }

    private func call(_ call: ResolvedCall, failure: SwiftExpression.Argument) throws -> SwiftExpression {
        var arguments: [SwiftExpression.Argument] = [
            .init(nil, .text(SwiftStringLiteral(call.method.rawValue.uppercased()))),
            .init("url", try TemplateCompiler.template(call.url, of: subject, isURL: true)),
        ]
        func named(_ values: [NamedTemplate]) throws -> SwiftExpression {
            .list(try values.map { try TemplateCompiler.named($0, of: subject) })
        }
        switch call.body {
        case .nothing: break
        case .json(let values): arguments.append(.init("body", .call(".json", .init(nil, try named(values)))))
        case .form(let values): arguments.append(.init("body", .call(".form", .init(nil, try named(values)))))
        case .certificateRequest: arguments.append(.init("body", ".certificateRequest"))
        }
        if call.statuses != [200] { arguments.append(.init("statuses", .list(call.statuses.map(SwiftExpression.number)))) }
        let captures = try call.captures.map { capture in
            let isOptional: [SwiftExpression.Argument] = capture.isOptional ? [.init("isOptional", "true")] : []
            return SwiftExpression.sequence([
                .call(".init", [.init(nil, .text(SwiftStringLiteral(capture.pointer)))] + isOptional),
                " { $0.captured.\(try Planning.identifier(capture.slot)) = $1 }",
            ])
        }
        if !captures.isEmpty { arguments.append(.init("captures", .list(captures))) }
        if let message = call.message { arguments.append(.init("message", .text(SwiftStringLiteral(message)))) }
        return .call("CallStep", arguments + [failure])
    }

    private func page(_ page: [(key: ResolvedRounds.PageKey, text: String)]) -> SwiftExpression {
        .call(
            "LoginPage",
            page.map { key, text in
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
                return .init(label, .text(SwiftStringLiteral(text)))
            })
    }

    /// The mapping of a step's failures to the discovery's errors.
    private func failures(_ step: ResolvedDiscoveryStep) throws -> SwiftExpression {
        if step.failures.isEmpty { return .closure("_", "nil") }
        // Failures that end in the same error, of which nothing is carried, share a line.
        var rules: [(pattern: SwiftExpression, value: SwiftExpression, isPlain: Bool)] = []
        for failure in DiscoveryFailure.allCases {
            guard let name = step.failures.first(where: { $0.failure == failure })?.errorCase else { continue }
            let carried = Set(try cases.find(name).carries.map(\.type))
            let error: SwiftExpression = carried.contains(.error) ? "(let error)" : ""
            let detail: SwiftExpression = carried.contains(.string) ? "(let detail)" : ""
            let pattern: SwiftExpression =
                switch failure {
                case .status:
                    switch (carried.contains(.statusCode), carried.contains(.string)) {
                    case (true, true): ".status(let status, message: let detail)"
                    case (true, false): ".status(let status, message: _)"
                    case (false, true): ".status(_, message: let detail)"
                    case (false, false): ".status"
                    }
                case .network: ".network\(error)"
                case .refused: ".refused\(error)"
                case .missing: ".missing\(detail)"
                case .name: ".name\(detail)"
                case .certificate: ".certificate\(detail)"
                case .mismatch: ".mismatch\(detail)"
                case .late: ".late"
                case .endless: ".endless"
                case .key: ".key"
                }
            let value = try cases.value(name, carrying: [.statusCode: "status", .string: "detail", .error: "error"])
            if let last = rules.last, last.isPlain, carried.isEmpty, last.value.onOneLine == value.onOneLine {
                rules[rules.count - 1].pattern = "\(last.pattern), \(pattern)"
            } else {
                rules.append((pattern, value, carried.isEmpty))
            }
        }
        let lines = rules.map { SwiftExpression.Line("case \($0.pattern): \($0.value)") }
        return .closure(parameter: "failure", body: [.init("switch failure {")] + lines + [.init("default: nil"), .init("}")])
    }
}

extension ResolvedDiscoveryStep {
    fileprivate var call: ResolvedCall? {
        switch action {
        case .call(let call): call
        case .rounds(let rounds): rounds.call
        case .key, .certificateRequest, .identity: nil
        }
    }
}
