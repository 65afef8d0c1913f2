/// The files of one landscape, read and told apart.
struct FileSet: Sendable {
    /// A file with what it says; `nil` if it cannot be read.
    struct Document: Sendable {
        let file: SpecFile
        let root: DocumentNode?
    }

    /// The landscape's file, if there is one.
    let landscape: Document?
    /// All others, in the order of their names.
    let methods: [Document]
    /// The version of the language that they are in: that of `landscape.yaml`, or else of the first file that names one.
    let version: SpecLanguage.Version

    /// The name that `landscape.yaml` gives.
    var name: Located<String>? { landscape?.root?["landscape"]?.text }

    /// Reads all files, and reports those that have one name but for case or extension.
    static func read(_ files: [SpecFile], into diagnostics: inout DiagnosticCollector) -> FileSet {
        let parsed = files.sorted { ($0.name, $0.path) < ($1.name, $1.path) }
            .map { Document(file: $0, root: root(of: $0, into: &diagnostics)) }
        let leader = parsed.first { $0.file.isLandscape && $0.version != nil }
        let version = leader?.version ?? parsed.lazy.compactMap(\.version).first ?? .one
        let documents = parsed.map { $0.checked(for: version, of: leader, into: &diagnostics) }
        var landscape: Document?
        var methods: [Document] = []
        var stems: [String: SpecFile] = [:]
        for document in documents {
            let file = document.file
            if file.isLandscape {
                if let landscape {
                    diagnostics.report(
                        .severalLandscapes, "the landscape is in '\(landscape.file.name)' already", at: file.start,
                        notes: [Diagnostic.Note("the other one", at: landscape.file.start.location)])
                } else {
                    landscape = document
                }
            } else if let other = stems.updateValue(file, forKey: file.stem.lowercased()) {
                diagnostics.report(
                    .collidingFiles, "'\(file.name)' and '\(other.name)' differ only by case or extension", at: file.start,
                    notes: [Diagnostic.Note("the other one", at: other.start.location)])
            } else {
                methods.append(document)
            }
        }
        return FileSet(landscape: landscape, methods: methods, version: version)
    }

    private static func root(of file: SpecFile, into diagnostics: inout DiagnosticCollector) -> DocumentNode? {
        SourceText.decode(file, into: &diagnostics).flatMap { DocumentReader.read($0, into: &diagnostics) }
    }
}

extension FileSet.Document {
    /// The version of the language that the file names, if it is a known one.
    fileprivate var version: SpecLanguage.Version? { root?.text("countersign").flatMap(SpecLanguage.Version.init) }

    /// The file without its content if that is of another version of the language, whose keys are not for this reader to judge.
    ///
    /// - Parameter leader: The file that names the version; `nil` if there is no landscape, which has its own message.
    fileprivate func checked(
        for expected: SpecLanguage.Version, of leader: FileSet.Document?, into diagnostics: inout DiagnosticCollector
    ) -> FileSet.Document {
        guard let named = root?["countersign"], let text = named.text?.value, version != expected else { return self }
        if let version {
            let place = leader?.root?["countersign"]
            if let place {
                diagnostics.report(
                    .mixedVersions,
                    "this file is of version \(version.rawValue) of the language, its landscape of version \(expected.rawValue)",
                    at: named.span, suggestion: expected.rawValue,
                    notes: [Diagnostic.Note("the landscape's version", at: place.span.location)])
            }
        } else {
            let known = SpecLanguage.Version.allCases.map(\.rawValue).joined(separator: " and ")
            diagnostics.report(
                .unsupportedVersion, "this reader knows the versions \(known) of the language, not '\(text.firstLine)'",
                at: named.span, suggestion: expected.rawValue)
        }
        return FileSet.Document(file: file, root: nil)
    }
}

extension SpecFile {
    /// Its first character, for what is said of the file as a whole.
    var start: SourceSpan { SourceSpan(location: SourceLocation(file: path, line: 1, column: 1), length: 1) }
}
