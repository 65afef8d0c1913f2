import CountersignSpec

/// Creates expressions for templates.
struct TemplateCompiler {
    /// The parameters that a template can refer to, and the expression for their value.
    var parameters: (fields: ResolvedParameters, owner: SwiftExpression)?
    /// The settings that a template can refer to, and the expression for their value.
    var settings: (fields: ResolvedParameters, owner: SwiftExpression)?

    /// Returns the field that is the whole template; `nil` if the template has other pieces.
    func onlyReference(_ template: ResolvedTemplate) throws -> FieldReference? {
        template.pieces.count == 1 ? try reference(template.pieces[0], of: template) : nil
    }

    /// Returns the field that a piece refers to; `nil` for text.
    func reference(_ piece: ResolvedTemplate.Piece, of template: ResolvedTemplate) throws -> FieldReference? {
        switch piece {
        case .text: nil
        case .parameter(let name, _):
            try FieldReference(name, in: parameters?.fields, of: parameters?.owner ?? "parameters", at: template.location)
        case .settings(let name, _):
            try FieldReference(name, in: settings?.fields, of: settings?.owner ?? "settings", at: template.location)
        }
    }

    /// Returns the expression for a `String`.
    func text(_ template: ResolvedTemplate) throws -> SwiftExpression {
        .joinedText(try template.pieces.map { try part($0, of: template) })
    }

    /// Returns a piece as part of a text.
    func part(_ piece: ResolvedTemplate.Piece, of template: ResolvedTemplate) throws -> SwiftExpression.TextPart {
        if case .text(let text) = piece { return .text(text) }
        return try reference(piece, of: template)?.text ?? .text("")
    }

    /// Returns the expression for a template's value, with the type of a field.
    func value(_ template: ResolvedTemplate, for field: ResolvedField) throws -> SwiftExpression {
        if let reference = try onlyReference(template), reference.type == field.type {
            guard field.isOptional || !reference.isOptional else {
                throw GenerationProblem(
                    at: template.location,
                    "'\(field.name.value)' needs a value, but the field that '\(template.text)' refers to is optional")
            }
            // Each struct has its own enumeration.
            return field.type == .choice ? reference.choice : reference.access
        }
        switch field.type {
        case .url: return try url(template)
        case .string, .header, .secret: return try text(template)
        case .boolean, .choice, .scopes, .texts, .origins, .requestHandler:
            return try LiteralCompiler.value(Located(template.text, at: template.location), as: field.type)
        }
    }
}
