import CountersignSpec

/// The error type of a method.
struct ErrorTypePlan: Sendable {
    let name: SwiftTypeName
    let documentation: DocumentationText
    let method: SwiftStringLiteral
    let cases: [Case]
    let conformances: [SwiftTypeName]
    /// Patterns that bind `serverError`, for the cases that carry what an authorization server said.
    let serverErrorPatterns: [SwiftExpression]

    /// A case and the texts for it.
    struct Case: Sendable {
        let documentation: DocumentationText
        /// `webView(error: any Error)`.
        let declaration: SwiftExpression
        /// The pattern that matches the case and binds what the failure reason needs.
        let pattern: SwiftExpression
        let reasonPattern: SwiftExpression
        let code: SwiftStringLiteral
        let summary: SwiftStringLiteral
        let reason: SwiftExpression
        let recovery: SwiftExpression
    }
}

extension ErrorTypePlan {
    /// - Parameter method: The name of the method or discovery in its spec.
    init(_ errors: ResolvedErrorType, of method: String, in scope: LandscapeScope) throws {
        name = try Planning.typeName(errors.name.value, at: errors.name.location)
        documentation = DocumentationText(
            errors.documentation.summary, discussion: errors.documentation.discussion,
            callouts: [Planning.remark(errors.name.location)])
        self.method = SwiftStringLiteral(method)
        guard !errors.cases.isEmpty else {
            throw GenerationProblem(at: errors.name.location, "'\(errors.name.value)' needs a case")
        }
        cases = try errors.cases.map(Case.init)
        conformances = scope.errorConformances
        serverErrorPatterns = try errors.cases.compactMap { errorCase in
            guard errorCase.carries.contains(where: { $0.type == .serverError }) else { return nil }
            let bindings = errorCase.carries.map { $0.type == .serverError ? "let serverError" as SwiftExpression : "_" }
            return ".\(SwiftExpression.call(.text(try Planning.identifier(errorCase.name)), bindings.map { .init(nil, $0) }))"
        }
    }
}

extension ErrorTypePlan.Case {
    fileprivate init(_ errorCase: ResolvedErrorCase) throws {
        guard errorCase.name.value != "authenticationMethod" else {
            throw GenerationProblem(
                at: errorCase.name.location, "a case cannot be named 'authenticationMethod': the runtime uses the name otherwise")
        }
        let name = try Planning.identifier(errorCase.name)
        documentation = DocumentationText(
            errorCase.documentation.summary, discussion: errorCase.documentation.discussion,
            callouts: (errorCase.since.map { [.since($0)] } ?? []) + [Planning.remark(errorCase.name.location)])
        let carried: [SwiftExpression] = try errorCase.carries.map { carried in
            "\(try Planning.identifier(carried.label)): \(carried.type.swiftName)"
        }
        declaration = carried.isEmpty ? .text(name) : .call(.text(name), carried.map { .init(nil, $0) })
        pattern = ".\(name)"
        let spoken = Spoken(errorCase)
        reasonPattern = try spoken.pattern(name)
        reason = try spoken.reason
        code = SwiftStringLiteral(errorCase.name.value)
        summary = SwiftStringLiteral(errorCase.documentation.summary)
        recovery = errorCase.recovery.map { .text(SwiftStringLiteral($0)) } ?? "nil"
    }
}

/// What of an error case is part of its failure reason: the text of the spec, a carried `detail` or `message`, a carried error as far as it
/// is safe, where a carried response came from, and a carried status.
private struct Spoken {
    let errorCase: ResolvedErrorCase
    let detail, error, response, status: Located<String>?

    init(_ errorCase: ResolvedErrorCase) {
        self.errorCase = errorCase
        detail = errorCase.carries.first { $0.type == .string && ["detail", "error", "message"].contains($0.label.value) }?.label
        error = errorCase.carries.first { $0.type == .error || $0.type == .serverError }?.label
        response = errorCase.carries.first { $0.type == .response }?.label
        status = errorCase.carries.first { $0.type == .statusCode }?.label
    }

    func pattern(_ name: SwiftIdentifier) throws -> SwiftExpression {
        let spoken = [detail, error, response, status].compactMap { $0 }
        guard !spoken.isEmpty else { return ".\(name)" }
        let bindings: [SwiftExpression] = try errorCase.carries.map { carried in
            spoken.contains(carried.label) ? "let \(try Planning.identifier(carried.label))" : "_"
        }
        return ".\(SwiftExpression.call(.text(name), bindings.map { .init(nil, $0) }))"
    }

    var reason: SwiftExpression {
        get throws {
            let text: SwiftExpression = errorCase.reason.map { .text(SwiftStringLiteral($0)) } ?? "nil"
            let detail = try detail.map { SwiftExpression.text(try Planning.identifier($0)) }
            let error = try error.map { SwiftExpression.text(try Planning.identifier($0)) }
            let response = try response.map { SwiftExpression.text(try Planning.identifier($0)) }
            let status = try status.map { SwiftExpression.text(try Planning.identifier($0)) }
            guard detail != nil || error != nil || response != nil || status != nil else { return text }
            var arguments: [SwiftExpression.Argument] = [.init(nil, text)]
            if let detail { arguments.append(.init("detail", detail)) }
            if let error { arguments.append(.init("error", error)) }
            if let response {
                arguments.append(.init("url", "\(response).url"))
                arguments.append(.init("status", "\(response).statusCode"))
            }
            if let status, response == nil { arguments.append(.init("status", status)) }
            return .call("GeneratedCodeVersion1.failureReason", arguments)
        }
    }
}

extension ResolvedErrorCase.CarriedType {
    fileprivate var swiftName: SwiftExpression {
        switch self {
        case .error: "any Error"
        case .string: "String"
        case .integer: "Int"
        case .serverError: "OAuth2ServerError"
        case .status: "Int?"
        case .statusCode: "Int"
        case .responseText: "String?"
        case .response: "HTTPURLResponse"
        case .responseData: "Data"
        }
    }
}
