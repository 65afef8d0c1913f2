import CountersignSpec

/// Creates the values for the parameter slots of a lowered method.
struct SlotFilling {
    typealias Member = MethodDefinitionPlan.Member
    typealias SlotValue = MethodDefinitionPlan.SlotValue

    let program: ResolvedProgram

    init(_ program: ResolvedProgram) { self.program = program }

    /// Returns the slot values that come from the method's parameters.
    ///
    /// - Parameters:
    ///   - owner: The expression for the struct with the parameters.
    ///   - servers: The expression for the servers that may receive the credential, if a slot needs them.
    func values(
        of parameters: ResolvedParameters, named owner: SwiftExpression = "parameters", servers: SwiftExpression = "[]"
    ) throws -> [SwiftExpression] {
        let compiler = TemplateCompiler(parameters: (parameters, owner))
        let values = try program.slots.map { slot in
            try slot.filling.flatMap { isElsewhere(slot, than: parameters) ? nil : try value($0, by: compiler, servers) }
        }
        let last = values.lastIndex { $0 != nil }
        return values.prefix((last ?? -1) + 1).map { $0 ?? ".absent" }
    }

    /// Returns the values that come from an operation's parameters and a landscape's settings, one for each of the first slots.
    func values(by compiler: TemplateCompiler) throws -> [SwiftExpression] {
        try program.slots.compactMap(\.filling).map { try value($0, by: compiler, "[]") ?? ".absent" }
    }

    /// Whether a slot belongs to a parameter that is not a field of the struct.
    private func isElsewhere(_ slot: ResolvedProgram.Slot, than parameters: ResolvedParameters) -> Bool {
        program.parameters.contains { $0.name.value == slot.name.value }
            && !parameters.fields.contains { $0.name.value == slot.name.value }
    }

    /// Returns the slot values of the parameters that are functions, which edit a token request before it is sent.
    func preparations(of parameters: ResolvedParameters) throws -> [SlotValue] {
        try program.slots.enumerated().compactMap { number, slot in
            guard case .preparation(let field) = slot.filling else { return nil }
            return SlotValue(
                slot: number, value: "GeneratedCodeVersion3.preparation(parameters.\(try Planning.identifier(field)))")
        }
    }

    /// Returns the members of a definition that is created from an observer's arguments, and its slot values. An argument is an
    /// optional list of servers or a Boolean.
    func arguments() throws -> ([Member], [SwiftExpression]) {
        var members: [Member] = []
        var values: [SwiftExpression] = program.slots.map { _ in ".absent" }
        for (number, slot) in program.slots.enumerated() where slot.source == .parameter {
            let name = try Planning.identifier(slot.name)
            let isServers = program.credential.destinations.contains(number)
            members.append(Member(name: name, type: isServers ? "ProtectedOrigins?" : "Bool", isOptional: isServers))
            values[number] = ".given(\(name))"
        }
        let count = program.slots.lastIndex { $0.source == .parameter }.map { $0 + 1 } ?? 0
        return (members, Array(values.prefix(count)))
    }

    private func value(
        _ filling: ResolvedProgram.Filling, by compiler: TemplateCompiler, _ servers: SwiftExpression
    ) throws -> SwiftExpression? {
        switch filling {
        case .servers:
            return .call(".given", .init(nil, .call("ProtectedOrigins", .init("servers", servers))))
        case .preparation: return nil
        case .url(let template): return ".url(\(try compiler.url(template)))"
        case .optionalURL(let template):
            guard let reference = try compiler.onlyReference(template), reference.isOptional, reference.type == .url else {
                return ".url(\(try compiler.url(template)))"
            }
            return ".given(\(reference.access))"
        case .nonempty(let template):
            return .call(".nonempty", .init(nil, try compiler.onlyReference(template)?.optionalText ?? compiler.text(template)))
        case .texts(let template):
            return try compiler.onlyReference(template)?.texts
        case .text(let template):
            guard let reference = try compiler.onlyReference(template) else {
                return ".\(Self.isSecret(template) ? "secret" : "text")(\(try compiler.text(template)))"
            }
            return try value(reference, isSecret: Self.isSecret(template), of: template, by: compiler)
        }
    }

    /// Returns the value of a field that is the whole template.
    private func value(
        _ reference: FieldReference, isSecret: Bool, of template: ResolvedTemplate, by compiler: TemplateCompiler
    ) throws -> SwiftExpression {
        switch reference.type {
        case .boolean:
            // `false` is passed as an absent value, because conditions only test for presence and no text contains a flag.
            return reference.isOptional ? ".given(\(reference.access) == true)" : ".given(\(reference.access))"
        case .origins: return reference.isOptional ? ".given(\(reference.access))" : ".origins(\(reference.access))"
        case .scopes: return reference.isOptional ? ".given(\(reference.access) ?? [])" : ".given(\(reference.access))"
        case _ where reference.isText: return ".\(isSecret ? "secret" : "text")(\(try compiler.text(template)))"
        default:
            return isSecret ? ".givenSecret(\(reference.optionalText))" : ".given(\(reference.optionalText))"
        }
    }

    /// Whether the value must not be printed.
    private static func isSecret(_ template: ResolvedTemplate) -> Bool {
        template.pieces.contains { piece in
            switch piece {
            case .parameter(_, .secret), .settings(_, .secret): true
            case .parameter, .settings, .text: false
            }
        }
    }
}

extension FieldReference {
    /// Whether the field always has a text.
    fileprivate var isText: Bool { !isOptional && type != .scopes && type != .texts }
}
