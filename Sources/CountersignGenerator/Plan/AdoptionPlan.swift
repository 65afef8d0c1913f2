import CountersignSpec

/// The method of an observer that takes a credential from the application.
struct AdoptionPlan: Sendable {
    /// The name with its labels, such as `adopt(accessToken:in:)`.
    let name: String
    let documentation: DocumentationText
    let parameters: [SwiftExpression]
    /// The values by slot.
    let values: SwiftExpression
    /// Whether the credential is that of one server, which a URL names.
    let isForOneServer: Bool
}

extension AdoptionPlan {
    /// - Returns: `nil` if the application cannot provide the credential.
    init?(_ program: ResolvedProgram) throws {
        guard program.isAdoptable else { return nil }
        isForOneServer = program.hasCredentialOfOneServer
        let fields = try program.credential.fields.compactMap { field in
            try field.kind.map { (field, kind: $0, name: try Planning.identifier(program.slots[field.slot].name)) }
        }
        let labels = fields.map(\.name.name) + (isForOneServer ? ["for"] : []) + ["in"]
        name = "adopt(\(labels.map { "\($0):" }.joined()))"
        var described = fields.map { field, _, name in
            DocumentationText.Callout.Parameter(name: name.name, summary: field.summary)
        }
        var parameters = fields.map { field, kind, name -> SwiftExpression in
            field.isOptional ? "\(name.label): \(kind.type)? = nil" : "\(name.label): \(kind.type)"
        }
        if isForOneServer {
            parameters.append("for url: URL")
            described.append(.init(name: "url", summary: "A URL of the server that receives it."))
        }
        parameters.append("in session: Session")
        described.append(.init(name: "session", summary: "The session on which the observer is registered."))
        self.parameters = parameters
        values = .list(
            fields.map { field, kind, name in
                let value = kind.value("\(name)", isOptional: field.isOptional)
                return "\(SwiftExpression.number(field.slot)): \(value)"
            })
        let renewal = program.credential.lifetime.map { slot in
            " `\(program.slots[slot].name.value)` is the remaining lifetime; with zero or less, the credential is renewed before the next request."
        }
        documentation = DocumentationText(
            "Replaces the credential with one from elsewhere, such as the tokens of another library.",
            discussion: """
                Call it before the first request. The credential is stored, and renewed later, as after a login.\(renewal ?? "") A credential \
                that it replaces is not revoked.
                """,
            callouts: [
                .parameters(described),
                .returns("Whether the store has saved the credential. If not, it is used until the process ends."),
                .throws(
                    "`CountersignError` with the code `invalidRequest` if a value cannot be sent, or if the credential has expired and cannot be renewed; with the code `busy` while an authentication is running; the error of a store that requires its lock."
                ),
            ])
    }
}

extension ResolvedProgram.CredentialField.Kind {
    /// The type of a value that the application provides or reads.
    var type: SwiftExpression {
        switch self {
        case .text, .secret: "String"
        case .url: "URL"
        case .duration: "Duration"
        }
    }

    fileprivate func value(_ name: SwiftExpression, isOptional: Bool) -> SwiftExpression {
        switch self {
        case .text: isOptional ? ".given(\(name))" : ".text(\(name))"
        case .secret: isOptional ? ".givenSecret(\(name))" : ".secret(\(name))"
        case .url: isOptional ? ".given(\(name))" : ".url(\(name))"
        case .duration: isOptional ? ".given(\(name))" : ".duration(\(name))"
        }
    }
}
