import CountersignSpec

/// What the runtime executes of a method: `SAMLMethod`, its program with the values of its parameters.
struct MethodDefinitionPlan: Sendable {
    let type: SwiftTypeName
    let documentation: DocumentationText
    /// What the definition is made with.
    let members: [Member]
    /// What fills the first slots.
    let values: [SwiftExpression]
    let program: SwiftExpression
    let tools: [ProgramTool]

    struct Member: Sendable {
        let name: SwiftIdentifier
        let type: SwiftExpression
        var isOptional = false
    }

    struct SlotValue: Sendable {
        let slot: Int
        let value: SwiftExpression
    }
}

extension MethodDefinitionPlan {
    init(_ method: ResolvedSurfaceMethod) throws {
        type = try Planning.typeName(method.name.value + "Method", at: method.name.location)
        documentation = DocumentationText(
            "\(method.name.value) as the runtime executes it.")
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
        // An enrolment's own class says what makes its certificates.
        tools = method.kind == .application ? [] : method.program.tools
    }
}
