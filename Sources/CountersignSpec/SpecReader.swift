/// Reads the YAML files of a landscape into the model that everything else works with.
///
/// ```swift
/// let (sources, unreadable) = SpecSources.load(own: paths)
/// let reading = SpecReader.read(sources, unreadable: unreadable)
/// print(DiagnosticRenderer().text(reading.diagnostics))
/// ```
public enum SpecReader {
    /// Reads, resolves and checks all files, and reports all mistakes of all of them.
    ///
    /// - Parameter unreadable: What ``SpecSources/load(own:inherited:)`` reported.
    public static func read(_ sources: SpecSources, unreadable: [Diagnostic] = []) -> SpecReading {
        var diagnostics = DiagnosticCollector()
        for diagnostic in unreadable { diagnostics.report(diagnostic) }
        let documents = Inheritance.resolve(sources, unreadable: Set(unreadable.map(\.location.file)), into: &diagnostics)
        checkShapes(of: documents, into: &diagnostics)
        let landscape =
            switch documents.version {
            case .one: readMethods(documents, into: &diagnostics)
            case .two: readPrograms(documents, into: &diagnostics)
            }
        return SpecReading(
            landscape: diagnostics.hasErrors ? nil : landscape,
            diagnostics: diagnostics.sorted(adding: documents.provenance.notes))
    }

    private static func readMethods(
        _ documents: LandscapeDocuments, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedLandscape? {
        let settings = SettingsReader.read(documents, into: &diagnostics)
        let reader = MethodReader(settings: settings.scope)
        let methods = documents.methods.compactMap { reader.read($0, into: &diagnostics) }
        let operations = OperationReader.read(documents, settings: settings.scope, into: &diagnostics)
        let sessionLabels = documents.landscape?["names"]?.texts("session-labels", as: .memberName).map(\.value) ?? ["session"]
        let discoveries = documents.discoveries.compactMap {
            DiscoveryReader(settings: settings.scope, sessionLabels: sessionLabels).read($0, into: &diagnostics)
        }
        let landscape = LandscapeReader.read(
            documents, settings: settings, methods: methods, discoveries: discoveries, operations: operations)
        MethodNames.check(documents.methods, into: &diagnostics)
        TypeNames.check(documents, into: &diagnostics)
        // These say what a landscape does not need, or what it does twice: only once it is otherwise right can that be told.
        if !diagnostics.hasErrors {
            for method in methods {
                UnusedParameters.check(method, documents.provenance, into: &diagnostics)
                UnraisedErrors.check(method, documents.provenance, into: &diagnostics)
                UnsentValues.check(method, documents.provenance, into: &diagnostics)
            }
            for discovery in discoveries {
                UnusedParameters.check(discovery, documents.provenance, into: &diagnostics)
                UnraisedErrors.check(discovery, documents.provenance, into: &diagnostics)
                UnsentValues.check(discovery, documents.provenance, into: &diagnostics)
            }
            OverlappingChallenges.check(methods, documents.provenance, into: &diagnostics)
        }
        return landscape
    }

    private static func readPrograms(
        _ documents: LandscapeDocuments, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedLandscape? {
        guard !documents.hasFoundationSurface else { return readSurface(documents, into: &diagnostics) }
        for program in documents.programs { CoreSurface.check(program.root, into: &diagnostics) }
        if let landscape = documents.landscape { CoreSurface.check(landscape: landscape, into: &diagnostics) }
        for discovery in documents.discoveries {
            guard let key = discovery.root.entry("discovery") else { continue }
            diagnostics.report(
                .misplacedKey, "a discovery is for landscapes whose 'swift' says 'surface: foundation'", at: key.keySpan)
        }
        let programs = documents.programs.compactMap { ProgramReader.read($0, into: &diagnostics) }
        MethodNames.check(documents.programs, into: &diagnostics)
        TypeNames.check(documents, into: &diagnostics)
        if !diagnostics.hasErrors {
            for program in programs {
                UnusedProgramValues.check(program, documents.provenance, into: &diagnostics)
                UnraisedErrors.check([program], documents.provenance, into: &diagnostics)
            }
        }
        return LandscapeReader.read(documents, programs: programs)
    }

    /// Reads a landscape of version 2 with observers of `FoundationSession`.
    private static func readSurface(
        _ documents: LandscapeDocuments, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedLandscape? {
        let settings = SettingsReader.read(documents, into: &diagnostics)
        let reader = SurfaceMethodReader(settings: settings.scope)
        let methods = documents.programs.compactMap { reader.read($0, into: &diagnostics) }
        let operations = OperationReader.read(documents, settings: settings.scope, into: &diagnostics)
        let labels = documents.landscape?["swift"]?.texts("session-labels", as: .memberName).map(\.value) ?? []
        let discoveries = documents.discoveries.compactMap {
            DiscoveryReader(settings: settings.scope, sessionLabels: labels.isEmpty ? ["session"] : labels).read(
                $0, into: &diagnostics)
        }
        MethodNames.check(documents.programs, into: &diagnostics)
        TypeNames.check(documents, into: &diagnostics)
        if !diagnostics.hasErrors {
            for method in methods {
                for program in method.grants.isEmpty ? [method.program] : method.grants.map(\.program) {
                    UnusedProgramValues.check(
                        program, documents.provenance, handingOver: method.handedOver(by: program), into: &diagnostics)
                }
                UnraisedErrors.check(
                    method.programs, initialisers: method.structs.flatMap(\.initialisers), documents.provenance, into: &diagnostics)
            }
            for discovery in discoveries {
                UnusedParameters.check(discovery, documents.provenance, into: &diagnostics)
                UnraisedErrors.check(discovery, documents.provenance, into: &diagnostics)
                UnsentValues.check(discovery, documents.provenance, into: &diagnostics)
            }
        }
        return LandscapeReader.read(
            documents, settings: settings, discoveries: discoveries, operations: operations, programMethods: methods)
    }

    private static func checkShapes(of documents: LandscapeDocuments, into diagnostics: inout DiagnosticCollector) {
        if let landscape = documents.landscape {
            let construct = documents.version == .one ? SpecLanguage.landscape : SpecLanguage.programLandscape
            ShapeChecker.check(landscape, as: construct, isPartial: !documents.isWhole, into: &diagnostics)
        }
        for program in documents.programs {
            ShapeChecker.check(program.root, as: SpecLanguage.program, into: &diagnostics)
        }
        for method in documents.methods {
            ShapeChecker.check(method.root, as: SpecLanguage.method, into: &diagnostics)
        }
        for discovery in documents.discoveries {
            let construct = documents.version == .one ? SpecLanguage.discovery : SpecLanguage.programDiscovery
            ShapeChecker.check(discovery.root, as: construct, into: &diagnostics)
        }
    }
}

/// What came of reading a landscape.
public struct SpecReading: Sendable {
    /// `nil` if and only if there is an error.
    public let landscape: ResolvedLandscape?
    /// Sorted by file, line and column, each once.
    public let diagnostics: [Diagnostic]
}
