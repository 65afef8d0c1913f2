import CountersignSpec

extension FlowCompiler {
    /// `SchemeCondition("Bearer", in: .wwwAuthenticate, …)`.
    func scheme(_ scheme: ResolvedScheme) throws -> SwiftExpression {
        let field: SwiftExpression =
            switch scheme.field {
            case .wwwAuthenticate: ".wwwAuthenticate"
            case .proxyAuthenticate: ".proxyAuthenticate"
            }
        let parameters = try scheme.parameters.map { parameter in
            SwiftExpression.call(
                "ParameterCondition", .init(nil, .text(SwiftStringLiteral(parameter.name.value))),
                .init(nil, try match(parameter.match)))
        }
        let arguments: [SwiftExpression.Argument] = [
            .init(nil, .text(SwiftStringLiteral(scheme.name.value))), .init("in", field),
        ]
        return .call(
            "SchemeCondition", arguments + (parameters.isEmpty ? [] : [.init("parameters", .list(parameters))]))
    }
}
