import CountersignSpec

/// The types around a method whose credential the application gives: its definition and the observer.
struct CredentialMethodPlan: Sendable {
    let kind: ResolvedCredential
    let session, task, observing: SwiftTypeName
    /// `BasicAuthenticationMethod`, `BasicAuthenticationObserver`.
    let definitionType, observerType: SwiftTypeName
    let definitionDocumentation, observerDocumentation: DocumentationText
    /// What the definition is made with.
    let arguments: [Argument]
    let program, mock: SwiftExpression
    /// What makes the method's errors.
    let errors: [ErrorValue]

    struct Argument: Sendable {
        let name: SwiftIdentifier
        let type: SwiftExpression
        let slot: Int
        let value: SwiftExpression

        /// The servers come first, where the application names any; behind them stands what is true or not.
        init(_ name: SwiftIdentifier, at slot: Int) {
            self.name = name
            self.slot = slot
            (type, value) =
                slot == 0
                ? ("ProtectedOrigins?", "\(name).map(ProgramValue.origins) ?? .absent")
                : ("Bool", "\(name) ? .text(\"true\") : .absent")
        }
    }

    struct ErrorValue: Sendable {
        let number: Int
        let value: SwiftExpression
    }
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
        let lowered = ResolvedProgram(lowering: method)
        arguments = try lowered.slots.enumerated().filter { $0.element.source == .parameter }.map { slot, parameter in
            Argument(try Planning.identifier(parameter.name), at: slot)
        }
        program = ProgramCompiler.program(lowered)
        mock = FlowCompiler(method, subject: .nothing).mock
        let compiler = ErrorCaseCompiler(types: method.errorTypes, isNamed: true)
        let raised = Set((lowered.failures.map(\.errorCase) + lowered.rejections.compactMap(\.error)).map(\.value))
        errors = try lowered.errorCases.enumerated().compactMap { number, error in
            guard raised.contains(error.errorCase.name.value) else { return nil }
            return ErrorValue(number: number, value: try compiler.value(error.errorCase.name, carrying: .detail("detail")))
        }
    }
}
