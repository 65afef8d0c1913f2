import CountersignSpec

/// What the runtime executes of a method: `SAMLMethod`, its program with the values of its parameters.
struct MethodDefinitionPlan: Sendable {
    let type: SwiftTypeName
    let documentation: DocumentationText
    /// What the definition is made with.
    let members: [Member]
    /// What fills the slots.
    let values: [SlotValue]
    let program: SwiftExpression
    /// What makes the method's errors.
    let errors: [ErrorValue]

    struct Member: Sendable {
        let name: SwiftIdentifier
        let type: SwiftExpression
        var isOptional = false
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
    init(_ method: ResolvedSurfaceMethod) throws {
        type = try Planning.typeName(method.name.value + "Method", at: method.name.location)
        documentation = DocumentationText(
            "\(method.name.value) as the runtime executes it.", callouts: [Planning.remark(method.name.location)])
        let filling = SlotFilling(method.program)
        // Grants have parameters of their own.
        if method.grants.isEmpty, let parameters = method.parameters {
            let type = try Planning.typeName(parameters.name.value, at: parameters.name.location)
            let name = try Planning.identifier(Located("parameters", at: parameters.name.location))
            members = [Member(name: name, type: .text(type))]
            values = try filling.values(of: parameters)
        } else {
            (members, values) = try filling.arguments()
        }
        program = ProgramCompiler.program(method.program)
        errors = try Self.errors(of: method.programs)
    }

    /// What makes the errors of a method.
    ///
    /// - Parameter programs: The method, and its ways to a credential.
    static func errors(of programs: [ResolvedProgram]) throws -> [ErrorValue] {
        guard let method = programs.first else { return [] }
        let compiler = ErrorCaseCompiler(types: method.errors, isNamed: true)
        var errors: [Int: ErrorValue] = [:]
        for name in programs.flatMap(\.raised) {
            let value = try value(of: name, by: compiler)
            if let number = method.errorNumber(of: name) { errors[number] = ErrorValue(number: number, value: value) }
        }
        return errors.values.sorted { $0.number < $1.number }
    }

    /// An error with what it carries of its cause; there is none of a cause that has not what the error must have.
    private static func value(of name: Located<String>, by compiler: ErrorCaseCompiler) throws -> SwiftExpression {
        let carried = Set(try compiler.find(name).carries.map(\.type))
        var cargo: [ResolvedErrorCase.CarriedType: SwiftExpression] = [
            .string: "detail", .error: "cause", .status: "GeneratedCodeVersion2.outline(of: cause)?.status",
            .responseText: "GeneratedCodeVersion2.outline(of: cause)?.body",
        ]
        let demanded: SwiftExpression
        if carried.contains(.statusCode) {
            cargo[.statusCode] = "$0"
            demanded = "(cause as? CountersignError)?.status"
        } else if carried.contains(.serverError) {
            cargo[.serverError] = "$0"
            demanded = "(cause as? OAuth2ServerError)"
        } else if !carried.isDisjoint(with: [.response, .responseData]) {
            cargo[.response] = "GeneratedCodeVersion2.httpURLResponse($0)"
            cargo[.responseData] = "Data($0.body.utf8)"
            demanded = "GeneratedCodeVersion2.outline(of: cause)"
        } else {
            return try compiler.value(name, carrying: cargo)
        }
        return .sequence([demanded, ".map ", .closure(nil, try compiler.value(name, carrying: cargo))])
    }
}
