extension GrantMethodPlan {
    /// The constants that the runtime executes.
    var definitionView: View {
        View(
            "grantMethod",
            [
                "definitionDocumentation": .comment(documentation.definition.comment),
                "definitionType": .text(definitionType),
                "failure": .text(failure),
                "definition": .expression(definition, indentation: 4, after: 24),
                "challenges": .expression(challenges, indentation: 4, after: 51),
                "errors": .expression(errors, indentation: 4, after: 46),
                "grants": .views(grants.map { $0.view(failure: failure) }),
            ])
    }

    /// The protocol for authentications and the generated one.
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
                "observerName": .text(observerName),
            ]) { first, _ in first })
    }

    private var types: [String: View.Member] {
        [
            "definitionType": .text(definitionType),
            "authenticationType": .text(authenticationType),
            "authenticatorType": .text(authenticatorType),
            "observerType": .text(observerType),
            "failure": .text(failure),
            "session": .text(session),
            "task": .text(task),
            "observing": .text(observing),
            "defaultSession": .text(defaultSession),
            "sessionDescription": .text(sessionDescription),
            "grants": .views(grants.map { $0.view(failure: failure) }),
        ]
    }
}

extension GrantPlan {
    fileprivate func view(failure: SwiftTypeName) -> View {
        let first = SwiftExpression.call("TokenGrant<\(valuesType), \(failure)>", arguments)
        var type = first
        if let handover {
            let life: [SwiftExpression.Argument] = handover.life.map { [.init("within", $0)] } ?? []
            type = .call(
                "HandoverGrant",
                [.init("first", first)] + life + [
                    .init("next", .text(handover.constant)), .init("parameters", handover.parameters),
                ])
        }
        return View(
            "grant",
            [
                "documentation": .comment(documentation.comment),
                "valuesDocumentation": .comment(valuesDocumentation.comment),
                "comment": .text(CommentWords(name)),
                "valuesType": .text(valuesType),
                "constant": .text(constant),
                "parameters": .text(parameters),
                "hasState": .flag(hasState),
                "hasProofKey": .flag(hasProofKey),
                "hasCaptures": .flag(!captures.isEmpty),
                "captures": .views(captures.map { View("capture", ["name": .text($0)]) }),
                "definition": .expression(type, indentation: 4, after: 14 + constant.source.count),
                "isInteractive": .flag(isInteractive),
                "label": .text(label),
                "sessionLabel": .text(sessionLabel),
                "variants": .views(
                    otherLabels.map {
                        View("variant", ["label": .text($0.parameters), "sessionLabel": .text($0.session)])
                    }),
            ])
    }

    private var arguments: [SwiftExpression.Argument] {
        [
            .init("name", .text(nameLiteral)), .init("servers", servers), .init("authenticate", authenticate),
            .init("refresh", refresh),
        ]
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
