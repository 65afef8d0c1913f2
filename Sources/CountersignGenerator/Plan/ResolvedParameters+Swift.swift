import CountersignSpec

extension ResolvedParameters {
    /// The fields in the order of the generated initialiser: required fields, then those with a default.
    var initialiserOrder: [ResolvedField] {
        fields.filter(\.isRequired) + fields.filter { !$0.isRequired }
    }

    /// The fields of the primary initialiser, in its order. Of several initialisers, the first is the primary one.
    var primaryFields: [ResolvedField] {
        guard let first = initialisers.first else { return initialiserOrder }
        return fields(of: first)
    }

    /// Whether the primary initialiser throws.
    var primaryThrows: Bool { initialisers.first?.emptyText != nil }

    /// Whether the landscape's settings alone give a value for each field that needs one.
    var followFromSettings: Bool {
        fromSettings != nil
            && !fields.contains { field in field.isRequired && besideSettings.contains { $0.value == field.name.value } }
    }

    /// Returns the fields of an initialiser, in its order. They are required unless they have a default.
    func fields(of initialiser: ResolvedInitialiser) -> [ResolvedField] {
        initialiser.fields.compactMap { name in
            guard var field = fields.first(where: { $0.name.value == name.value }) else { return nil }
            field.isOptional = false
            return field
        }
    }

    /// The keys of a field in configuration files.
    func configurationKeys(of field: ResolvedField) -> [String] {
        configuration.first { $0.field.value == field.name.value }?.keys ?? []
    }
}

extension ResolvedField {
    /// Whether the initialiser requires a value.
    var isRequired: Bool { !isOptional && defaultText == nil }

    /// The field with its example in its documentation, for structs whose example is not shown elsewhere.
    var showingExample: ResolvedField {
        var field = self
        let example = example.map { "For example, `\($0.value)`." }
        let paragraphs = [documentation.discussion, example].compactMap(\.self)
        field.documentation.discussion = paragraphs.isEmpty ? nil : paragraphs.joined(separator: "\n\n")
        return field
    }

    /// The type of the property.
    var swiftType: SwiftExpression {
        guard isOptional else { return valueType }
        return type == .requestHandler ? "(\(valueType))?" : "\(valueType)?"
    }

    /// The type of an initialiser's parameter.
    var parameterType: SwiftExpression {
        type == .requestHandler && !isOptional ? "@escaping \(valueType)" : swiftType
    }

    /// The default value in the initialiser; `nil` if the parameter is required.
    var defaultValue: SwiftExpression? {
        get throws {
            if let defaultText { return try LiteralCompiler.value(defaultText, as: type) }
            return isOptional ? "nil" : nil
        }
    }
}

extension ResolvedField {
    /// The Swift type of a value, as it is named in the struct of the parameters.
    var valueType: SwiftExpression {
        switch type {
        case .url: "URL"
        case .string, .header, .secret: "String"
        case .boolean: "Bool"
        // For a name that Swift does not have, the plan of the enumeration throws.
        case .choice: SwiftTypeName(ResolvedChoice.typeName(of: name.value)).map { SwiftExpression.text($0) } ?? "String"
        case .scopes: "Set<String>"
        case .texts: "[String]"
        case .origins: "ProtectedOrigins"
        case .requestHandler: "@Sendable (URLRequest) throws -> URLRequest"
        }
    }
}
