import CountersignSpec

/// The types around a method whose credential the application gives: its definition and the observer.
struct CredentialMethodPlan: Sendable {
    let kind: ResolvedCredential
    let session, task, observing: SwiftTypeName
    /// `BasicAuthenticationMethod`, `BasicAuthenticationObserver`.
    let definitionType, observerType: SwiftTypeName
    let observerName: SwiftStringLiteral
    let definitionDocumentation, observerDocumentation: DocumentationText

    let definition: SwiftExpression
    let challenges: SwiftExpression
    let authenticate: SwiftExpression
    let afterResend: SwiftExpression
    let errors: SwiftExpression
}

extension CredentialMethodPlan {
    init(_ method: ResolvedMethod, in scope: LandscapeScope) throws {
        func type(_ suffix: String) throws -> SwiftTypeName {
            try Planning.typeName(method.name.value + suffix, at: method.name.location)
        }
        kind = method.credential
        (session, task, observing) = (scope.session, scope.task, scope.observing)
        definitionType = try type("Method")
        observerType = try type("Observer")
        observerName = SwiftStringLiteral(method.name.value + "Observer")
        let remark = Planning.remark(method.name.location)
        definitionDocumentation = DocumentationText("\(method.name.value) as the runtime executes it.", callouts: [remark])
        observerDocumentation = DocumentationText(
            method.documentation.summary,
            discussion: [
                method.documentation.discussion,
                """
                Register one observer on a session. Requests that are challenged at the same time share one question to the application.
                """,
            ].compactMap(\.self).joined(separator: "\n\n"), callouts: [remark])
        let compiler = FlowCompiler(method, subject: .nothing)
        definition = try compiler.credentialDefinition()
        challenges = .list(try method.challenges.map(compiler.challenge))
        authenticate = .list(try method.authenticate.map(compiler.step))
        afterResend = .list(try method.afterResend.map(compiler.step))
        errors = .list(compiler.errors)
    }
}
