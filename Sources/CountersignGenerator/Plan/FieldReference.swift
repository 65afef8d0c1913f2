import CountersignSpec

/// A field as generated code reads it.
struct FieldReference {
    let access: SwiftExpression
    let type: FieldType
    let isOptional: Bool
    /// Whether the access goes through another optional value.
    let isChain: Bool

    /// A slot that a step of a discovery fills.
    ///
    /// - Parameter owner: The expression for the discovery's values, such as `values`.
    init(_ slot: FlowSlot, of owner: SwiftExpression, at location: SourceLocation) throws {
        type = slot.type
        isChain = true
        switch slot {
        case .texts(let name):
            (access, isOptional) = ("\(owner).captured.\(try Planning.identifier(Located(name, at: location)))", false)
        case .certificateRequest: (access, isOptional) = ("\(owner).certificateRequest?.pem", true)
        case .certificateRequestBase64: (access, isOptional) = ("\(owner).certificateRequest?.base64", true)
        case .serialNumber: (access, isOptional) = ("\(owner).identity?.serialNumber", true)
        case .certificate: (access, isOptional) = ("\(owner).identity?.certificatePEM", true)
        case .state, .codeVerifier, .codeChallenge, .captured, .accessToken, .refreshToken:
            throw GenerationProblem(at: location, "'{\(slot.reference)}' is of the steps to a token")
        }
    }

    /// Finds the field that a piece of a template refers to.
    ///
    /// - Parameters:
    ///   - owner: The expression for the value that has the field, such as `parameters`.
    init(_ name: String, in parameters: ResolvedParameters?, of owner: SwiftExpression, at location: SourceLocation) throws {
        guard let field = parameters?.fields.first(where: { $0.name.value == name }) else {
            throw GenerationProblem(at: location, "'\(name)' cannot be used here: no field of that name is within reach")
        }
        access = "\(owner).\(try Planning.identifier(field.name))"
        type = field.type
        isOptional = field.isOptional
        isChain = false
    }

    /// The field's value as text; empty where an optional field has none.
    var text: SwiftExpression.TextPart {
        if isOptional {
            let text: SwiftExpression =
                switch type {
                case .string, .header, .secret: access
                case .url: "\(access)?.absoluteString"
                case .boolean, .integer, .duration: "\(mappable).map { \(Self.text(of: "$0", type)) }"
                case .scopes, .texts: "\(mappable).flatMap { \(Self.text(of: "$0", type)) }"
                case .origins, .requestHandler: "nil"
                }
            let value: SwiftExpression = "\(text) ?? \"\""
            return .value(value, interpolated: value)
        }
        let interpolated: SwiftExpression =
            switch type {
            case .boolean, .integer: access
            case .duration: "\(access).components.seconds"
            case .string, .header, .secret, .url, .origins, .requestHandler: Self.text(of: access, type)
            case .scopes, .texts: "\(Self.text(of: access, type)) ?? \"\""
            }
        return .value(Self.text(of: access, type), interpolated: interpolated)
    }

    /// The text of a value that is there.
    static func text(of value: SwiftExpression, _ type: FieldType) -> SwiftExpression {
        switch type {
        case .string, .header, .secret: value
        case .url: "\(value).absoluteString"
        case .boolean, .integer: "String(\(value))"
        case .duration: "String(\(value).components.seconds)"
        case .scopes, .texts: "GeneratedCodeVersion1.text(of: \(value))"
        // No place for text takes origins or a function.
        case .origins, .requestHandler: "\"\""
        }
    }

    /// An optional value to call `map` on: behind a chain it would be called on the value within.
    var mappable: SwiftExpression { isChain ? "(\(access))" : access }

    /// The value as a list of texts.
    var texts: SwiftExpression {
        switch (type, isOptional) {
        case (.texts, false): access
        case (.texts, true): "\(access) ?? []"
        case (.scopes, false): "[\(Self.text(of: access, type))].compactMap { $0 }"
        case (_, false): "[\(Self.text(of: access, type))]"
        case (_, true): "[\(optionalText)].compactMap { $0 }"
        }
    }

    /// The value as text, and nothing where there is none.
    var optionalText: SwiftExpression {
        guard isOptional else { return Self.text(of: access, type) }
        return switch type {
        case .string, .header, .secret: access
        case .url: "\(access)?.absoluteString"
        case .scopes, .texts: "\(mappable).flatMap { \(Self.text(of: "$0", type)) }"
        case .boolean, .integer, .duration, .origins, .requestHandler: "\(mappable).map { \(Self.text(of: "$0", type)) }"
        }
    }
}
