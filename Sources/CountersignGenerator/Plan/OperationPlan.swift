import CountersignSpec

/// An operation of a landscape: the enumeration of its versions, and the methods of the session that do it.
struct OperationPlan: Sendable {
    let name: SwiftIdentifier
    let versionType: SwiftTypeName
    let settingsType: SwiftTypeName
    let session: SwiftTypeName
    let typeDocumentation, methodDocumentation, handlerDocumentation: DocumentationText
    /// At least one; the first is the usual one.
    let versions: [Version]

    /// A case of the enumeration.
    struct Version: Sendable {
        let name: SwiftIdentifier
        let documentation: DocumentationText
        /// The operation for `settingsParameters`.
        let operation: SwiftExpression
    }
}

extension OperationPlan {
    init(_ operation: ResolvedOperation, in scope: LandscapeScope) throws {
        let location = operation.name.location
        guard let settings = scope.landscape.settings, let settingsType = scope.settingsType else {
            throw GenerationProblem(at: location, "an operation needs a landscape with settings")
        }
        name = try Planning.identifier(operation.name)
        versionType = try Planning.typeName(ResolvedOperation.versionType(of: operation.name.value), at: location)
        self.settingsType = settingsType
        session = scope.session
        let remark = Planning.remark(location)
        typeDocumentation = DocumentationText(
            "The versions of the operation `\(operation.name.value)`.", discussion: operation.documentation.summary,
            callouts: [remark])
        let usual = operation.versions.first?.name.value ?? ""
        let parameters: [DocumentationText.Callout.Parameter] = [
            .init(name: "settingsParameters", summary: "The settings."),
            .init(name: "version", summary: "Which of the server's versions; `\(usual)` if nothing is said."),
        ]
        methodDocumentation = DocumentationText(
            operation.documentation.summary, discussion: Self.discussion(operation),
            callouts: [
                .parameters(parameters), .throws("`CountersignError`; `URLError`; what the store of a credential throws."),
            ])
        handlerDocumentation = DocumentationText(
            "The same with a handler, which is called once, on no particular thread, with the error or without one.")
        versions = try operation.versions.map { try Version($0, of: operation, settings) }
    }

    private static func discussion(_ operation: ResolvedOperation) -> String {
        let usesSession = operation.versions.contains { $0.program.calls.contains(where: \.usesSession) }
        let request: String? =
            usesSession
            ? nil : "The request carries the session's cookies; no observer takes part in it, and no challenge is answered."
        let end: String? =
            switch operation.ends {
            case .nothing: nil
            case .userSession:
                """
                Then the user's session ends here, whatever the server said: cookies and tokens are dropped, running authentications \
                discarded. So an error says what was not done at the server, or which token a store still has, and the next request \
                authenticates anew in any case.
                """
            }
        return [operation.documentation.discussion, request, end].compactMap(\.self).joined(separator: "\n\n")
    }
}

extension OperationPlan.Version {
    fileprivate init(
        _ version: ResolvedOperation.Version, of operation: ResolvedOperation, _ settings: ResolvedParameters
    ) throws {
        let name = try Planning.identifier(version.name)
        let program = version.program
        let ends: [SwiftExpression.Argument] =
            switch operation.ends {
            case .nothing: []
            case .userSession: [.init("ends", ".userSession")]
            }
        self.init(
            name: name,
            documentation: DocumentationText(
                program.documentation.summary, discussion: program.documentation.discussion),
            operation: .call(
                "LandscapeOperation",
                [
                    .init("name", .text(SwiftStringLiteral(operation.name.value))),
                    .init("version", .text(SwiftStringLiteral(version.name.value))),
                    .init("summary", .text(SwiftStringLiteral(program.documentation.summary))),
                ] + ProgramCompiler.slots(of: program)
                    + ProgramCompiler.list(
                        "values", try SlotFilling(program).values(ofSettings: settings, named: "settingsParameters"))
                    + [.init("steps", ProgramCompiler.steps(of: program))] + ends))
    }
}
