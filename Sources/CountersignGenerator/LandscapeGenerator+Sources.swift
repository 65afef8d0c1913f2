package import CountersignSpec

extension LandscapeGenerator {
    /// Reads the specs of a landscape and generates its files.
    ///
    /// - Parameters:
    ///   - sources: The landscape's files, and those of all landscapes that it may extend.
    ///   - unreadable: The diagnostics that `SpecSources.load(own:inherited:)` reported.
    ///   - lacking: Modules that the target does not depend on; an import of one is reported.
    /// - Throws: ``RenderingError``.
    package func generate(
        _ sources: SpecSources, unreadable: [Diagnostic] = [], lacking: Set<String> = []
    ) throws -> Generation {
        let reading = Self.read(sources, unreadable: unreadable)
        guard let landscape = reading.landscape else {
            return Generation(files: nil, documents: reading.documents, diagnostics: reading.diagnostics)
        }
        let stems = SpecStems(own: sources.own.map(\.path), inherited: sources.inherited.map(\.path))
        switch try generate(landscape, stems: stems, lacking: lacking) {
        case .success(let files):
            return Generation(
                files: files, landscape: landscape, documents: reading.documents, diagnostics: reading.diagnostics)
        case .failure(let problems):
            let diagnostics = problems.problems.map { Diagnostic($0.code, $0.message, at: $0.location) }
            return Generation(
                files: nil, documents: reading.documents, diagnostics: (reading.diagnostics + diagnostics).sorted())
        }
    }

    /// Reads a landscape together with the one that it extends. Only the reader can tell which one that is, so each candidate is
    /// tried.
    private static func read(_ sources: SpecSources, unreadable: [Diagnostic]) -> SpecReading {
        var bases = baseLandscapes(sources.inherited)[...]
        while true {
            let base = bases.popFirst() ?? []
            let reading = SpecReader.read(SpecSources(own: sources.own, inherited: base), unreadable: unreadable)
            if bases.isEmpty || !reading.diagnostics.contains(where: { $0.code == .unknownLandscape }) { return reading }
        }
    }

    /// Groups files by landscape. A file belongs to the nearest `landscape.yaml` in its folder or in a folder above.
    static func baseLandscapes(_ files: [SpecFile]) -> [[SpecFile]] {
        let folders = files.filter { SpecStems.isLandscape(SpecStems.stem(ofPath: $0.path)) }.map { folder($0.path) }
        let groups = Dictionary(grouping: files.sorted { $0.path < $1.path }) { file in
            folders.filter { file.path.hasPrefix($0) }.max { $0.count < $1.count } ?? ""
        }
        return groups.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns the folder of a path, with a trailing slash.
    private static func folder(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }
}

/// The result of reading and generating a landscape.
package struct Generation: Sendable {
    /// The files in the order of their names; `nil` if and only if there is an error.
    package let files: [GeneratedFile]?
    /// The landscape; `nil` if there are no files.
    private var landscape: ResolvedLandscape?
    /// The documents after inheritance, from which the files are generated.
    package let documents: LandscapeDocuments
    /// The diagnostics of the specs, sorted by location.
    package let diagnostics: [Diagnostic]

    init(
        files: [GeneratedFile]?, landscape: ResolvedLandscape? = nil, documents: LandscapeDocuments, diagnostics: [Diagnostic]
    ) {
        self.files = files
        self.landscape = landscape
        self.documents = documents
        self.diagnostics = diagnostics
    }

    /// The pages of the landscape's documentation; `nil` if there are no files.
    ///
    /// - Parameter articles: The names of articles that are written by hand, for the root page.
    /// - Throws: ``GenerationProblem``.
    package func pages(beside articles: [String]) throws -> LandscapePages? {
        guard let landscape, let files else { return nil }
        return try LandscapePages(landscape, code: files, articles: articles)
    }
}
