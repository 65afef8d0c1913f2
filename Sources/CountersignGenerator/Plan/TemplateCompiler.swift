import CountersignSpec

/// Makes expressions of templates.
struct TemplateCompiler {
    /// The parameters in reach, and the expression for their value.
    var parameters: (fields: ResolvedParameters, owner: SwiftExpression)?
    /// The settings in reach, and the expression for their value.
    var settings: (fields: ResolvedParameters, owner: SwiftExpression)?

    /// The values of a discovery in reach, for the slots that steps fill.
    var values: SwiftExpression?

    /// The one field that a template consists of.
    func onlyReference(_ template: ResolvedTemplate) throws -> FieldReference? {
        template.pieces.count == 1 ? try reference(template.pieces[0], of: template) : nil
    }

    /// The field that a piece refers to; `nil` for text.
    func reference(_ piece: ResolvedTemplate.Piece, of template: ResolvedTemplate) throws -> FieldReference? {
        switch piece {
        case .text: nil
        case .parameter(let name, _):
            try FieldReference(name, in: parameters?.fields, of: parameters?.owner ?? "parameters", at: template.location)
        case .slot(let slot): try FieldReference(slot, of: values ?? "values", at: template.location)
        case .settings(let name, _):
            try FieldReference(name, in: settings?.fields, of: settings?.owner ?? "settings", at: template.location)
        }
    }

    /// A `String`.
    func text(_ template: ResolvedTemplate) throws -> SwiftExpression {
        .joinedText(try template.pieces.map { try part($0, of: template) })
    }

    /// A piece as part of a text.
    func part(_ piece: ResolvedTemplate.Piece, of template: ResolvedTemplate) throws -> SwiftExpression.TextPart {
        if case .text(let text) = piece { return .text(text) }
        return try reference(piece, of: template)?.text ?? .text("")
    }

    /// A value for a field: what the template says, as the field's type.
    func value(_ template: ResolvedTemplate, for field: ResolvedField) throws -> SwiftExpression {
        if let reference = try onlyReference(template), reference.type == field.type {
            guard field.isOptional || !reference.isOptional else {
                throw GenerationProblem(
                    at: template.location,
                    "'\(field.name.value)' needs a value, and the field that '\(template.text)' refers to is optional")
            }
            return reference.access
        }
        switch field.type {
        case .url: return try url(template)
        case .string, .header, .secret: return try text(template)
        case .boolean, .integer, .duration, .scopes, .texts, .origins, .requestHandler:
            return try LiteralCompiler.value(Located(template.text, at: template.location), as: field.type)
        }
    }

    /// What the closures of a discovery get: its values, which have the parameters.
    struct Subject {
        let parameters: ResolvedParameters

        /// The name of the closure's parameter.
        fileprivate var name: SwiftExpression { "values" }

        /// A compiler for the body of a closure whose parameter has this name.
        fileprivate func compiler(_ name: SwiftExpression) -> TemplateCompiler {
            TemplateCompiler(parameters: (parameters, "\(name).parameters"), values: name)
        }
    }

    /// `Template("text") { … }`, whose closure gets the subject.
    static func template(_ template: ResolvedTemplate, of subject: Subject, isURL: Bool) throws -> SwiftExpression {
        let short = subject.compiler("$0")
        let isReferenceAlone = try short.onlyReference(template).map { !isURL || $0.type == .url } ?? false
        let compiler = isReferenceAlone ? short : subject.compiler(subject.name)
        let value = isURL ? try compiler.url(template) : try compiler.text(template)
        return call(template, of: subject, isShort: isReferenceAlone, value)
    }

    /// `NamedTemplate("name", Template("text") { … })`, whose value is `nil` where what it refers to is absent.
    static func named(_ named: NamedTemplate, of subject: Subject) throws -> SwiftExpression {
        .call(
            "NamedTemplate", .init(nil, .text(SwiftStringLiteral(named.name.value))),
            .init(nil, try optional(named.value, of: subject)))
    }

    /// `Template("text") { … }` for an optional text.
    static func optional(_ template: ResolvedTemplate, of subject: Subject) throws -> SwiftExpression {
        if let reference = try subject.compiler("$0").onlyReference(template) {
            return call(template, of: subject, isShort: true, reference.optionalText)
        }
        return call(template, of: subject, isShort: false, try subject.compiler(subject.name).text(template))
    }

    /// `{ … }` for a list of texts: that of a field or slot, or the one that the template makes.
    static func list(_ template: ResolvedTemplate, of subject: Subject) throws -> SwiftExpression {
        if let reference = try subject.compiler("$0").onlyReference(template) { return .closure(nil, reference.texts) }
        let hasReferences = template.pieces.contains { if case .text = $0 { false } else { true } }
        return .closure(
            hasReferences ? subject.name : "_", .list([try subject.compiler(subject.name).text(template)]))
    }

    private static func call(
        _ template: ResolvedTemplate, of subject: Subject, isShort: Bool, _ value: SwiftExpression
    ) -> SwiftExpression {
        let hasReferences = template.pieces.contains { if case .text = $0 { false } else { true } }
        let parameter: SwiftExpression? = isShort ? nil : hasReferences ? subject.name : "_"
        return .sequence([
            .call("Template", .init(nil, .text(SwiftStringLiteral(template.text)))), " ", .closure(parameter, value),
        ])
    }
}
