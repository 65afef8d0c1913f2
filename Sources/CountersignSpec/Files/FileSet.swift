/// The parsed files of one landscape, divided into the landscape's file and those of methods.
struct FileSet: Sendable {
    /// A file with its content; `nil` if it cannot be read.
    struct Document: Sendable {
        let file: SpecFile
        let root: DocumentNode?
    }

    /// The landscape's file, if there is one.
    let landscape: Document?
    /// The other files, in the order of their names.
    let methods: [Document]

    /// The name that `landscape.yaml` gives.
    var name: Located<String>? { landscape?.root?["landscape"]?.text }

    /// Parses all files, and reports those whose names differ only by case or extension.
    static func read(_ files: [SpecFile], into diagnostics: inout DiagnosticCollector) -> FileSet {
        let documents = files.sorted { ($0.name, $0.path) < ($1.name, $1.path) }
            .map { Document(file: $0, root: root(of: $0, into: &diagnostics)) }
        var landscape: Document?
        var methods: [Document] = []
        var stems: [String: SpecFile] = [:]
        for document in documents {
            let file = document.file
            if file.isLandscape {
                if let landscape {
                    diagnostics.report(
                        .severalLandscapes, "the landscape is already declared in '\(landscape.file.name)'", at: file.start,
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
        return FileSet(landscape: landscape, methods: methods)
    }

    /// Returns the content of a file; `nil` if it cannot be read or has another version of the language, whose keys are unknown
    /// here.
    private static func root(of file: SpecFile, into diagnostics: inout DiagnosticCollector) -> DocumentNode? {
        let root = SourceText.decode(file, into: &diagnostics).flatMap { DocumentReader.read($0, into: &diagnostics) }
        guard let node = root?["countersign"], let version = node.text?.value, SpecLanguage.Version(rawValue: version) == nil else {
            return root
        }
        let known = SpecLanguage.Version.allCases.map(\.rawValue)
        diagnostics.report(
            .unsupportedVersion,
            "this reader supports version \(known.joined(separator: " and ")) of the language, not '\(version.firstLine)'",
            at: node.span, suggestion: known.last)
        return nil
    }
}

extension SpecFile {
    /// The first character of the file, for diagnostics about the file as a whole.
    var start: SourceSpan { SourceSpan(location: SourceLocation(file: path, line: 1, column: 1), length: 1) }
}
