import CountersignSpec

/// The enumeration of a field with a closed set of values. It is nested in the struct with the field.
struct ChoicePlan: Sendable {
    let name: SwiftTypeName
    let documentation: DocumentationText
    /// At least two, in the order of the spec.
    let values: [Value]

    /// A case, whose raw value is the value in the spec.
    struct Value: Sendable {
        let name: SwiftIdentifier
        let documentation: DocumentationText
        let rawValue: SwiftStringLiteral
    }
}

extension ChoicePlan {
    init(_ field: ResolvedField) throws {
        name = try Planning.typeName(ResolvedChoice.typeName(of: field.name.value), at: field.name.location)
        documentation = DocumentationText(
            "The values of `\(field.name.value)`.", callouts: [Planning.remark(field.name.location)])
        values = try field.choices.map { choice in
            Value(
                name: try LiteralCompiler.caseName(of: choice.value), documentation: DocumentationText(choice.summary),
                rawValue: SwiftStringLiteral(choice.value.value))
        }
    }
}
