import CountersignSpec

/// The class that obtains certificates from a service, and the program that it runs.
struct DiscoveryPlan: Sendable {
    let name: SwiftTypeName
    let parameters, failure, session: SwiftTypeName
    let label, sessionLabel: SwiftIdentifier
    /// The property with an access token for the calls, and its slot.
    let bearer: (name: SwiftIdentifier, slot: Int)?
    let asks, pinned, retires: Bool
    let documentation: DocumentationText
    /// `SLSUserIdentityDiscoveryFlow`: what the runtime executes.
    let definition: MethodDefinitionPlan
}

extension DiscoveryPlan {
    init(_ discovery: ResolvedDiscovery, in scope: LandscapeScope) throws {
        let location = discovery.name.location
        let lowered = ResolvedProgram(lowering: discovery)
        name = try Planning.typeName(discovery.name.value, at: location)
        parameters = try Planning.typeName(discovery.parameters.name.value, at: discovery.parameters.name.location)
        failure = try Planning.typeName(discovery.errors.name.value, at: discovery.errors.name.location)
        session = scope.session
        label = try Planning.identifier(discovery.label ?? Located("parameters", at: location))
        sessionLabel = scope.sessionLabels[0]
        bearer = try discovery.bearer.flatMap { name in
            try lowered.bearer.map { (name: try Planning.identifier(name), slot: $0) }
        }
        asks = discovery.asks
        pinned = discovery.pins != nil
        retires = !discovery.retire.isEmpty
        documentation = DocumentationText(
            discovery.documentation.summary, discussion: discovery.documentation.discussion,
            callouts: [Planning.remark(location)])
        definition = try MethodDefinitionPlan(discovery, lowered)
    }
}
