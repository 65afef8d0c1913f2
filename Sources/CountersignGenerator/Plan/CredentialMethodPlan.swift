import CountersignSpec

/// The types generated for a method whose credential comes from a prompt: its definition and the observer.
struct CredentialMethodPlan: Sendable {
    let observing: SwiftTypeName
    /// `BasicAuthenticationObserver`.
    let observerType: SwiftTypeName
    let observerDocumentation: DocumentationText
    /// The members of the observer: the object that answers the prompts, its store if there is one, and the arguments of the
    /// definition.
    let members: [Member]
    /// The expression that creates the runtime's source of answers.
    let source: SwiftExpression
    let hasStore: Bool
    /// Whether requests wait for the answer, so that an application can review it before they resume.
    let isReviewed: Bool
    /// The arguments of the definition's initialiser.
    let arguments: SwiftExpression
    let definition: MethodDefinitionPlan

    /// A member of the observer.
    struct Member: Sendable {
        let name: SwiftIdentifier
        let type: SwiftExpression
        /// The default value in the initialiser; `nil` if the parameter is required.
        let standIn: SwiftExpression?
        let summary: String
    }
}

extension CredentialMethodPlan {
    init(_ method: ResolvedSurfaceMethod, in scope: LandscapeScope) throws {
        guard let prompting = method.prompting else {
            throw GenerationProblem(
                at: method.name.location, "'\(method.name.value)' does not name a type that answers its prompts")
        }
        observing = scope.observing
        observerType = try Planning.typeName(method.name.value + "Observer", at: method.name.location)
        observerDocumentation = DocumentationText(
            method.program.documentation.summary,
            discussion: [
                method.program.documentation.discussion,
                """
                \(method.program.challengeList)Register one observer on a session. Requests that are challenged at the same time share one question to the application.
                """,
            ].compactMap(\.self).joined(separator: "\n\n"), callouts: [Planning.remark(method.name.location)])
        definition = try MethodDefinitionPlan(method)
        isReviewed = !method.program.credential.isEager
        hasStore = prompting.store != nil
        let asked = try Planning.identifier(prompting.label)
        let store = try prompting.store.map { try Planning.identifier($0.label) }
        let sourceType = try Planning.typeName(prompting.source.value, at: prompting.source.location)
        source = .call(.text(sourceType), [.init(nil, .text(asked))] + (store.map { [.init("store", .text($0))] } ?? []))
        var members = [
            Member(
                name: asked, type: "any \(try Planning.typeName(prompting.type.value, at: prompting.type.location))",
                standIn: try prompting.standIn.map { "\(try Planning.typeName($0.value, at: $0.location))()" },
                summary: prompting.summary)
        ]
        if let keeper = prompting.store, let store {
            members.append(
                Member(
                    name: store, type: "(any \(try Planning.typeName(keeper.type.value, at: keeper.type.location)))?",
                    standIn: "nil",
                    summary: keeper.summary))
        }
        members += try zip(definition.members, method.program.memberSummaries).map { member, field in
            Member(
                name: member.name, type: member.type,
                standIn: member.isOptional ? "nil" : try field.defaultText.map { try LiteralCompiler.value($0, as: .boolean) },
                summary: field.summary)
        }
        self.members = members
        arguments = .call("", definition.members.map { .init($0.name, .text($0.name)) })
    }
}

extension ResolvedProgram {
    /// The summaries and default values of the observer's parameters, in the order of their slots.
    fileprivate var memberSummaries: [(summary: String, defaultText: Located<String>?)] {
        slots.filter { $0.source == .parameter }.map { slot in
            let field = parameters.first { $0.name.value == slot.name.value }
            return (field?.documentation.summary ?? "The servers that may receive the credential.", field?.defaultText)
        }
    }
}
