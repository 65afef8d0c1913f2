extension CredentialMethodPlan {
    /// The observer.
    var observerView: View {
        View(
            "credentialObserver",
            [
                "observerDocumentation": .comment(observerDocumentation.comment),
                "definitionType": .text(definition.type),
                "observerType": .text(observerType),
                "session": .text(session),
                "task": .text(task),
                "observing": .text(observing),
                "members": .views(
                    members.map { member in
                        View(
                            "member",
                            [
                                "name": .text(member.name), "type": .expression(member.type),
                                "documentation": .comment(DocumentationText(member.summary).comment),
                            ])
                    }),
                "initialiserDocumentation": .comment(
                    DocumentationText(
                        "Makes an observer.",
                        callouts: [.parameters(members.map { .init(name: $0.name.name, summary: $0.summary) })]
                    ).comment),
                "parameters": .expression(
                    .parameterList(
                        members.map { member in
                            let declaration: SwiftExpression = "\(member.name.label): \(member.type)"
                            return member.standIn.map { "\(declaration) = \($0)" } ?? declaration
                        }), indentation: 4, after: 12 + 3),
                "source": .expression(source),
                "arguments": .expression(arguments),
                "hasStore": .flag(hasStore),
                "isReviewed": .flag(isReviewed),
            ])
    }
}
