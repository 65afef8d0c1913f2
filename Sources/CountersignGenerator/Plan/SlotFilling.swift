import CountersignSpec

/// Makes what fills the slots of a lowered method's parameters.
struct SlotFilling {
    typealias Member = MethodDefinitionPlan.Member
    typealias SlotValue = MethodDefinitionPlan.SlotValue

    let program: ResolvedProgram

    init(_ program: ResolvedProgram) { self.program = program }

    /// Values that come of the method's parameters.
    ///
    /// - Parameter servers: The list of the servers that the credential is for, if a slot wants them.
    func values(of parameters: ResolvedParameters, servers: SwiftExpression = "[]") throws -> [SlotValue] {
        let compiler = TemplateCompiler(parameters: (parameters, "parameters"))
        return try program.slots.enumerated().compactMap { number, slot -> SlotValue? in
            guard let filling = slot.filling, !isElsewhere(slot, than: parameters),
                let value = try value(filling, by: compiler, servers)
            else { return nil }
            return SlotValue(slot: number, value: value)
        }
    }

    /// The values that come of a landscape's settings, one for each of the first slots.
    func values(of settings: ResolvedParameters, named owner: SwiftExpression) throws -> [SwiftExpression] {
        let compiler = TemplateCompiler(settings: (settings, owner))
        return try program.slots.compactMap(\.filling).map { try value($0, by: compiler, "[]") ?? ".absent" }
    }

    /// Whether a slot is of a parameter that is no field of the struct.
    private func isElsewhere(_ slot: ResolvedProgram.Slot, than parameters: ResolvedParameters) -> Bool {
        program.parameters.contains { $0.name.value == slot.name.value }
            && !parameters.fields.contains { $0.name.value == slot.name.value }
    }

    /// The functions of the parameters that have the last word on requests.
    func preparations(of parameters: ResolvedParameters) throws -> [SlotValue] {
        try program.slots.enumerated().compactMap { number, slot in
            guard case .preparation(let field) = slot.filling else { return nil }
            return SlotValue(
                slot: number, value: "GeneratedCodeVersion2.preparation(parameters.\(try Planning.identifier(field)))")
        }
    }

    /// Values of one that is made with what an observer is given: servers that may be none, and what is true or not.
    func arguments() throws -> ([Member], [SlotValue]) {
        var (members, values): ([Member], [SlotValue]) = ([], [])
        for (number, slot) in program.slots.enumerated() where slot.source == .parameter {
            let name = try Planning.identifier(slot.name)
            let isServers = program.credential.destinations.contains(number)
            members.append(Member(name: name, type: isServers ? "ProtectedOrigins?" : "Bool", isOptional: isServers))
            values.append(
                SlotValue(
                    slot: number,
                    value: isServers
                        ? "\(name).map(ProgramValue.origins) ?? .absent" : "\(name) ? .text(\"true\") : .absent"))
        }
        return (members, values)
    }

    private func value(
        _ filling: ResolvedProgram.Filling, by compiler: TemplateCompiler, _ servers: SwiftExpression
    ) throws -> SwiftExpression? {
        switch filling {
        case .servers:
            return .sequence([.call("ProtectedOrigins", .init("servers", servers)), ".map(ProgramValue.origins) ?? .absent"])
        case .preparation: return nil
        case .url(let template): return ".url(\(try compiler.url(template)))"
        case .optionalURL(let template):
            guard let reference = try compiler.onlyReference(template), reference.isOptional, reference.type == .url else {
                return ".url(\(try compiler.url(template)))"
            }
            return "\(reference.access).map(ProgramValue.url) ?? .absent"
        case .nonempty(let template):
            return .call(".nonempty", .init(nil, try compiler.onlyReference(template)?.optionalText ?? compiler.text(template)))
        case .texts(let template):
            return try compiler.onlyReference(template)?.texts
        case .text(let template):
            guard let reference = try compiler.onlyReference(template) else {
                return ".\(Self.word(template))(\(try compiler.text(template)))"
            }
            return try value(reference, as: Self.word(template), of: template, by: compiler)
        }
    }

    /// The value of a field that stands alone.
    private func value(
        _ reference: FieldReference, as word: SwiftExpression, of template: ResolvedTemplate, by compiler: TemplateCompiler
    ) throws -> SwiftExpression {
        switch reference.type {
        case .boolean:
            // What is false is absent: conditions ask for no more, and no text has a flag in it.
            let isTrue: SwiftExpression = reference.isOptional ? "\(reference.access) == true" : reference.access
            return "\(isTrue) ? .text(\"true\") : .absent"
        case .origins:
            let access = reference.access
            return reference.isOptional ? "\(access).map(ProgramValue.origins) ?? .absent" : ".origins(\(access))"
        case _ where reference.isText: return ".\(word)(\(try compiler.text(template)))"
        default:
            // Behind a chain, `map` would be that of the text.
            let text = reference.type == .url ? "(\(reference.optionalText))" : reference.optionalText
            return "\(text).map(ProgramValue.\(word)) ?? .absent"
        }
    }

    /// The case of the value.
    private static func word(_ template: ResolvedTemplate) -> SwiftExpression {
        let isSecret = template.pieces.contains { piece in
            switch piece {
            case .parameter(_, .secret), .settings(_, .secret): true
            case .parameter, .settings, .text: false
            }
        }
        return isSecret ? "secret" : "text"
    }
}

extension FieldReference {
    /// Whether there always is a text.
    fileprivate var isText: Bool { !isOptional && type != .scopes && type != .texts }
}
