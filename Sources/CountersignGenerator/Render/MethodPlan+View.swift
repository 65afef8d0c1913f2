extension MethodPlan {
    /// The constant that the runtime executes.
    var definitionView: View {
        View(
            "method",
            [
                "definitionDocumentation": .comment(documentation.definition.comment),
                "definitionType": .text(definitionType),
                "parameters": .text(parameters),
                "failure": .text(failure),
                "definition": .expression(definition, indentation: 4, after: 24),
                "challenges": .expression(challenges, indentation: 4, after: 55 + parameters.source.count),
                "authenticate": .expression(
                    authenticate, indentation: 4, after: 45 + parameters.source.count + failure.source.count),
                "afterResend": .expression(afterResend, indentation: 4, after: 44 + parameters.source.count + failure.source.count),
                "errors": .expression(errors, indentation: 4, after: 46),
            ])
    }

    /// The protocol for authentications and the generated one.
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
                "observerDocumentation": .comment(documentation.observer.comment),
                "observerName": .text(observerName),
            ]) { first, _ in first })
    }

    private var types: [String: View.Member] {
        [
            "definitionType": .text(definitionType),
            "authenticationType": .text(authenticationType),
            "authenticatorType": .text(authenticatorType),
            "observerType": .text(observerType),
            "parameters": .text(parameters),
            "failure": .text(failure),
            "session": .text(session),
            "task": .text(task),
            "observing": .text(observing),
            "isMadeFromSettings": .flag(settingsType != nil),
            "settingsType": .expression(settingsType.map(SwiftExpression.text) ?? ""),
            "label": .text(label),
            "variants": .views(otherLabels.map { View("variant", ["label": .text($0)]) }),
            "logsCompletion": .flag(logLabel != nil),
            "logLabel": .expression(logLabel.map(SwiftExpression.text) ?? ""),
            "methodName": .text(methodName),
            "defaultCompletion": .expression(logLabel == nil ? "" : " = \(authenticatorType).defaultCompletionHandler"),
            "hasCallback": .flag(callbackConformances != nil),
            "conformsToCallbacks": .flag(callbackConformances?.isEmpty == false),
            "callbackConformances": .expression(.conformances(callbackConformances ?? [])),
        ]
    }
}
