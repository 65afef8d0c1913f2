extension ErrorTypePlan {
    /// The error type with its texts.
    ///
    /// - Parameter isFirst: Whether the type begins a section of the file.
    func view(isFirst: Bool) -> View {
        View(
            "errors",
            [
                "isFirst": .flag(isFirst),
                "name": .text(name),
                "documentation": .comment(documentation.comment),
                "cases": .views(cases.map(\.view)),
                "table": .expression(table, indentation: 4, after: 26),
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
