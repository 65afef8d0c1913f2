extension ErrorTypePlan {
    /// The error type with its texts.
    var view: View {
        View(
            "errors",
            [
                "name": .text(name),
                "documentation": .comment(documentation.comment),
                "method": .text(method),
                "cases": .views(cases.map(\.view)),
                "carriesServerErrors": .flag(!serverErrorPatterns.isEmpty),
                "serverErrors": .views(serverErrorPatterns.map { View("serverError", ["pattern": .expression($0)]) }),
                "hasConformances": .flag(!conformances.isEmpty),
                "conformances": .expression(.conformances(conformances)),
            ])
    }
}

extension ErrorTypePlan.Case {
    fileprivate var view: View {
        View(
            "case",
            [
                "documentation": .comment(documentation.comment),
                "declaration": .expression(declaration, indentation: 4, after: 5),
                "pattern": .expression(pattern),
                "reasonPattern": .expression(reasonPattern),
                "code": .text(code),
                "textPattern": .expression(textPattern),
                "summary": following(summary, textPattern),
                "reason": following(reason, reasonPattern),
                "recovery": following(recovery, textPattern),
            ])
    }

    private func following(_ value: SwiftExpression, _ pattern: SwiftExpression) -> View.Member {
        .expression(.following(value), indentation: 8, after: 6 + pattern.onOneLine.count)
    }
}
