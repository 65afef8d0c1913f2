extension GrantMethodPlan {
    /// The grants.
    var grantsView: View { View("grants", ["definitionType": .text(definitionType), "grants": .views(grantViews)]) }

    private var grantViews: [View] { grants.enumerated().map { $1.view(isFurther: $0 > 0) } }

    /// The protocol for authentications, and the generated authenticator.
    var authenticatorView: View {
        View(
            "grantAuthenticator",
            types.merging([
                "authenticationDocumentation": .comment(documentation.authentication.comment),
                "authenticatorDocumentation": .comment(documentation.authenticator.comment),
            ]) { first, _ in first })
    }

    /// The observer.
    var observerView: View {
        View(
            "grantObserver",
            types.merging([
                "observerDocumentation": .comment(documentation.observer.comment),
                "observerConformances": .expression(.observer("OAuth2TokenObserver", observing)),
            ]) { first, _ in first })
    }

    private var types: [String: View.Member] {
        [
            "definitionType": .text(definitionType),
            "authenticationType": .text(authenticationType),
            "authenticatorType": .text(authenticatorType),
            "observerType": .text(observerType),
            "session": .text(session),
            "defaultSession": .text(defaultSession),
            "sessionDescription": .text(sessionDescription),
            "grants": .views(grantViews),
        ]
    }
}

extension GrantPlan {
    /// The protocols that the grant's type conforms to.
    private var protocols: SwiftExpression {
        let handover: SwiftExpression = handover == nil ? "" : ", OneTimeParameters"
        return "GrantParameters\(handover)\(tools.isEmpty ? "" : ", EquippedParameters")"
    }

    /// - Parameter isFurther: Whether other grants precede this one.
    fileprivate func view(isFurther: Bool) -> View {
        View(
            "grant",
            [
                "isFurther": .flag(isFurther),
                "documentation": .comment(documentation.comment),
                "comment": .text(CommentWords(name)),
                "type": .text(type),
                "parameters": .text(parameters),
                "hasValues": .flag(!values.isEmpty),
                "hasTools": .flag(!tools.isEmpty),
                "tools": .expression(tools.arguments),
                "values": .expression(.list(values), indentation: 8, after: 35),
                "hasPreparations": .flag(!preparations.isEmpty),
                "preparations": .views(preparations.map { $0.view(indentation: 12) }),
                "program": .expression(program, indentation: 8, after: 29),
                "isOneTime": .flag(handover != nil),
                "protocol": .expression(protocols),
                "life": .expression(handover?.life ?? "nil"),
                "next": .text(handover?.type ?? type),
                "nextParameters": .expression(handover?.parameters ?? "parameters", indentation: 12, after: 12),
                "isInteractive": .flag(isInteractive),
                "label": .text(label), "labelName": .text(label.label),
                "sessionLabel": .text(sessionLabel), "sessionLabelName": .text(sessionLabel.label),
                "variants": .views(
                    otherLabels.map {
                        View("variant", ["label": .text($0.parameters), "sessionLabel": .text($0.session)])
                    }),
            ])
    }
}

/// The name of a grant in a comment: letters, digits, hyphens and underscores, as the reader has checked.
private struct CommentWords: SwiftText {
    let source: String

    init(_ name: String) {
        source = String(
            name.unicodeScalars.filter {
                $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "-" || $0 == "_")
            }.map(Character.init))
    }
}
