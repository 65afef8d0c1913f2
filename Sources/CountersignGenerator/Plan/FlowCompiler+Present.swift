import CountersignSpec

extension FlowCompiler {
    /// What only some pages have: what statuses mean.
    func extras(of present: ResolvedPresent) -> [SwiftExpression.Argument] {
        guard !present.explanations.isEmpty else { return [] }
        let entries = present.explanations.map { explanation in
            SwiftExpression.sequence([.number(explanation.status), ": ", .text(SwiftStringLiteral(explanation.text))])
        }
        return [.init("explanations", .list(entries))]
    }
}
