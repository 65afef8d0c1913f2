import CountersignSpec

extension ResolvedParameters {
    /// The fields in the order of the generated initialiser: those that have to be given, then those with a default.
    var initialiserOrder: [ResolvedField] {
        fields.filter(\.isRequired) + fields.filter { !$0.isRequired }
    }

    /// The keys of a field in configuration files.
    func configurationKeys(of field: ResolvedField) -> [String] {
        configuration.first { $0.field.value == field.name.value }?.keys ?? []
    }
}

extension ResolvedField {
    /// Whether the initialiser asks for a value.
    var isRequired: Bool { !isOptional && defaultText == nil }

    /// The type of the property.
    var swiftType: SwiftExpression { isOptional ? "\(type.swiftName)?" : type.swiftName }

    /// The value that the initialiser takes where none is given; `nil` where one has to be given.
    var defaultValue: SwiftExpression? {
        get throws {
            if let defaultText { return try LiteralCompiler.value(defaultText, as: type) }
            return isOptional ? "nil" : nil
        }
    }
}

extension FieldType {
    /// The Swift type of a value.
    var swiftName: SwiftExpression {
        switch self {
        case .url: "URL"
        case .string, .header, .secret: "String"
        case .boolean: "Bool"
        case .integer: "Int"
        case .duration: "Duration"
        }
    }
}
