/// Reads the YAML files of a landscape into the model that everything else works with.
///
/// ```swift
/// let (sources, unreadable) = SpecSources.load(own: paths)
/// let reading = SpecReader.read(sources, unreadable: unreadable)
/// print(DiagnosticRenderer().text(reading.diagnostics))
/// ```
package enum SpecReader {
    /// Reads, resolves and checks all files, and reports all mistakes of all of them.
    ///
    /// - Parameter unreadable: The diagnostics that ``SpecSources/load(own:inherited:)`` returned.
    package static func read(_ sources: SpecSources, unreadable: [Diagnostic] = []) -> SpecReading {
        var diagnostics = DiagnosticCollector()
        for diagnostic in unreadable { diagnostics.report(diagnostic) }
        let documents = Inheritance.resolve(sources, unreadable: Set(unreadable.map(\.location.file)), into: &diagnostics)
        diagnostics.inheritedFiles = documents.provenance.inheritance?.files ?? []
        checkShapes(of: documents, into: &diagnostics)
        let landscape: ResolvedLandscape? =
            switch documents.surface {
            case .core: readCore(documents, into: &diagnostics)
            case .foundation: readSurface(documents, into: &diagnostics)
            // The keys that methods can have depend on the surface.
            case nil: nil
            }
        return SpecReading(
            landscape: diagnostics.hasErrors ? nil : landscape,
            diagnostics: diagnostics.sorted(adding: documents.provenance.notes), documents: documents)
    }

    /// Reads a landscape with observers of `Session`.
    private static func readCore(
        _ documents: LandscapeDocuments, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedLandscape? {
        for method in documents.methods { CoreSurface.check(method.root, into: &diagnostics) }
        if let landscape = documents.landscape { CoreSurface.check(landscape: landscape, into: &diagnostics) }
        // Variants are reported as misplaced, so what only they set is not reported as missing as well.
        let methods = documents.methods.filter { $0.root["variants"] == nil || $0.root["acquire"] != nil }
        var programs = methods.compactMap { ProgramReader.read($0, documents.provenance, into: &diagnostics) }
        for index in programs.indices {
            MismatchedExamples.remove(from: &programs[index], documents.provenance, into: &diagnostics)
        }
        // Settings are reported as misplaced, so references to them are not reported as well.
        let isKnown = documents.isWhole && documents.landscape?["settings"] == nil
        let operations = OperationReader.read(documents, settings: isKnown ? .none : .fields(nil), into: &diagnostics)
        checkNames(in: documents, into: &diagnostics)
        // These rules need whole programs, so they can be checked only if there are no other errors.
        if !diagnostics.hasErrors {
            for program in programs {
                UnusedProgramValues.check(program, documents.provenance, into: &diagnostics)
                IdentifyingParameters.check(program, into: &diagnostics)
                PostedSecrets.check(program, into: &diagnostics)
                UnraisedErrors.check([program], documents.provenance, into: &diagnostics)
            }
            checkUse(by: operations, documents.provenance, into: &diagnostics)
            OverlappingChallenges.check(programs.map { .init($0) }, in: documents, into: &diagnostics)
        }
        return LandscapeReader.read(documents, operations: operations, programs: programs)
    }

    /// Reads a landscape with observers of `FoundationSession`.
    private static func readSurface(
        _ documents: LandscapeDocuments, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedLandscape? {
        let settings = SettingsReader.read(documents, into: &diagnostics)
        let labels = documents.landscape?["swift"]?.texts("session-labels", as: .memberName).map(\.value) ?? []
        let reader = SurfaceMethodReader(
            settings: settings.scope, sessionLabels: labels.isEmpty ? ["session"] : labels, provenance: documents.provenance)
        var methods = documents.methods.compactMap { reader.read($0, into: &diagnostics) }
        for index in methods.indices {
            MismatchedExamples.remove(from: &methods[index].program, documents.provenance, into: &diagnostics)
        }
        let operations = OperationReader.read(documents, settings: settings.scope, into: &diagnostics)
        checkNames(in: documents, into: &diagnostics)
        if !diagnostics.hasErrors {
            for method in methods {
                for program in method.grants.isEmpty ? [method.program] : method.grants.map(\.program) {
                    UnusedProgramValues.check(
                        program, documents.provenance, handingOver: method.handedOver(by: program), into: &diagnostics)
                    IdentifyingParameters.check(program, into: &diagnostics)
                    PostedSecrets.check(program, into: &diagnostics)
                }
                UnraisedErrors.check(
                    method.programs, initialisers: method.structs.flatMap(\.initialisers), documents.provenance, into: &diagnostics)
            }
            checkUse(by: operations, documents.provenance, into: &diagnostics)
            OverlappingChallenges.check(
                methods.map { .init($0.program, isSecondFactor: $0.isSecondFactor) }, in: documents, into: &diagnostics)
        }
        return LandscapeReader.read(
            documents, settings: settings, operations: operations, programMethods: methods)
    }

    private static func checkUse(
        by operations: [ResolvedOperation], _ provenance: Provenance, into diagnostics: inout DiagnosticCollector
    ) {
        for operation in operations { UnusedOperationValues.check(operation, provenance, into: &diagnostics) }
    }

    private static func checkNames(in documents: LandscapeDocuments, into diagnostics: inout DiagnosticCollector) {
        MethodNames.check(documents.methods, into: &diagnostics)
        TypeNames.check(documents, into: &diagnostics)
        IntendedOverlaps.check(documents, into: &diagnostics)
    }

    private static func checkShapes(of documents: LandscapeDocuments, into diagnostics: inout DiagnosticCollector) {
        if let landscape = documents.landscape {
            ShapeChecker.check(landscape, as: SpecLanguage.landscape, isPartial: !documents.isWhole, into: &diagnostics)
        }
        for method in documents.methods { ShapeChecker.check(method.root, as: SpecLanguage.method, into: &diagnostics) }
    }
}

/// The result of reading a landscape.
package struct SpecReading: Sendable {
    /// The landscape; `nil` if and only if there is an error.
    package let landscape: ResolvedLandscape?
    /// The diagnostics without duplicates, sorted by file, line and column.
    package let diagnostics: [Diagnostic]
    /// The documents after inheritance, from which the landscape was read.
    package let documents: LandscapeDocuments
}
