import CountersignSpec

extension CredentialMethodPlan {
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
                "definitionType": .text(definition.type),
                "observerType": .text(observerType),
                "session": .text(session),
                "task": .text(task),
                "observing": .text(observing),
            ])
    }
}
