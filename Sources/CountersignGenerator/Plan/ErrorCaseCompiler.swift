import CountersignSpec

/// Makes values of error cases.
struct ErrorCaseCompiler {
    let types: [ResolvedErrorType]
    /// Whether values say their type, where none is expected.
    let isNamed: Bool

    /// What there is to carry where an error case is made.
    enum Cargo {
        case nothing
        /// An expression for a text.
        case detail(SwiftExpression)
        /// An expression for an error, and a text for cases that carry a detail.
        case error(SwiftExpression, detail: String)
        /// Expressions by what they are.
        case values([ResolvedErrorCase.CarriedType: SwiftExpression])
    }

    /// An error case with what it carries.
    func value(_ name: Located<String>, carrying cargo: Cargo) throws -> SwiftExpression {
        let errorCase = try find(name)
        let identifier = try Planning.identifier(name)
        // Alone, `.none` and `.some` would be those of `Optional`.
        let needsName = ["none", "some"].contains(name.value) || isNamed
        let type: SwiftExpression = needsName ? .text(try Planning.typeName(try typeName(of: name), at: name.location)) : ""
        let value: SwiftExpression = "\(type).\(identifier)"
        if errorCase.carries.isEmpty { return value }
        let arguments = try errorCase.carries.map { carried in
            let content: SwiftExpression? =
                switch (carried.type, cargo) {
                case (.string, .detail(let text)): text
                case (.error, .error(let error, _)): error
                case (.string, .error(_, let detail)): .text(SwiftStringLiteral(detail))
                case (let type, .values(let values)): values[type]
                default: nil
                }
            guard let content else {
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
