import CountersignSpec

/// The error type of a method.
struct ErrorTypePlan: Sendable {
    let name: SwiftTypeName
    let documentation: DocumentationText
    let cases: [Case]
    let conformances: [SwiftTypeName]
    /// Whether a case carries the error response of an authorization server.
    let carriesServerErrors: Bool
    /// The cases with their texts.
    let table: SwiftExpression

    /// A case, and the associated values that its texts contain.
    struct Case: Sendable {
        let documentation: DocumentationText
        /// `webView(error: any Error)`.
        let declaration: SwiftExpression
        /// The pattern that binds the associated values for the texts.
        let pattern: SwiftExpression
        /// The `ErrorOccurrence` with the bound values.
        let occurrence: SwiftExpression
    }
}

extension ErrorTypePlan {
    /// - Parameters:
    ///   - method: The name of the method in its spec.
    ///   - programs: The programs of the method and of its grants, which raise the cases.
    init(_ errors: ResolvedErrorType, of method: String, raisedBy programs: [ResolvedProgram], in scope: LandscapeScope) throws {
        let pageCases = programs.pageCases
        name = try Planning.typeName(errors.name.value, at: errors.name.location)
        documentation = DocumentationText(
            errors.documentation.summary, discussion: errors.documentation.discussion,
            callouts: [Planning.remark(errors.name.location)])
        guard !errors.cases.isEmpty else {
            throw GenerationProblem(at: errors.name.location, "'\(errors.name.value)' needs a case")
        }
        cases = try errors.cases.enumerated().map { try Case($0, $1, isOfPages: pageCases.contains($1.name.value)) }
        conformances = scope.errorConformances
        carriesServerErrors = errors.cases.contains { $0.carries.contains { $0.type == .serverError } }
        let all = ErrorCaseCompiler(types: programs.first?.errors ?? [], isNamed: false)
        let raised = programs.flatMap(\.raised)
        for name in raised { _ = try all.find(name) }
        func row(_ errorCase: ResolvedErrorCase) throws -> SwiftExpression {
            try Self.row(errorCase, of: errors, raisedAs: raised.first { $0.value == errorCase.name.value })
        }
        table = .call(
            "ErrorTable", .init("of", "\(name).self"), .init(nil, .text(SwiftStringLiteral(method))),
            .init(nil, .list(try errors.cases.map { try row($0) })))
    }

    /// Returns the table row of a case: its texts and, if the case is raised, the expression that creates it.
    ///
    /// - Parameter name: The case's name where it is first raised; `nil` if it is never raised.
    private static func row(
        _ errorCase: ResolvedErrorCase, of type: ResolvedErrorType, raisedAs name: Located<String>?
    ) throws -> SwiftExpression {
        func text(_ text: String) -> [SwiftExpression.Argument] { [.init(nil, .text(SwiftStringLiteral(text)))] }
        let texts = [("reason", errorCase.reason), ("recovery", errorCase.recovery)] as [(SwiftExpression, String?)]
        return .chain(
            .call(
                ".init",
                text(errorCase.name.value) + (try name.map { [.init(nil, try maker(of: errorCase, named: $0, in: type))] } ?? [])
                    + text(errorCase.documentation.summary)),
            texts.compactMap { word, text in text.map { .call(".\(word)", .init(nil, .text(SwiftStringLiteral($0)))) } })
    }

    /// Returns the case itself if it carries nothing; otherwise a closure that creates it from its cause, and returns `nil` if
    /// the cause lacks a required value.
    private static func maker(
        of errorCase: ResolvedErrorCase, named name: Located<String>, in type: ResolvedErrorType
    ) throws -> SwiftExpression {
        let carried = Set(errorCase.carries.map(\.type))
        var demanded: SwiftExpression?
        if carried.contains(.statusCode) {
            demanded = "status"
        } else if carried.contains(.serverError) {
            demanded = "server"
        } else if !carried.isDisjoint(with: [.response, .responseData]) {
            demanded = "response"
        }
        let cause: SwiftExpression = demanded == nil ? "$0" : "cause"
        let cargo: [ResolvedErrorCase.CarriedType: SwiftExpression] = [
            .string: "\(cause).detail", .error: "\(cause).error", .status: "\(cause).response?.status",
            .responseText: "\(cause).response?.body", .statusCode: "$0", .serverError: "$0",
            .response: "GeneratedCodeVersion3.httpURLResponse($0)", .responseData: "Data($0.body.utf8)",
        ]
        let value = try ErrorCaseCompiler(types: [type], isNamed: demanded != nil).value(name, carrying: cargo)
        guard let demanded else { return carried.isEmpty ? value : .closure(nil, value) }
        return .closure("cause", .sequence(["cause.\(demanded).map ", .closure(nil, value)]))
    }
}

extension ErrorTypePlan.Case {
    /// Members of error types that a case of the same name would hide.
    private static let taken: Set = ["authenticationMethod", "descriptions", "occurrence", "table"]

    fileprivate init(_ number: Int, _ errorCase: ResolvedErrorCase, isOfPages: Bool) throws {
        guard !Self.taken.contains(errorCase.name.value) else {
            throw GenerationProblem(
                at: errorCase.name.location,
                "a case cannot be named '\(errorCase.name.value)', because the runtime uses the name")
        }
        let name = try Planning.identifier(errorCase.name)
        documentation = DocumentationText(
            errorCase.documentation.summary, discussion: errorCase.documentation.discussion,
            callouts: errorCase.since.map { [.since($0)] } ?? [])
        let carried: [SwiftExpression] = try errorCase.carries.map { carried in
            "\(try Planning.identifier(carried.label)): \(carried.type.swiftName)"
        }
        declaration = carried.isEmpty ? .text(name) : .call(.text(name), carried.map { .init(nil, $0) })
        let spoken = Spoken(errorCase)
        pattern = try spoken.pattern(name)
        occurrence = .call("ErrorOccurrence", [.init(nil, .number(number))] + (try spoken.arguments(isOfPages: isOfPages)))
    }
}

/// The associated values of an error case that its texts contain: a string named `detail`, `error` or `message`, an error as far
/// as it is safe to show, the URL and status code of a response, and a status code.
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

    /// Returns the pattern that binds these values.
    func pattern(_ name: SwiftIdentifier) throws -> SwiftExpression {
        let spoken = [detail, error, response, status].compactMap { $0?.value }
        guard !spoken.isEmpty else { return ".\(name)" }
        let bindings: [SwiftExpression] = try errorCase.carries.map { carried in
            spoken.contains(carried.label.value) ? "let \(try Planning.identifier(carried.label))" : "_"
        }
        return ".\(SwiftExpression.call(.text(name), bindings.map { .init(nil, $0) }))"
    }

    /// Returns the arguments of the `ErrorOccurrence`.
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
