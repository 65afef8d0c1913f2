import CountersignSpec

/// The error type of a method.
struct ErrorTypePlan: Sendable {
    let name: SwiftTypeName
    let documentation: DocumentationText
    let method: SwiftStringLiteral
    let cases: [Case]
    let conformances: [SwiftTypeName]
    /// Whether a case carries what an authorization server said.
    let carriesServerErrors: Bool
    /// The texts of the cases.
    let descriptions: SwiftExpression

    /// A case, and what of it is part of its texts.
    struct Case: Sendable {
        let documentation: DocumentationText
        /// `webView(error: any Error)`.
        let declaration: SwiftExpression
        /// The pattern that binds what the texts need.
        let pattern: SwiftExpression
        /// The occurrence with that.
        let occurrence: SwiftExpression
    }
}

extension ErrorTypePlan {
    /// - Parameters:
    ///   - method: The name of the method in its spec.
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
        cases = try errors.cases.enumerated().map { try Case($0, $1, isOfPages: pageCases.contains($1.name.value)) }
        conformances = scope.errorConformances
        carriesServerErrors = errors.cases.contains { $0.carries.contains { $0.type == .serverError } }
        descriptions = .list(errors.cases.map { Self.description($0, of: errors) })
    }

    private static func description(_ errorCase: ResolvedErrorCase, of type: ResolvedErrorType) -> SwiftExpression {
        func text(_ label: SwiftExpression, _ text: String?) -> [SwiftExpression.Argument] {
            text.map { [.init(label, .text(SwiftStringLiteral($0)))] } ?? []
        }
        return .call(
            "ErrorDescription",
            text("type", type.name.value) + text("code", errorCase.name.value)
                + text("summary", errorCase.documentation.summary) + text("reason", errorCase.reason)
                + text("recovery", errorCase.recovery))
    }
}

extension ErrorTypePlan.Case {
    /// Members of error types that cases would hide.
    private static let taken: Set = ["authenticationMethod", "descriptions", "occurrence"]

    fileprivate init(_ number: Int, _ errorCase: ResolvedErrorCase, isOfPages: Bool) throws {
        guard !Self.taken.contains(errorCase.name.value) else {
            throw GenerationProblem(
                at: errorCase.name.location,
                "a case cannot be named '\(errorCase.name.value)': the runtime uses the name otherwise")
        }
        let name = try Planning.identifier(errorCase.name)
        documentation = DocumentationText(
            errorCase.documentation.summary, discussion: errorCase.documentation.discussion,
            callouts: (errorCase.since.map { [.since($0)] } ?? []) + [Planning.remark(errorCase.name.location)])
        let carried: [SwiftExpression] = try errorCase.carries.map { carried in
            "\(try Planning.identifier(carried.label)): \(carried.type.swiftName)"
        }
        declaration = carried.isEmpty ? .text(name) : .call(.text(name), carried.map { .init(nil, $0) })
        let spoken = Spoken(errorCase)
        pattern = try spoken.pattern(name)
        occurrence = .call("ErrorOccurrence", [.init(nil, .number(number))] + (try spoken.arguments(isOfPages: isOfPages)))
    }
}

/// What of an error case is part of its texts: a carried `detail` or `message`, a carried error as far as it is safe, where a carried response
/// came from, and a carried status.
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

    /// The pattern that binds it.
    func pattern(_ name: SwiftIdentifier) throws -> SwiftExpression {
        let spoken = [detail, error, response, status].compactMap { $0?.value }
        guard !spoken.isEmpty else { return ".\(name)" }
        let bindings: [SwiftExpression] = try errorCase.carries.map { carried in
            spoken.contains(carried.label.value) ? "let \(try Planning.identifier(carried.label))" : "_"
        }
        return ".\(SwiftExpression.call(.text(name), bindings.map { .init(nil, $0) }))"
    }

    /// What an occurrence is made with.
    func arguments(isOfPages: Bool) throws -> [SwiftExpression.Argument] {
        func argument(_ label: SwiftExpression, _ name: Located<String>?) throws -> [SwiftExpression.Argument] {
            try name.map { [.init(label, .text(try Planning.identifier($0)))] } ?? []
        }
        if isOfPages, let error { return try argument("page", error) }
        guard let response else {
            return try argument("detail", detail) + argument("error", error) + argument("status", status)
        }
        let name = try Planning.identifier(response)
        return try argument("detail", detail) + argument("error", error) + [
            .init("url", "\(name).url"), .init("status", "\(name).statusCode"),
        ]
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
