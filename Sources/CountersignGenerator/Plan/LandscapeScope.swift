import CountersignSpec

/// The context that the plans of all files of a landscape share.
struct LandscapeScope {
    let landscape: ResolvedLandscape
    /// The settings' type.
    let settingsType: SwiftTypeName?
    /// The names of the surface's types in generated code.
    let session, observing: SwiftTypeName
    /// The labels of initialisers that take a session; at least one.
    let sessionLabels: [SwiftIdentifier]
    let errorConformances, parametersConformances, callbackConformances: [SwiftTypeName]
    /// Modules that the spec imports.
    let imports: [SwiftTypeName]

    init(_ landscape: ResolvedLandscape) throws {
        let location = landscape.name.location
        self.landscape = landscape
        settingsType = try landscape.settings.map { try Planning.typeName($0.name.value, at: $0.name.location) }
        session = try Planning.typeName(landscape.names.session, at: location)
        sessionLabels = try landscape.names.sessionLabels.map { try Planning.identifier(Located($0, at: location)) }
        observing = try Planning.typeName(landscape.names.observing, at: location)
        errorConformances = try landscape.conformances.errors.map { try Planning.typeName($0, at: location) }
        parametersConformances = try landscape.conformances.parameters.map { try Planning.typeName($0, at: location) }
        callbackConformances = try landscape.conformances.callbacks.map { try Planning.typeName($0, at: location) }
        var imports: [SwiftTypeName] = []
        for module in landscape.imports {
            let name = try Planning.typeName(module.value, at: module.location)
            if !imports.contains(name) { imports.append(name) }
        }
        self.imports = imports
    }

    /// Returns the settings field that contains the server; `nil` unless the parameters are created from settings that have one.
    func server(of parameters: ResolvedParameters) throws -> SwiftIdentifier? {
        guard parameters.fromSettings != nil, let server = landscape.serverField else { return nil }
        return try Planning.identifier(Located(server, at: parameters.name.location))
    }

    /// Whether generated code uses a declaration that only the spec's imports can provide.
    var usesImports: Bool {
        landscape.names != ResolvedLandscape.SurfaceNames() || !errorConformances.isEmpty || !parametersConformances.isEmpty
            || !callbackConformances.isEmpty
    }
}
