import CountersignSpec

/// The class that obtains certificates from a service, and the program that it runs.
struct EnrolmentPlan: Sendable {
    let name: SwiftTypeName
    let parameters, session: SwiftTypeName
    let label, sessionLabel: SwiftIdentifier
    /// The parameters that are properties, with their slots.
    let properties: [Property]
    /// Whether the application answers prompts of the server, and whether a certificate can be revoked.
    let asks, retires: Bool
    let documentation: DocumentationText
    /// The definition that the runtime executes, such as `SLSUserIdentityDiscoveryMethod`.
    let definition: MethodDefinitionPlan

    struct Property: Sendable {
        let name: SwiftIdentifier
        let slot: Int
        let documentation: DocumentationText
    }
}

extension EnrolmentPlan {
    init(_ method: ResolvedSurfaceMethod, in scope: LandscapeScope) throws {
        let location = method.name.location
        guard let parameters = method.parameters else {
            throw GenerationProblem(at: location, "'\(method.name.value)' has no parameters")
        }
        name = try Planning.typeName(method.name.value, at: location)
        self.parameters = try Planning.typeName(parameters.name.value, at: parameters.name.location)
        session = scope.session
        label = try Planning.identifier(method.labels.first ?? Located(SpecLanguage.defaultLabel, at: location))
        sessionLabel = scope.sessionLabels[0]
        properties = try method.properties.compactMap { field in
            let slot = method.program.slots.firstIndex { $0.source == .parameter && $0.name.value == field.name.value }
            return try slot.map {
                Property(
                    name: try Planning.identifier(field.name), slot: $0,
                    documentation: DocumentationText(field.documentation.summary, discussion: field.documentation.discussion))
            }
        }
        asks = method.program.asksPages
        retires = !method.program.end.isEmpty
        documentation = DocumentationText(
            method.program.documentation.summary, discussion: method.program.documentation.discussion,
            callouts: [Planning.remark(location)])
        definition = try MethodDefinitionPlan(method)
    }
}
