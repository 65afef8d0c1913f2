import CountersignSpec

/// Makes values of error cases.
struct ErrorCaseCompiler {
    let types: [ResolvedErrorType]
    /// Whether values say their type, where none is expected.
    let isNamed: Bool

    /// An error case with what it carries.
    ///
    /// - Parameter values: Expressions by what they are.
    func value(
        _ name: Located<String>, carrying values: [ResolvedErrorCase.CarriedType: SwiftExpression] = [:]
    ) throws -> SwiftExpression {
        let errorCase = try find(name)
        let identifier = try Planning.identifier(name)
        // Alone, `.none` and `.some` would be those of `Optional`.
        let needsName = ["none", "some"].contains(name.value) || isNamed
        let type: SwiftExpression = needsName ? .text(try Planning.typeName(try typeName(of: name), at: name.location)) : ""
        let value: SwiftExpression = "\(type).\(identifier)"
        if errorCase.carries.isEmpty { return value }
        let arguments = try errorCase.carries.map { carried in
            guard let content = values[carried.type] else {
                throw GenerationProblem(
                    at: name.location, "'\(name.value)' carries '\(carried.label.value)', and nothing here gives a value for it")
            }
            return SwiftExpression.Argument(try Planning.identifier(carried.label), content)
        }
        return .call(value, arguments)
    }

    /// The case of a name.
    func find(_ name: Located<String>) throws -> ResolvedErrorCase {
        guard let errorCase = types.flatMap(\.cases).first(where: { $0.name.value == name.value }) else {
            throw GenerationProblem(at: name.location, "'\(types.first?.name.value ?? "")' has no case '\(name.value)'")
        }
        return errorCase
    }

    /// The error type that has a case.
    private func typeName(of name: Located<String>) throws -> String {
        let type = types.first { type in type.cases.contains { $0.name.value == name.value } }
        return (type ?? types.first)?.name.value ?? ""
    }
}
