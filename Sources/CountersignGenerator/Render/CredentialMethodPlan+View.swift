import CountersignSpec

extension CredentialMethodPlan {
    /// The constant that the runtime executes.
    var definitionView: View {
        View(
            "credentialMethod",
            [
                "definitionDocumentation": .comment(definitionDocumentation.comment),
                "definitionType": .text(definitionType),
                "definition": .expression(definition, indentation: 4, after: 24),
                "challenges": .expression(challenges, indentation: 4, after: 59),
                "authenticate": .expression(authenticate, indentation: 4, after: 51),
                "afterResend": .expression(afterResend, indentation: 4, after: 50),
                "errors": .expression(errors, indentation: 4, after: 46),
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
                "observerName": .text(observerName),
                "session": .text(session),
                "task": .text(task),
                "observing": .text(observing),
            ])
    }
}
