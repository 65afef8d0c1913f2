import CountersignSpec

/// Creates expressions for error cases.
struct ErrorCaseCompiler {
    let types: [ResolvedErrorType]
    /// Whether expressions name the error type, for places where it cannot be inferred.
    let isNamed: Bool

    /// Returns the expression for an error case with its associated values.
    ///
    /// - Parameter values: The expressions for the associated values, by carried type.
    func value(
        _ name: Located<String>, carrying values: [ResolvedErrorCase.CarriedType: SwiftExpression] = [:]
    ) throws -> SwiftExpression {
        let errorCase = try find(name)
        let identifier = try Planning.identifier(name)
        // Without the type's name, `.none` and `.some` would be resolved as cases of `Optional`.
        let needsName = ["none", "some"].contains(name.value) || isNamed
        let type: SwiftExpression = needsName ? .text(try Planning.typeName(try typeName(of: name), at: name.location)) : ""
        let value: SwiftExpression = "\(type).\(identifier)"
        if errorCase.carries.isEmpty { return value }
        let arguments = try errorCase.carries.map { carried in
            guard let content = values[carried.type] else {
                throw GenerationProblem(
                    at: name.location, "'\(name.value)' carries '\(carried.label.value)', but there is no value for it here")
            }
            return SwiftExpression.Argument(try Planning.identifier(carried.label), content)
        }
        return .call(value, arguments)
    }

    /// Returns the case with a name.
    func find(_ name: Located<String>) throws -> ResolvedErrorCase {
        guard let errorCase = types.flatMap(\.cases).first(where: { $0.name.value == name.value }) else {
            throw GenerationProblem(at: name.location, "'\(types.first?.name.value ?? "")' has no case '\(name.value)'")
        }
        return errorCase
    }

    /// Returns the name of the error type that declares a case.
    private func typeName(of name: Located<String>) throws -> String {
        let type = types.first { type in type.cases.contains { $0.name.value == name.value } }
        return (type ?? types.first)?.name.value ?? ""
    }
}
