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
                "descriptions": .expression(descriptions, indentation: 4, after: 35),
                "conformances": .expression(.conformances(["DescribedError"] + carrying + conformances.map { .text($0) })),
            ])
    }

    private var carrying: [SwiftExpression] { carriesServerErrors ? ["OAuth2ServerErrorCarrying"] : [] }
}

extension ErrorTypePlan.Case {
    fileprivate var view: View {
        View(
            "case",
            [
                "documentation": .comment(documentation.comment),
                "declaration": .expression(declaration, indentation: 4, after: 5),
                "pattern": .expression(pattern),
                "occurrence": .expression(occurrence),
            ])
    }
}
