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
                "summary": .text(summary),
                "reason": .expression(reason, indentation: 8, after: 7 + reasonPattern.onOneLine.count),
                "recovery": .expression(recovery),
            ])
    }
}
