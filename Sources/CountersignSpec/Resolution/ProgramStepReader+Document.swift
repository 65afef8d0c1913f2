// Steps for the documents that servers publish, and for the tokens that they have signed.

extension ProgramStepReader {
    // MARK: Documents

    /// Reads the steps that fetch documents: those with values that steps name, and those that these documents need.
    ///
    /// - Returns: `nil` if one of the documents cannot be read, which is reported.
    mutating func fetching(
        for items: [DocumentNode], into diagnostics: inout DiagnosticCollector
    ) -> [ResolvedProgram.Step]? {
        let entries = ProgramDocumentReader.entries(of: documents, namedBy: items)
        let actions = entries.compactMap { entry in document(entry, into: &diagnostics) }
        guard actions.count == entries.count else {
            scope.paths.forget()
            return nil
        }
        return actions.map { ResolvedProgram.Step(conditions: [], action: .document($0)) }
    }

    private mutating func document(
        _ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Document? {
        let reader = ProgramDocumentReader(entry)
        for (name, type) in reader.values where scope[name.value] == nil {
            scope.add(name, .step, type: type, isPending: true)
        }
        // A document can be compared with the values of another one.
        scope.kindsInPatterns.insert(.step)
        defer { scope.kindsInPatterns.remove(.step) }
        return answers(of: reader.request, isPage: false, into: &diagnostics) { scope, answers, diagnostics in
            reader.document(in: scope, with: answers, into: &diagnostics)
        }
    }

    // MARK: Tokens

    /// Reads the verification of a token.
    ///
    /// - Returns: `nil` if something in it cannot be read; that is reported.
    mutating func verify(
        _ node: DocumentNode, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Verification? {
        // The claims of a token are read like the JSON of a response.
        let answer = [.init("status", .text("200"), at: node.span)] + [node.entry("capture")].compactMap(\.self)
        let request = DocumentNode.mapping(
            [.init("answers", .list([.mapping(answer, at: node.span)]), at: node.span)], at: node.span)
        return answers(of: request, isPage: false, into: &diagnostics) { scope, answers, diagnostics in
            ProgramCallReader(scope: scope).verification(node, captures: answers?.first?.pattern.captures, into: &diagnostics)
        }
    }
}
