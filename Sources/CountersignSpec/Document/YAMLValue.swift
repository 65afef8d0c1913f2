/// A value of a YAML file that is not a spec, with its place, for programs that read such files besides specs.
package indirect enum YAMLValue: Sendable {
    case text(String, at: SourceLocation)
    case list([YAMLValue], at: SourceLocation)
    case mapping([(key: Located<String>, value: YAMLValue)], at: SourceLocation)
    /// A key or list item without a value.
    case nothing(at: SourceLocation)

    /// Reads a file.
    ///
    /// - Returns: `nil` for a file that is empty or has a mistake, which the diagnostics locate.
    package static func read(_ file: SpecFile) -> (value: YAMLValue?, diagnostics: [Diagnostic]) {
        var collector = DiagnosticCollector()
        let node = SourceText.decode(file, into: &collector).flatMap { DocumentReader.read($0, into: &collector) }
        return (node.map(YAMLValue.init), collector.sorted())
    }

    /// The position in the file.
    package var location: SourceLocation {
        switch self {
        case .text(_, let location), .list(_, let location), .mapping(_, let location), .nothing(let location): location
        }
    }

    private init(_ node: DocumentNode) {
        let place = node.span.location
        self =
            switch node.content {
            case .text(let text): .text(text, at: place)
            case .list(let items): .list(items.map(YAMLValue.init), at: place)
            case .mapping(let entries): .mapping(entries.map { ($0.key, YAMLValue($0.value)) }, at: place)
            case .nothing: .nothing(at: place)
            }
    }
}
