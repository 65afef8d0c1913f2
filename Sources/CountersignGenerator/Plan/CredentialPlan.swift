import CountersignSpec

/// The struct with the values of a method's credential, and the method of the observer that returns it.
struct CredentialPlan: Sendable {
    /// `OpenIDLoginCredential`.
    let type: SwiftTypeName
    let documentation, readingDocumentation: DocumentationText
    let properties: [Property]
    /// Whether the credential can expire.
    let hasExpiry: Bool
    /// The parts that descriptions show, without secrets.
    let visibleParts: SwiftExpression
    /// Whether the credential is that of one server, which a URL names.
    let isForOneServer: Bool

    /// The observer's method with its labels.
    var reading: String { isForOneServer ? "credential(for:in:)" : "credential(in:)" }

    struct Property: Sendable {
        let name: SwiftIdentifier
        let type: SwiftExpression
        /// The expression for the value, which is absent or of the type without `?`.
        let value: SwiftExpression
        let isOptional: Bool
        let kind: ResolvedProgram.CredentialField.Kind
        let documentation: DocumentationText
    }
}

extension CredentialPlan {
    /// - Returns: `nil` if the application cannot read any value.
    init?(_ program: ResolvedProgram) throws {
        let fields = program.readableFields
        guard !fields.isEmpty else { return nil }
        type = try program.type("Credential")
        properties = try fields.compactMap { try Property($0, of: program) }
        hasExpiry = program.credential.expires
        isForOneServer = program.hasCredentialOfOneServer
        let dates: [SwiftExpression] = hasExpiry ? ["\"expirationDate\": String(describing: expirationDate)"] : []
        visibleParts = .list(properties.map(\.visiblePart) + dates)
        documentation = DocumentationText(
            "The credential of \(program.label).", callouts: [Planning.remark(program.name.location)])
        let url = isForOneServer ? [DocumentationText.Callout.Parameter(name: "url", summary: "A URL that receives it.")] : []
        let challenge =
            program.spaceDependsOnChallenge
            ? " The first challenge to a request decides which credential a URL receives; until then there is none." : ""
        readingDocumentation = DocumentationText(
            "Returns the current credential, for example to show the user's name or to pass a token to another library.",
            discussion: """
                It is read from the store if this process has none. This neither logs in nor renews, so the credential may have expired: call \
                `authenticate(for:in:)` first for a valid one. A stored credential that has expired and cannot be renewed counts as \
                none.\(challenge)
                """,
            callouts: [
                .parameters(url + [.init(name: "session", summary: "The session on which the observer is registered.")]),
                .returns("The credential; `nil` if there is none."),
                .throws(
                    "`CountersignError` with the code `invalidRequest` if the observer is not registered on the session\(isForOneServer ? ", or if `url` is not an absolute http or https URL" : ""); `CountersignError` with the code `timedOut` if the store does not answer in time; `CredentialStoreError`; an error of the application's store; `CancellationError`."
                ),
            ])
    }
}

extension CredentialPlan.Property {
    /// - Returns: `nil` if the application cannot read the field.
    fileprivate init?(_ field: ResolvedProgram.CredentialField, of program: ResolvedProgram) throws {
        guard let kind = field.kind else { return nil }
        name = try Planning.identifier(program.slots[field.slot].name)
        type = field.isOptional ? "\(kind.type)?" : kind.type
        let slot = SwiftExpression.number(field.slot)
        value = kind == .url ? "_values.url(\(slot))" : "_values.text(\(slot))"
        isOptional = field.isOptional
        self.kind = kind
        documentation = DocumentationText(field.summary)
    }

    /// The name, and the value unless it is a secret.
    fileprivate var visiblePart: SwiftExpression {
        let value: SwiftExpression =
            switch kind {
            case .secret: .text(SwiftStringLiteral("<redacted>"))
            case .text: isOptional ? "String(describing: \(name))" : .text(name)
            case .url, .duration: "String(describing: \(name))"
            }
        return "\(SwiftStringLiteral(name.name)): \(value)"
    }
}
