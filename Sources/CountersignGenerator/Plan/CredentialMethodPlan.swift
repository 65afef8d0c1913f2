import CountersignSpec

/// The types around a method whose credential the application gives: its definition and the observer.
struct CredentialMethodPlan: Sendable {
    let kind: ResolvedCredential
    let session, task, observing: SwiftTypeName
    /// `BasicAuthenticationObserver`.
    let observerType: SwiftTypeName
    let observerDocumentation: DocumentationText
    let definition: MethodDefinitionPlan
}

extension CredentialMethodPlan {
    init(_ method: ResolvedMethod, in scope: LandscapeScope) throws {
        kind = method.credential
        (session, task, observing) = (scope.session, scope.task, scope.observing)
        observerType = try Planning.typeName(method.name.value + "Observer", at: method.name.location)
        observerDocumentation = DocumentationText(
            method.documentation.summary,
            discussion: [
                method.documentation.discussion,
                """
                Register one observer on a session. Requests that are challenged at the same time share one question to the application.
                """,
            ].compactMap(\.self).joined(separator: "\n\n"), callouts: [Planning.remark(method.name.location)])
        definition = try MethodDefinitionPlan(method)
    }
}
