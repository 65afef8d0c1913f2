extension CredentialMethodPlan {
    /// The observer.
    var observerView: View {
        View(
            "credentialObserver",
            [
                "observerDocumentation": .comment(observerDocumentation.comment),
                "observerType": .text(observerType),
                "observerConformances": .expression(.observer(isReviewed ? "ReviewedObserver" : "ChallengeObserver", observing)),
                "members": .views(
                    members.map { member in
                        View(
                            "member",
                            [
                                "name": .text(member.name), "type": .expression(member.type),
                                "documentation": .comment(DocumentationText(member.summary).comment),
                            ])
                    }),
                "parameters": .expression(
                    .parameterList(
                        members.map { member in
                            let declaration: SwiftExpression = "\(member.name.label): \(member.type)"
                            return member.standIn.map { "\(declaration) = \($0)" } ?? declaration
                        }), indentation: 4, after: 12 + 3),
                "initialisation": .expression(initialisation, indentation: 8),
            ])
    }

    /// The call of the runtime's initialiser.
    private var initialisation: SwiftExpression {
        .call(
            "super.init",
            [
                .init(nil, "\(observerType).self"), .init("of", .sequence([.text(definition.type), arguments])),
                .init(hasStore ? "storing" : "asking", .closure(nil, source)),
            ])
    }
}
