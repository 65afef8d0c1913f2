import CountersignSpec

/// What the runtime executes of a method of version 1: `SAMLMethod`, its program with the values of its parameters.
struct MethodDefinitionPlan: Sendable {
    let type: SwiftTypeName
    let documentation: DocumentationText
    /// What the definition is made with.
    let members: [Member]
    /// What fills the slots.
    let values: [SlotValue]
    let program, mock: SwiftExpression
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
        (members, values) =
            try method.parameters.map { try Self.filling(lowered, of: $0) } ?? Self.arguments(lowered)
        program = ProgramCompiler.program(lowered)
        mock = FlowCompiler.mock(method)
        let compiler = ErrorCaseCompiler(types: method.errorTypes, isNamed: true)
        var errors: [Int: ErrorValue] = [:]
        for name in lowered.raised {
            let value = try compiler.value(name, carrying: .values([.string: "detail", .error: "cause"]))
            if let number = lowered.errorNumber(of: name) { errors[number] = ErrorValue(number: number, value: value) }
        }
        self.errors = errors.values.sorted { $0.number < $1.number }
    }

    /// A definition that is made with the method's parameters.
    private static func filling(
        _ program: ResolvedProgram, of parameters: ResolvedParameters
    ) throws -> ([Member], [SlotValue]) {
        let type = try Planning.typeName(parameters.name.value, at: parameters.name.location)
        let name = try Planning.identifier(Located("parameters", at: parameters.name.location))
        let compiler = TemplateCompiler(parameters: (parameters, "parameters"))
        let values = try program.slots.enumerated().compactMap { number, slot -> SlotValue? in
            guard let filling = slot.filling else { return nil }
            let reference = try compiler.onlyReference(filling.template)
            let value: SwiftExpression
            switch filling {
            case .optionalURL where reference?.isOptional == true && reference?.type == .url:
                value = "\(reference?.mappable ?? "").map(ProgramValue.url) ?? .absent"
            case .url(let template), .optionalURL(let template): value = ".url(\(try compiler.url(template)))"
            case .text(let template):
                value =
                    if let reference, reference.isOptional {
                        // Behind a chain, `map` would be that of the text.
                        reference.type == .url
                            ? "(\(reference.optionalText)).map(ProgramValue.text) ?? .absent"
                            : "\(reference.optionalText).map(ProgramValue.text) ?? .absent"
                    } else {
                        ".text(\(try compiler.text(template)))"
                    }
            }
            return SlotValue(slot: number, value: value)
        }
        return ([Member(name: name, type: .text(type))], values)
    }

    /// One that is made with what an observer is given: the servers first, behind them what is true or not.
    private static func arguments(_ program: ResolvedProgram) throws -> ([Member], [SlotValue]) {
        var (members, values): ([Member], [SlotValue]) = ([], [])
        for (number, slot) in program.slots.enumerated() where slot.source == .parameter {
            let name = try Planning.identifier(slot.name)
            members.append(Member(name: name, type: number == 0 ? "ProtectedOrigins?" : "Bool"))
            values.append(
                SlotValue(
                    slot: number,
                    value: number == 0
                        ? "\(name).map(ProgramValue.origins) ?? .absent" : "\(name) ? .text(\"true\") : .absent"))
        }
        return (members, values)
    }
}

extension ResolvedProgram {
    /// The error cases that something can end in, where it is said.
    fileprivate var raised: [Located<String>] {
        failures.map(\.errorCase) + rejections.compactMap(\.error) + pages.flatMap(\.failures).map(\.errorCase)
    }
}
