import CountersignSpec

/// What the runtime executes of a method or discovery of version 1: `SAMLMethod`, its program with the values of its parameters.
struct MethodDefinitionPlan: Sendable {
    let type: SwiftTypeName
    let documentation: DocumentationText
    /// What the definition is made with.
    let members: [Member]
    /// What fills the slots.
    let values: [SlotValue]
    let program: SwiftExpression
    /// How the mock landscape plays the server; `nil` for a discovery, whose servers are not played by its description.
    let mock: SwiftExpression?
    /// What makes the method's errors.
    let errors: [ErrorValue]

    struct Member: Sendable {
        let name: SwiftIdentifier
        let type: SwiftExpression
    }

    struct SlotValue: Sendable {
        let slot: Int
        let value: SwiftExpression
    }

    struct ErrorValue: Sendable {
        let number: Int
        let value: SwiftExpression
    }
}

extension MethodDefinitionPlan {
    init(_ method: ResolvedMethod) throws {
        type = try Planning.typeName(method.name.value + "Method", at: method.name.location)
        documentation = DocumentationText(
            "\(method.name.value) as the runtime executes it.", callouts: [Planning.remark(method.name.location)])
        let lowered = ResolvedProgram(lowering: method)
        let filling = SlotFilling(lowered)
        // Grants have parameters of their own.
        if method.grants.isEmpty, let parameters = method.parameters {
            let type = try Planning.typeName(parameters.name.value, at: parameters.name.location)
            let name = try Planning.identifier(Located("parameters", at: parameters.name.location))
            members = [Member(name: name, type: .text(type))]
            values = try filling.values(of: parameters)
        } else {
            (members, values) = try filling.arguments()
        }
        program = ProgramCompiler.program(lowered)
        mock = Self.mock(method)
        let ways = method.grants.map { ResolvedProgram(lowering: $0, of: method) }
        errors = try Self.errors([lowered] + ways)
    }

    init(_ discovery: ResolvedDiscovery, _ lowered: ResolvedProgram) throws {
        type = try Planning.typeName(discovery.name.value + "Flow", at: discovery.name.location)
        documentation = DocumentationText(
            "\(discovery.name.value) as the runtime executes it.", callouts: [Planning.remark(discovery.name.location)])
        let parameters = discovery.parameters
        let name = try Planning.identifier(Located("parameters", at: parameters.name.location))
        members = [Member(name: name, type: .text(try Planning.typeName(parameters.name.value, at: parameters.name.location)))]
        values = try SlotFilling(lowered).values(of: parameters)
        program = ProgramCompiler.program(lowered)
        mock = nil
        errors = try Self.errors([lowered])
    }

    /// How the mock landscape plays the server.
    private static func mock(_ method: ResolvedMethod) -> SwiftExpression {
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

    private static func errors(_ programs: [ResolvedProgram]) throws -> [ErrorValue] {
        let compiler = ErrorCaseCompiler(types: programs[0].errors, isNamed: true)
        var errors: [Int: ErrorValue] = [:]
        for name in programs.flatMap(\.raised) {
            let value = try value(of: name, by: compiler)
            if let number = programs[0].errorNumber(of: name) { errors[number] = ErrorValue(number: number, value: value) }
        }
        return errors.values.sorted { $0.number < $1.number }
    }

    /// An error with what it carries of its cause; there is none of a cause that has not what the error must have.
    private static func value(of name: Located<String>, by compiler: ErrorCaseCompiler) throws -> SwiftExpression {
        let carried = Set(try compiler.find(name).carries.map(\.type))
        var cargo: [ResolvedErrorCase.CarriedType: SwiftExpression] = [
            .string: "detail", .error: "cause", .status: "GeneratedCodeVersion1.outline(of: cause)?.status",
            .responseText: "GeneratedCodeVersion1.outline(of: cause)?.body",
        ]
        let demanded: SwiftExpression
        if carried.contains(.statusCode) {
            cargo[.statusCode] = "$0"
            demanded = "(cause as? CountersignError)?.status"
        } else if carried.contains(.serverError) {
            cargo[.serverError] = "$0"
            demanded = "(cause as? OAuth2ServerError)"
        } else if !carried.isDisjoint(with: [.response, .responseData]) {
            cargo[.response] = "GeneratedCodeVersion1.httpURLResponse($0)"
            cargo[.responseData] = "Data($0.body.utf8)"
            demanded = "GeneratedCodeVersion1.outline(of: cause)"
        } else {
            return try compiler.value(name, carrying: cargo)
        }
        return .sequence([demanded, ".map ", .closure(nil, try compiler.value(name, carrying: cargo))])
    }
}

extension ResolvedProgram {
    /// The error cases that something can end in, where it is said.
    fileprivate var raised: [Located<String>] {
        failures.map(\.errorCase) + rejections.compactMap(\.error) + pages.flatMap(\.failures).map(\.errorCase)
            + tokenCalls.flatMap(\.failures).map(\.errorCase) + (acquire + end).flatMap(\.raised)
    }
}

extension ResolvedProgram.Step {
    fileprivate var raised: [Located<String>] {
        let inner: [Self] =
            switch action {
            case .steps(let steps), .repeat(_, _, _, let steps): steps
            case .prompt, .present, .http, .token, .compute, .ask: []
            }
        return failures.map(\.errorCase) + inner.flatMap(\.raised)
    }
}
