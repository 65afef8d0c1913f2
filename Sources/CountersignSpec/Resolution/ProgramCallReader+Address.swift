// URLs of requests, pages and documents. No value in one can choose another server.

extension ProgramCallReader {
    /// Reads the location of a document.
    ///
    /// - Parameter isAlone: Whether only a whole reference is valid.
    /// - Returns: `nil` if it cannot be read; that is reported.
    func place(
        _ node: DocumentNode, isAlone: Bool = false, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Template? {
        // A renewal has no challenge. A location with a value of a challenge is skipped there.
        let reader = ProgramTemplateReader(scope: scope, kinds: scope.kindsInSteps.union([.challenge]))
        guard let place = reader.read(node, into: &diagnostics) else { return nil }
        place.checkText(isHidden: false, into: &diagnostics)
        check(place, of: "a document", behind: [.parameter, .step], into: &diagnostics)
        let template = place.resolved
        if isAlone, template.pieces.count != 1 || template.slots.isEmpty {
            diagnostics.report(.wrongType, "'of' is a whole reference to a URL, such as \"{issuer}\"", at: node.span)
            return nil
        }
        return template
    }

    /// - Parameter isSent: Whether a URL that a server may not publish is valid. If it is absent, sending the request is an
    ///   error.
    func address(
        _ node: DocumentNode, of what: String, isSent: Bool = false, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Template? {
        let reader = ProgramTemplateReader(
            scope: scope, kinds: scope.kindsInSteps, refusal: "\(what) needs a URL; make it required, or give it a default",
            allowsMissingAddress: isSent)
        guard let template = reader.read(node, into: &diagnostics) else { return nil }
        template.checkText(isHidden: false, into: &diagnostics)
        check(template, of: what, into: &diagnostics)
        return template.resolved
    }

    /// Reports a URL in which a value could choose another server: it must be a literal, or begin with a URL that a reference
    /// provides.
    ///
    /// - Parameter kinds: The kinds of URLs that can be followed by a path.
    func check(
        _ url: LocatedProgramTemplate, of what: String, behind kinds: Set<ProgramScope.Kind> = [.parameter],
        into diagnostics: inout DiagnosticCollector
    ) {
        let pieces = url.pieces
        if url.isLiteral, let piece = pieces.first, case .text(let text) = piece.piece {
            URLText.checkLogin(text, at: piece.span, into: &diagnostics)
            return
        }
        // Mistakes in these values have been reported by `checkText`.
        if pieces.contains(where: { $0.value?.type == .secret || $0.value?.type?.isText == false }) { return }
        let isURL = pieces.first?.value?.type == .url
        if isURL, pieces.count == 1 { return }
        let rest = pieces.dropFirst()
        guard isURL, let second = rest.first, pieces[0].value.map({ kinds.contains($0.kind) }) == true, case .text = second.piece,
            rest.allSatisfy({ $0.value == nil || $0.value?.type == .string })
        else {
            diagnostics.report(
                .wrongType,
                "the URL of \(what) must be a whole reference to a URL; a parameter of type 'url' followed by a path, such as "
                    + "\"{endpoint}/token\", in which a 'string' can be a segment; or a URL without references",
                at: url.span)
            return
        }
        // A value is encoded as a whole segment, so that any letter can replace it here.
        let path = rest.map { if case .text(let text) = $0.piece { text } else { "x" } }.joined()
        if !TextForm.path.accepts(path) {
            diagnostics.report(
                .invalidValue, "the URL of a parameter must be followed by \(TextForm.path.expectation)", at: second.span)
            return
        }
        checkSegments(pieces, into: &diagnostics)
    }

    /// Reports values in a path that are not whole segments between slashes.
    private func checkSegments(_ pieces: [LocatedProgramTemplate.Piece], into diagnostics: inout DiagnosticCollector) {
        let texts = pieces.map { if case .text(let text) = $0.piece { text } else { String?.none } }
        for index in pieces.indices.dropFirst() where texts[index] == nil {
            let isOpened = texts[index - 1]?.hasSuffix("/") == true
            let isClosed = index + 1 == pieces.count || texts[index + 1]?.hasPrefix("/") == true
            guard !isOpened || !isClosed else { continue }
            diagnostics.report(.invalidValue, "a value in a path must be a whole segment, between slashes", at: pieces[index].span)
        }
    }
}
