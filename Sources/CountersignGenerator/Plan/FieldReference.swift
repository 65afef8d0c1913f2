import CountersignSpec

/// A field as generated code reads it.
struct FieldReference {
    let access: SwiftExpression
    let type: FieldType
    let isOptional: Bool

    /// Finds the field that a piece of a template refers to.
    ///
    /// - Parameters:
    ///   - owner: The expression for the value that has the field, such as `parameters`.
    init(_ name: String, in parameters: ResolvedParameters?, of owner: SwiftExpression, at location: SourceLocation) throws {
        guard let field = parameters?.fields.first(where: { $0.name.value == name }) else {
            throw GenerationProblem(at: location, "'\(name)' cannot be used here: no field of that name is in scope")
        }
        access = "\(owner).\(try Planning.identifier(field.name))"
        type = field.type
        isOptional = field.isOptional
    }

    /// The field's value as text; empty where an optional field has none.
    var text: SwiftExpression.TextPart {
        if isOptional {
            let text: SwiftExpression =
                switch type {
                case .string, .header, .secret: access
                case .choice: "\(access)?.rawValue"
                case .url: "\(access)?.absoluteString"
                case .boolean: "\(access).map { \(Self.text(of: "$0", type)) }"
                case .scopes, .texts: "\(access).flatMap { \(Self.text(of: "$0", type)) }"
                case .origins, .requestHandler: "nil"
                }
            let value: SwiftExpression = "\(text) ?? \"\""
            return .value(value, interpolated: value)
        }
        let interpolated: SwiftExpression =
            switch type {
            case .boolean: access
            case .string, .header, .secret, .choice, .url, .origins, .requestHandler: Self.text(of: access, type)
            case .scopes, .texts: "\(Self.text(of: access, type)) ?? \"\""
            }
        return .value(Self.text(of: access, type), interpolated: interpolated)
    }

    /// Returns the text of a value that is present.
    static func text(of value: SwiftExpression, _ type: FieldType) -> SwiftExpression {
        switch type {
        case .string, .header, .secret: value
        case .choice: "\(value).rawValue"
        case .url: "\(value).absoluteString"
        case .boolean: "String(\(value))"
        case .scopes, .texts: "GeneratedCodeVersion3.text(of: \(value))"
        // Templates for text cannot refer to origins or to a function.
        case .origins, .requestHandler: "\"\""
        }
    }

    /// The value of a `choice` field as a value of another struct's enumeration.
    var choice: SwiftExpression {
        isOptional ? "\(access).map { GeneratedCodeVersion3.choice($0) }" : "GeneratedCodeVersion3.choice(\(access))"
    }

    /// The expression for the runtime's value of a `texts` field. The value is absent if the list is empty.
    var texts: SwiftExpression { ".nonempty(\(isOptional ? "\(access) ?? []" : access))" }

    /// The value as an optional text, which is `nil` if the field has no value.
    var optionalText: SwiftExpression {
        guard isOptional else { return Self.text(of: access, type) }
        return switch type {
        case .string, .header, .secret: access
        case .choice: "\(access)?.rawValue"
        case .url: "\(access)?.absoluteString"
        case .scopes, .texts: "\(access).flatMap { \(Self.text(of: "$0", type)) }"
        case .boolean, .origins, .requestHandler: "\(access).map { \(Self.text(of: "$0", type)) }"
        }
    }
}
