import CountersignSpec

extension FlowCompiler {
    /// The mapping of a presenter's failures to the method's errors.
    func failures(_ present: ResolvedPresent) throws -> SwiftExpression {
        if present.failures.allSatisfy(\.failure.isOfRedirect) { return .closure("_", "nil") }
        var lines: [SwiftExpression.Line] = [.init("switch failure {")]
        for failure in ResolvedPresent.PresentFailure.allCases {
            let own = present.failures.first { $0.failure == failure }?.errorCase
            // Without a case of its own, a refusal is carried by the case for a page that could not be shown, whose texts follow from it.
            let fallback = failure == .refused ? present.failures.first { $0.failure == .load }?.errorCase : nil
            guard !failure.isOfRedirect, let errorCase = own ?? fallback else { continue }
            let carriesError = try find(errorCase).carries.contains { $0.type == .error }
            let (pattern, error): (SwiftExpression, SwiftExpression) =
                switch failure {
                case .dismissed: (".dismissed", "failure")
                case .load: carriesError ? (".load(let error)", "error") : (".load", "failure")
                case .refused: carriesError && own != nil ? (".refused(let error)", "error") : (".refused", "failure")
                case .reloaded: (".reloaded", "failure")
                case .background, .server, .missing: (".background", "failure")
                }
            let value = try failureValue(errorCase, carrying: .error(error, detail: failure.text))
            lines.append(.init("case \(pattern): \(value)"))
        }
        if lines.count <= ResolvedPresent.PresentFailure.allCases.count(where: { !$0.isOfRedirect }) {
            lines.append(.init("default: nil"))
        }
        return .closure(parameter: "failure", body: lines + [.init("}")])
    }

    /// The mapping of what a redirect brings to the method's errors.
    func redirectFailures(_ present: ResolvedPresent) throws -> SwiftExpression {
        func value(_ failure: ResolvedPresent.PresentFailure, _ cargo: ErrorCaseCompiler.Cargo) throws -> SwiftExpression {
            let errorCase = present.failures.first { $0.failure == failure }?.errorCase
            return try errorCase.map { try failureValue($0, carrying: cargo) } ?? "nil"
        }
        let failures = Set(present.failures.map(\.failure))
        guard failures.contains(where: \.isOfRedirect) else { return .closure("_", "nil") }
        let server: SwiftExpression = try carries(.serverError, .server, present) ? ".server(let error)" : ".server"
        return .closure(
            parameter: "failure",
            body: [
                .init("switch failure {"),
                .init("case \(server): \(try value(.server, .values([.serverError: "error"])))"),
                .init("case .missing: \(try value(.missing, .nothing))"),
                .init("}"),
            ])
    }

    private func carries(
        _ type: ResolvedErrorCase.CarriedType, _ failure: ResolvedPresent.PresentFailure, _ present: ResolvedPresent
    ) throws -> Bool {
        guard let errorCase = present.failures.first(where: { $0.failure == failure })?.errorCase else { return false }
        return try find(errorCase).carries.contains { $0.type == type }
    }

    /// The mapping of a token request's failures to the method's errors.
    func failures(_ request: ResolvedRequest) throws -> SwiftExpression {
        if request.failures.isEmpty { return .closure("_", "nil") }
        var lines: [SwiftExpression.Line] = [.init("switch failure {")]
        for failure in ResolvedRequest.Failure.allCases {
            guard let name = request.failures.first(where: { $0.failure == failure })?.errorCase else { continue }
            let carried = Set(try find(name).carries.map(\.type))
            let (pattern, values) = Self.binding(failure, carried)
            lines.append(.init("case \(pattern): \(try failureValue(name, carrying: .values(values)))"))
        }
        if Set(request.failures.map(\.failure)).count < ResolvedRequest.Failure.allCases.count {
            lines.append(.init("default: nil"))
        }
        return .closure(parameter: "failure", body: lines + [.init("}")])
    }

    /// The pattern of a failure that binds what a case carries, and what the case is then made of.
    private static func binding(
        _ failure: ResolvedRequest.Failure, _ carried: Set<ResolvedErrorCase.CarriedType>
    ) -> (pattern: SwiftExpression, values: [ResolvedErrorCase.CarriedType: SwiftExpression]) {
        let usesOutline = !carried.isDisjoint(with: [.status, .responseText, .response, .responseData])
        switch failure {
        case .server:
            return (carried.contains(.serverError) ? ".server(let error, _)" : ".server", [.serverError: "error"])
        case .network, .noResponse:
            let word: SwiftExpression = failure == .network ? ".network" : ".noResponse"
            return (
                carried.contains(.error) ? "\(word)(let error)" : word, [.error: "error", .status: "nil", .responseText: "nil"]
            )
        case .status:
            return (
                usesOutline ? ".status(let outline)" : ".status",
                [.error: "failure", .status: "outline.status", .responseText: "outline.body"]
            )
        case .decode:
            let outline: SwiftExpression = usesOutline ? "let outline" : "_"
            let problem: SwiftExpression = carried.contains(.string) ? "let problem" : "_"
            return (
                usesOutline || carried.contains(.string) ? ".unreadable(\(outline), problem: \(problem))" : ".unreadable",
                [
                    .string: "problem", .response: "GeneratedCodeVersion1.httpURLResponse(outline)",
                    .responseData: "Data(outline.body.utf8)",
                ]
            )
        }
    }

    /// An error case with what it carries.
    func failureValue(_ name: Located<String>, carrying cargo: ErrorCaseCompiler.Cargo) throws -> SwiftExpression {
        try cases.value(name, carrying: cargo)
    }

    private func find(_ name: Located<String>) throws -> ResolvedErrorCase { try cases.find(name) }

    private var cases: ErrorCaseCompiler { ErrorCaseCompiler(types: method.errorTypes, isNamed: false) }
}

extension ResolvedPresent.PresentFailure {
    /// The text for an error case that carries a detail.
    fileprivate var text: String {
        switch self {
        case .dismissed: "The page was closed."
        case .load: "A page could not be loaded."
        case .refused: "The page refused what was entered."
        case .reloaded: "The page was loaded anew."
        case .background: "The application was in the background."
        case .server: "The authorization server refused."
        case .missing: "The redirect had nothing to go on with."
        }
    }

    /// Whether it is about what a redirect brings, and not about the page.
    fileprivate var isOfRedirect: Bool { self == .server || self == .missing }
}
