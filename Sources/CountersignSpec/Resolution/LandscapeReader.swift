/// Reads a landscape's document.
enum LandscapeReader {
    /// - Returns: `nil` if the landscape has no name, which is reported.
    static func read(
        _ documents: LandscapeDocuments, settings: SettingsReader.Reading = .init(scope: .none),
        operations: [ResolvedOperation] = [], programs: [ResolvedProgram] = [],
        programMethods: [ResolvedSurfaceMethod] = []
    ) -> ResolvedLandscape? {
        guard let root = documents.landscape, let name = root.text("landscape", as: .typeName) else { return nil }
        let surface = root["swift"]
        return ResolvedLandscape(
            name: name, documentation: root.documentation, loggingPrefix: surface?.text("logging") ?? name.value,
            imports: surface?.texts("imports", as: .moduleName) ?? [],
            names: names(surface),
            conformances: conformances(surface?["conforms"]),
            settings: settings.parameters, serverField: settings.serverField,
            omittedStems: documents.omittedStems, operations: operations, hasFoundationSurface: documents.surface == .foundation,
            programs: programs, programMethods: programMethods, overlaps: overlaps(root["overlaps"]), mockCommand: root.text("mock")
        )
    }

    private static func overlaps(_ node: DocumentNode?) -> [[String]] {
        (node?.items ?? []).map { $0.items.compactMap { $0.text?.value } }
    }

    private static func names(_ node: DocumentNode?) -> ResolvedLandscape.SurfaceNames {
        var names = ResolvedLandscape.SurfaceNames()
        guard let node else { return names }
        names.session = node.text("session") ?? names.session
        let labels = node.texts("session-labels", as: .memberName).map(\.value)
        if !labels.isEmpty { names.sessionLabels = labels }
        names.observing = node.text("observing") ?? names.observing
        return names
    }

    private static func conformances(_ node: DocumentNode?) -> ResolvedLandscape.Conformances {
        var conformances = ResolvedLandscape.Conformances()
        conformances.errors = node?.texts("errors", as: .typeName).map(\.value) ?? []
        conformances.parameters = node?.texts("parameters", as: .typeName).map(\.value) ?? []
        conformances.callbacks = node?.texts("callbacks", as: .typeName).map(\.value) ?? []
        return conformances
    }
}
