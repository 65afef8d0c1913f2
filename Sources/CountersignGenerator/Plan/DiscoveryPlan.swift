import CountersignSpec

/// The class that obtains certificates from a service, and the steps that it runs.
struct DiscoveryPlan: Sendable {
    let name: SwiftTypeName
    /// `SLSUserIdentityDiscoveryFlow`: what the runtime executes.
    let flowType: SwiftTypeName
    let parameters, failure, session: SwiftTypeName
    let label, sessionLabel: SwiftIdentifier
    let bearer: SwiftIdentifier?
    let asks, pinned: Bool
    let documentation, flowDocumentation, valuesDocumentation: DocumentationText
    /// The slots of values that answers bring.
    let captures: [SwiftIdentifier]
    let definition, obtain, retire: SwiftExpression
    let retires: Bool
}

extension DiscoveryPlan {
    init(_ discovery: ResolvedDiscovery, in scope: LandscapeScope) throws {
        let location = discovery.name.location
        name = try Planning.typeName(discovery.name.value, at: location)
        flowType = try Planning.typeName(discovery.name.value + "Flow", at: location)
        parameters = try Planning.typeName(discovery.parameters.name.value, at: discovery.parameters.name.location)
        failure = try Planning.typeName(discovery.errors.name.value, at: discovery.errors.name.location)
        session = scope.session
        label = try Planning.identifier(discovery.label ?? Located("parameters", at: location))
        sessionLabel = scope.sessionLabels[0]
        bearer = try discovery.bearer.map(Planning.identifier)
        asks = discovery.asks
        pinned = discovery.pins != nil
        retires = !discovery.retire.isEmpty
        let remark = Planning.remark(location)
        documentation = DocumentationText(
            discovery.documentation.summary, discussion: discovery.documentation.discussion, callouts: [remark])
        flowDocumentation = DocumentationText("\(discovery.name.value) as the runtime executes it.", callouts: [remark])
        valuesDocumentation = DocumentationText("What the steps read and fill.", callouts: [remark])
        let compiler = DiscoveryCompiler(discovery)
        definition = try compiler.definition(failure: failure)
        obtain = .list(try discovery.obtain.map(compiler.step))
        retire = .list(try discovery.retire.map(compiler.step))
        captures = try compiler.captures
    }
}
