import CountersignSpec

extension ParametersPlan {
    /// Plans the struct with the results of an operation.
    init(resultsOf operation: ResolvedOperation) throws {
        let location = operation.name.location
        let results = operation.results
        let documentation = DocumentationText(
            "The results of the operation `\(operation.name.value)`.", callouts: [Planning.remark(location)])
        let fields = try results.map { result in
            FieldPlan(
                name: try Planning.identifier(result.name), type: result.swiftType,
                documentation: DocumentationText(result.documentation.summary, discussion: result.documentation.discussion))
        }
        // Required results come first, as in parameter structs.
        let order = results.filter { !$0.isOptional } + results.filter(\.isOptional)
        let initialiser = Initialiser(
            documentation: DocumentationText("Creates the results. They are documented at the properties."),
            parameters: try order.map { result in
                let declaration: SwiftExpression = "\(try Planning.identifier(result.name)): \(result.swiftType)"
                return result.isOptional ? "\(declaration) = nil" : declaration
            }, checks: [],
            assignments: fields.map { Initialiser.Assignment(name: $0.name, value: .text($0.name)) })
        let hasSecret = results.contains { $0.type == .secret }
        self.init(
            name: try Planning.typeName(operation.typeName(.results), at: location), documentation: documentation, fields: fields,
            choices: [], server: nil, comparison: .hashable, initialisers: [initialiser], fromSettings: nil, fromConfiguration: nil,
            redaction: hasSecret ? Redaction(visibleParts: .list(try results.map { try $0.visiblePart })) : nil)
    }
}

extension ResolvedOperation.ResultField {
    /// The type of the property.
    fileprivate var swiftType: SwiftExpression {
        let name: SwiftExpression =
            switch type {
            case .string, .secret: "String"
            case .url: "URL"
            case .boolean: "Bool"
            case .texts: "[String]"
            case .date: "Date"
            case .duration: "Duration"
            }
        return isOptional ? "\(name)?" : name
    }

    /// The expression for the field's part of a description, in which secrets are redacted.
    fileprivate var visiblePart: SwiftExpression {
        get throws {
            let name = try Planning.identifier(self.name)
            let value: SwiftExpression =
                switch type {
                case .secret: .text(SwiftStringLiteral("<redacted>"))
                case .string where !isOptional: .text(name)
                default: "String(describing: \(name))"
                }
            return "\(SwiftStringLiteral(self.name.value)): \(value)"
        }
    }
}
