import CountersignSpec

extension FlowCompiler {
    /// What there is to carry where an error case is made.
    enum Cargo {
        case nothing
        /// An expression for a text.
        case detail(SwiftExpression)
        /// An expression for an error, and a text for cases that carry a detail.
        case error(SwiftExpression, detail: String)
    }

    /// The mapping of a presenter's failures to the method's errors.
    func failures(_ present: ResolvedPresent) throws -> SwiftExpression {
        if present.failures.isEmpty { return .closure("_", "nil") }
        var lines: [SwiftExpression.Line] = [.init("switch failure {")]
        for failure in ResolvedPresent.PresentFailure.allCases {
            guard let errorCase = present.failures.first(where: { $0.failure == failure })?.errorCase else { continue }
            let carriesError = try find(errorCase).carries.contains { $0.type == .error }
            let (pattern, error): (SwiftExpression, SwiftExpression) =
                switch failure {
                case .dismissed: (".dismissed", "failure")
                case .load: carriesError ? (".load(let error)", "error") : (".load", "failure")
                case .reloaded: (".reloaded", "failure")
                case .background: (".background", "failure")
                }
            let value = try failureValue(errorCase, carrying: .error(error, detail: failure.text))
            lines.append(.init("case \(pattern): \(value)"))
        }
        if Set(present.failures.map(\.failure)).count < ResolvedPresent.PresentFailure.allCases.count {
            lines.append(.init("default: nil"))
        }
        return .closure(parameter: "failure", body: lines + [.init("}")])
    }

    /// An error case with what it carries.
    func failureValue(_ name: Located<String>, carrying cargo: Cargo) throws -> SwiftExpression {
        let errorCase = try find(name)
        let identifier = try Planning.identifier(name)
        // Alone, `.none` and `.some` would be those of `Optional`.
        let type: SwiftExpression =
            ["none", "some"].contains(name.value) ? .text(try Planning.typeName(method.errors.name.value, at: name.location)) : ""
        let value: SwiftExpression = "\(type).\(identifier)"
        if errorCase.carries.isEmpty { return value }
        let arguments = try errorCase.carries.map { carried in
            let content: SwiftExpression? =
                switch (carried.type, cargo) {
                case (.string, .detail(let text)): text
                case (.error, .error(let error, _)): error
                case (.string, .error(_, let detail)): .text(SwiftStringLiteral(detail))
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

    private func find(_ name: Located<String>) throws -> ResolvedErrorCase {
        guard let errorCase = method.errors.cases.first(where: { $0.name.value == name.value }) else {
            throw GenerationProblem(at: name.location, "'\(method.errors.name.value)' has no case '\(name.value)'")
        }
        return errorCase
    }
}

extension ResolvedPresent.PresentFailure {
    /// The text for an error case that carries a detail.
    fileprivate var text: String {
        switch self {
        case .dismissed: "The page was closed."
        case .load: "A page could not be loaded."
        case .reloaded: "The page was loaded anew."
        case .background: "The application was in the background."
        }
    }
}
