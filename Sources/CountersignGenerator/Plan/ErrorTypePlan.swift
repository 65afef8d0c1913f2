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
        /// The pattern that matches the case.
        let pattern: SwiftExpression
        /// The pattern that binds what the failure reason needs.
        let reasonPattern: SwiftExpression
        /// The same for summary and recovery, which depend on the error of a case for pages.
        let textPattern: SwiftExpression
        let code: SwiftStringLiteral
        let summary: SwiftExpression
        let reason: SwiftExpression
        let recovery: SwiftExpression
    }
}

extension ErrorTypePlan {
    /// - Parameters:
    ///   - method: The name of the method or discovery in its spec.
    ///   - pageCases: The names of cases that carry the failure of a page, whether it was not shown or refused what was entered.
    init(_ errors: ResolvedErrorType, of method: String, pageCases: Set<String> = [], in scope: LandscapeScope) throws {
        name = try Planning.typeName(errors.name.value, at: errors.name.location)
        documentation = DocumentationText(
            errors.documentation.summary, discussion: errors.documentation.discussion,
            callouts: [Planning.remark(errors.name.location)])
        self.method = SwiftStringLiteral(method)
        guard !errors.cases.isEmpty else {
            throw GenerationProblem(at: errors.name.location, "'\(errors.name.value)' needs a case")
        }
        cases = try errors.cases.map { try Case($0, isOfPages: pageCases.contains($0.name.value)) }
        conformances = scope.errorConformances
        serverErrorPatterns = try errors.cases.compactMap { errorCase in
            guard errorCase.carries.contains(where: { $0.type == .serverError }) else { return nil }
            let bindings = errorCase.carries.map { $0.type == .serverError ? "let serverError" as SwiftExpression : "_" }
            return ".\(SwiftExpression.call(.text(try Planning.identifier(errorCase.name)), bindings.map { .init(nil, $0) }))"
        }
    }
}

extension ErrorTypePlan.Case {
    fileprivate init(_ errorCase: ResolvedErrorCase, isOfPages: Bool) throws {
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
        let summary = SwiftExpression.text(SwiftStringLiteral(errorCase.documentation.summary))
        let recovery: SwiftExpression = errorCase.recovery.map { .text(SwiftStringLiteral($0)) } ?? "nil"
        guard isOfPages, let error = try spoken.errorBinding(name) else {
            textPattern = pattern
            self.summary = summary
            self.recovery = recovery
            return
        }
        textPattern = error.pattern
        self.summary = .call("GeneratedCodeVersion1.errorDescription", .init(nil, summary), .init("error", error.name))
        self.recovery = .call("GeneratedCodeVersion1.recoverySuggestion", .init(nil, recovery), .init("error", error.name))
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
        try pattern(name, binding: [detail, error, response, status].compactMap { $0 })
    }

    /// The pattern that binds the carried error alone, and the name that it is bound to; `nil` if there is none.
    func errorBinding(_ name: SwiftIdentifier) throws -> (pattern: SwiftExpression, name: SwiftExpression)? {
        guard let error = errorCase.carries.first(where: { $0.type == .error })?.label else { return nil }
        return (try pattern(name, binding: [error]), .text(try Planning.identifier(error)))
    }

    private func pattern(_ name: SwiftIdentifier, binding spoken: [Located<String>]) throws -> SwiftExpression {
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
