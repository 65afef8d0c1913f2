import CountersignSpec

extension CredentialMethodPlan {
    /// The constant that the runtime executes.
    var definitionView: View {
        View(
            "credentialMethod",
            [
                "definitionDocumentation": .comment(definitionDocumentation.comment),
                "definitionType": .text(definitionType),
                "arguments": .views(
                    arguments.map {
                        View(
                            "argument",
                            [
                                "name": .text($0.name), "type": .expression($0.type), "slot": .expression(.number($0.slot)),
                                "value": .expression($0.value),
                            ])
                    }),
                "program": .expression(program, indentation: 4, after: 25),
                "mock": .expression(mock, indentation: 4, after: 22),
                "hasErrors": .flag(!errors.isEmpty),
                "errors": .views(
                    errors.map {
                        View("error", ["number": .expression(.number($0.number)), "value": .expression($0.value)])
                    }),
            ])
    }

    /// The template of the observer: each kind of credential has initialisers of its own.
    var observerTemplate: String {
        switch kind {
        case .apiKey: "APIKeyObserver"
        case .clientCertificate: "IdentityObserver"
        default: "BasicObserver"
        }
    }

    /// The observer.
    var observerView: View {
        View(
            "credentialObserver",
            [
                "observerDocumentation": .comment(observerDocumentation.comment),
                "definitionType": .text(definitionType),
                "observerType": .text(observerType),
                "session": .text(session),
                "task": .text(task),
                "observing": .text(observing),
            ])
    }
}
