import Yams

/// Parses the YAML of a file. The nodes of Yams are not `Sendable`, resolve types and have no ends, so they are converted.
struct DocumentReader {
    private let source: SourceText
    /// The original names of keys that were renamed for Yams; see ``compose(into:)``.
    private var renamedKeys: [Int: String] = [:]

    /// - Returns: `nil` if the file is not YAML, which is reported with its first mistake.
    static func read(_ source: SourceText, into diagnostics: inout DiagnosticCollector) -> DocumentNode? {
        var reader = DocumentReader(source: source)
        guard let root = reader.compose(into: &diagnostics) else { return nil }
        var conversion = DocumentConversion(source: source, renamedKeys: reader.renamedKeys)
        return conversion.convert(root, into: &diagnostics)
    }

    private init(source: SourceText) { self.source = source }

    /// Parses the text with Yams.
    ///
    /// Yams refuses a document with a duplicate key and reports only the place of the first, but the author of a spec needs the
    /// place of the second and all other mistakes. Therefore the first key of such a pair is renamed, with the same length, and
    /// the text is parsed again. The conversion restores the name and reports the second key.
    ///
    /// A text with aliases is first parsed with masked aliases to determine the size to which they expand.
    private mutating func compose(into diagnostics: inout DiagnosticCollector) -> Node? {
        var scalars = source.scalars
        var replacements = (UInt32(0xE000)...0xE03F).compactMap(Unicode.Scalar.init).makeIterator()
        var isBounded = false
        while true {
            let masked = isBounded ? nil : AliasExpansion.masking(scalars)
            do {
                let parser = try Parser(yaml: String(scalars: masked ?? scalars), resolver: .basic, encoding: .utf8)
                guard let root = try parser.singleRoot() else {
                    report(.emptyFile, "the file is empty", at: 0, into: &diagnostics)
                    return nil
                }
                guard masked != nil else { return root }
                if let index = AliasExpansion.excess(in: root, of: source) {
                    report(
                        .tooManyNodes, "the aliases up to here expand to more values than a spec can have", at: index,
                        into: &diagnostics)
                    return nil
                }
                isBounded = true
            } catch YamlError.duplicatedKeysInMapping(let names, let context) {
                let key = ScalarToken(at: source.index(line: context.mark.line, column: context.mark.column), in: source)
                guard let name = names.first, let index = key.renamableIndex, renamedKeys[index] == nil,
                    let replacement = replacements.next()
                else {
                    report(
                        .duplicateKey, "the key '\(names.first ?? "")' is in its mapping twice", at: key.index, into: &diagnostics)
                    return nil
                }
                scalars[index] = replacement
                renamedKeys[index] = name
            } catch {
                report(error, into: &diagnostics)
                return nil
            }
        }
    }

    private func report(_ error: any Error, into diagnostics: inout DiagnosticCollector) {
        switch error as? YamlError {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            report(problem, context: context, at: mark, into: &diagnostics)
        default:
            // Only memory and character errors remain, and characters have been checked before.
            report(.invalidYAML, "the file cannot be read as YAML", at: 0, into: &diagnostics)
        }
    }

    private func report(_ problem: String, context: YamlError.Context?, at mark: Mark, into diagnostics: inout DiagnosticCollector)
    {
        let index = source.index(line: mark.line, column: mark.column)
        if problem.hasPrefix("Maximum nesting level") {
            return report(.nestingTooDeep, DocumentConversion.nestingMessage, at: index, into: &diagnostics)
        }
        if problem.hasPrefix("but found another document") {
            return report(.severalDocuments, "a second document begins here; a spec is one document", at: index, into: &diagnostics)
        }
        if index < source.scalars.count, source.scalars[index] == "\t" {
            return report(.tab, "a tab is not allowed here; indent YAML with spaces", at: index, into: &diagnostics)
        }
        let start = context.map { source.index(line: $0.mark.line, column: $0.mark.column) }
        if let mistake = SyntaxMistake.find(problem, at: index, in: start, of: source) {
            return report(.invalidYAML, mistake.message, at: mistake.index, into: &diagnostics)
        }
        var notes: [Diagnostic.Note] = []
        if let context, (context.mark.line, context.mark.column) != (mark.line, mark.column) {
            let place = source.location(at: source.index(line: context.mark.line, column: context.mark.column))
            notes.append(Diagnostic.Note(context.text, at: place))
        }
        let span = SourceSpan(location: source.location(at: index), length: 1)
        diagnostics.report(.invalidYAML, "not YAML: \(problem)", at: span, notes: notes)
    }

    private func report(_ code: DiagnosticCode, _ message: String, at index: Int, into diagnostics: inout DiagnosticCollector) {
        diagnostics.report(code, message, at: SourceSpan(location: source.location(at: index), length: 1))
    }
}
