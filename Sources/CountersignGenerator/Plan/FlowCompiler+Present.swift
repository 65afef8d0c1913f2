import CountersignSpec

extension FlowCompiler {
    /// What only some pages have: a callback, and what statuses mean.
    func extras(of present: ResolvedPresent) -> [SwiftExpression.Argument] {
        var arguments: [SwiftExpression.Argument] = []
        if let callback = present.callback { arguments.append(.init("callback", self.callback(callback))) }
        if !present.explanations.isEmpty {
            let entries = present.explanations.map { explanation in
                SwiftExpression.sequence([
                    .number(explanation.status), ": ", .text(SwiftStringLiteral(explanation.text)),
                ])
            }
            arguments.append(.init("explanations", .list(entries)))
        }
        return arguments
    }

    private func callback(_ callback: ResolvedCallback) -> SwiftExpression {
        let items = callback.query.map { item in
            SwiftExpression.call(
                ".init", .init(nil, .text(SwiftStringLiteral(item.name.value))),
                .init("as", .text(SwiftStringLiteral(item.pageName))))
        }
        return .call(
            "CallbackRule",
            .init("schemeEnding", .text(SwiftStringLiteral(callback.schemeEnding))),
            .init("host", .text(SwiftStringLiteral(callback.host))),
            .init("path", .text(SwiftStringLiteral(callback.path))),
            .init("application", .text(SwiftStringLiteral(callback.application))),
            .init("source", callback.source.map { .text(SwiftStringLiteral($0)) } ?? "nil"),
            .init("query", .list(items)))
    }
}
