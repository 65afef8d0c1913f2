extension MethodPlan {
    /// The protocol for authentications, and the generated authenticator.
    var authenticatorView: View {
        View(
            "authenticator",
            types.merging([
                "authenticationDocumentation": .comment(documentation.authentication.comment),
                "authenticatorDocumentation": .comment(documentation.authenticator.comment),
            ]) { first, _ in first })
    }

    /// The observer.
    var observerView: View {
        View(
            "observer",
            types.merging([
                "observerDocumentation": .comment(documentation.observer.comment)
            ]) { first, _ in first })
    }

    private var types: [String: View.Member] {
        [
            "definitionType": .text(definition.type),
            "authenticationType": .text(authenticationType),
            "authenticatorType": .text(authenticatorType),
            "observerType": .text(observerType),
            "parameters": .text(parameters),
            "session": .text(session),
            "isMadeFromSettings": .flag(settingsType != nil),
            "settingsType": .expression(settingsType.map(SwiftExpression.text) ?? ""),
            "label": .text(label), "labelName": .text(label.label),
            "variants": .views(otherLabels.map { View("variant", ["label": .text($0)]) }),
            "logsCompletion": .flag(logLabel != nil),
            "logLabel": .expression(logLabel.map(SwiftExpression.text) ?? ""),
            "methodName": .text(methodName),
            // Unchecked like its open superclass: it stores only its parameters, which are immutable and Sendable.
            "authenticatorConformances": .expression(
                .conformances(
                    [
                        callbackConformances == nil ? "SessionCookieAuthenticator" : "CallbackAuthenticator",
                        .text(authenticationType),
                    ]
                        + (callbackConformances ?? []).map { .text($0) } + ["@unchecked Sendable"])),
            "observerConformances": .expression(.observer("SessionCookieObserver", observing)),
        ]
    }
}
