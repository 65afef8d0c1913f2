import CountersignSpec

/// The definition that the runtime executes, such as `SAMLMethod`: the method's program with the values of its parameters.
struct MethodDefinitionPlan: Sendable {
    let type: SwiftTypeName
    let documentation: DocumentationText
    /// The properties that the definition is initialised with.
    let members: [Member]
    /// The values of the first slots.
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
        // In a method with grants, each grant has its own parameters.
        if method.grants.isEmpty, let parameters = method.parameters {
            let type = try Planning.typeName(parameters.name.value, at: parameters.name.location)
            let name = try Planning.identifier(Located("parameters", at: parameters.name.location))
            members = [Member(name: name, type: .text(type))]
            values = try filling.values(of: parameters)
        } else {
            (members, values) = try filling.arguments()
        }
        program = ProgramCompiler.program(method.program)
        // The runtime's class for enrolments provides the tools itself.
        tools = method.kind == .application ? [] : method.program.tools
    }
}
