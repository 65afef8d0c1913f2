/// Reads the `{references}` in a text of a method. `{name?}` refers to a value that may be absent. If it is, the whole text is
/// omitted.
struct ProgramTemplateReader {
    let scope: ProgramScope
    /// The kinds of values to which references can refer in this place.
    let kinds: Set<ProgramScope.Kind>
    /// The reason why values that may be absent are not valid in this place; `nil` if they are.
    var refusal: String?
    /// Whether a URL that a document may lack is nevertheless valid in this place.
    var allowsMissingAddress = false

    /// - Returns: `nil` if the text has a mistake, which is reported here or has been before.
    func read(_ node: DocumentNode, into diagnostics: inout DiagnosticCollector) -> LocatedProgramTemplate? {
        guard let text = node.text, TextForm.textTemplate.accepts(text.value),
            let tokens = TemplateTokenizer.tokens(of: text.value, naming: names, allowingMarks: true, at: node, into: &diagnostics)
        else { return nil }
        let pieces = tokens.compactMap { token -> LocatedProgramTemplate.Piece? in
            switch token {
            case .text(let text, let span): LocatedProgramTemplate.Piece(piece: .text(text), value: nil, span: span)
            case .reference(let name, let span): piece(name, span: span, into: &diagnostics)
            }
        }
        return pieces.count == tokens.count ? LocatedProgramTemplate(pieces: pieces, span: node.span) : nil
    }

    private var names: [String] { scope.values.filter { kinds.contains($0.kind) }.map(\.reference) }

    private func piece(
        _ reference: String, span: SourceSpan, into diagnostics: inout DiagnosticCollector
    ) -> LocatedProgramTemplate.Piece? {
        let name = reference.withoutAbsenceMark
        let kind = ProgramScope.kind(of: name)
        let value = scope[name]
        guard kinds.contains(value?.kind ?? kind) else {
            diagnostics.report(.unknownReference, misplacement(of: name, value?.kind ?? kind), at: span)
            return nil
        }
        guard let value else {
            guard !scope.incomplete.contains(kind) else { return nil }
            if scope.isOperation, scope["settings.\(name)"] != nil {
                diagnostics.report(.unknownReference, complaint(name, kind), at: span, suggestion: "settings.\(name)")
            } else {
                diagnostics.report(.unknownReference, complaint(name, kind), at: span, meaning: name, among: names)
            }
            return nil
        }
        guard value.type != nil else { return nil }
        if case .never = scope.presence(of: value) {
            reportAbsence(of: value, at: span, into: &diagnostics)
            return nil
        }
        checkMark(reference, of: value, at: span, into: &diagnostics)
        return LocatedProgramTemplate.Piece(piece: value.piece, value: value, span: span)
    }

    private func reportAbsence(of value: ProgramScope.Value, at span: SourceSpan, into diagnostics: inout DiagnosticCollector) {
        let notes = value.declaration.map { [Diagnostic.Note("declared here", at: $0.location)] } ?? []
        if [.credential, .result, .step].contains(value.kind) {
            diagnostics.report(
                .unfilledField, "nothing has filled '\(value.reference)' yet; put a step before this one that does", at: span,
                notes: notes)
        } else {
            diagnostics.report(
                .optionalReference, "'\(value.reference)' is absent here, by the step's own condition", at: span, notes: notes)
        }
    }

    private func checkMark(
        _ reference: String, of value: ProgramScope.Value, at span: SourceSpan, into diagnostics: inout DiagnosticCollector
    ) {
        let name = value.reference
        switch (scope.presence(of: value), reference.hasSuffix("?")) {
        // A missing URL of a document is an error when the request is sent.
        case (.sometimes, false) where allowsMissingAddress && value.isPublishedAddress: break
        case (.sometimes, _) where refusal != nil:
            diagnostics.report(
                .optionalReference, "'\(name)' may be absent, and \(refusal ?? "")", at: span,
                notes: [scope.absence(of: value)].compactMap(\.self))
        case (.sometimes, false):
            diagnostics.report(
                .optionalReference, "'\(name)' may be absent; write '{\(name)?}', and without it the whole text is left out",
                at: span, suggestion: "\(name)?", notes: [scope.absence(of: value)].compactMap(\.self))
        case (.always, true):
            diagnostics.report(
                .needlessMark, "'\(name)' is always there; write '{\(name)}'", at: span, suggestion: name,
                notes: value.declaration.map { [Diagnostic.Note("declared here", at: $0.location)] } ?? [])
        default: break
        }
    }

    private func misplacement(of name: String, _ kind: ProgramScope.Kind) -> String {
        switch kind {
        case .parameter where scope.kindsInPatterns.isEmpty: ProgramScope.complaintAboutVariants
        case .parameter: "'{\(name)}' cannot stand here"
        case .step: "'{\(name)}' is for steps alone; what requests carry is a field of the credential"
        case .result: "'{\(name)}' cannot stand here; results are what the steps of an operation find out"
        case .challenge where kinds.contains(.step): "at a renewal and after a logout there is no challenge"
        case .challenge where kinds.contains(.credential):
            "what a challenge says gets into requests by the credential; give a field of it 'from: \"{\(name)}\"', and name that"
        case .challenge: "here a reference names a parameter, not what a challenge says"
        case .credential: "'{\(name)}' can stand under 'attach', 'http' and 'expires' alone; here there is no credential yet"
        case .request where kinds.contains(.message): "'{\(name)}' cannot stand here"
        case .request:
            "of a request there is '{request.url.origin}', which stands under 'per', 'within' and 'compute' of 'attach' alone, and other parts of it under that"
        case .message: "'{\(name)}' is of a request that is signed; it stands under 'compute' of 'attach' alone"
        case .attached: "'{\(name)}' cannot stand here"
        }
    }

    private func complaint(_ name: String, _ kind: ProgramScope.Kind) -> String {
        if scope.isOperation {
            if name.hasPrefix("settings.") { return "the settings have no field '\(name.dropFirst("settings.".count))'" }
            return kind == .result
                ? "there is no result '\(name.dropFirst("results.".count))'"
                : "there is no parameter '\(name)', and no step before this one fills it"
        }
        if name.hasPrefix("settings.") {
            return "settings are named under 'from' of a parameter alone; give a parameter 'from: \"{\(name)}\"', and name that"
        }
        return switch kind {
        case .parameter, .step:
            kinds.contains(.step)
                ? "there is no parameter '\(name)', and no step before this one fills it" : "there is no parameter '\(name)'"
        case .challenge: "no challenge captures '\(name.dropFirst("challenge.".count))'"
        case .credential: "the credential has no field '\(name.dropFirst("credential.".count))'"
        case .result: "there is no result '\(name.dropFirst("results.".count))'"
        case .request where kinds.contains(.message):
            "of a request there are \(names.filter { $0.hasPrefix("request.") }.map { "'{\($0)}'" }.joined(separator: ", "))"
        case .request: "of a request there is '{request.url.origin}' alone"
        case .message, .attached: "there is no value '\(name)'"
        }
    }
}

/// A template whose pieces have their spans and values, so that diagnostics can point at each of them.
struct LocatedProgramTemplate {
    struct Piece {
        let piece: ResolvedProgram.Template.Piece
        /// The value to which the piece refers; `nil` for a text.
        let value: ProgramScope.Value?
        let span: SourceSpan
    }

    let pieces: [Piece]
    let span: SourceSpan

    /// The template in the model.
    var resolved: ResolvedProgram.Template { ResolvedProgram.Template(pieces: pieces.map(\.piece)) }

    /// Whether the template has no references.
    var isLiteral: Bool { pieces.allSatisfy { $0.value == nil } }

    /// The reference, if the template consists only of it.
    var loneReference: Piece? { pieces.count == 1 && !isLiteral ? pieces.first : nil }

    /// Returns the reason why the whole text may be absent; `nil` if it is always present.
    func absence(in scope: ProgramScope) -> Diagnostic.Note? {
        pieces.lazy.compactMap { $0.value.flatMap { scope.absence(of: $0) } }.first
    }

    /// Whether the template refers to a value of the challenge.
    var namesChallenge: Bool { pieces.contains { $0.value?.kind == .challenge } }

    /// Checks that all values have a text form that is valid here, and that the text has no control characters.
    ///
    /// - Parameters:
    ///   - isHidden: Whether the place can hold secrets.
    ///   - allowsLines: Whether the text can have line breaks.
    ///   - allowsElements: Whether the text can have XML elements.
    func checkText(
        isHidden: Bool, allowsLines: Bool = false, allowsElements: Bool = false, into diagnostics: inout DiagnosticCollector
    ) {
        for piece in pieces {
            if case .text(let text) = piece.piece,
                text.unicodeScalars.contains(where: { $0.isControl && !(allowsLines && $0 == "\n") })
            {
                diagnostics.report(.invalidValue, "this text has no line breaks or control characters", at: piece.span)
            }
            guard let value = piece.value else { continue }
            let declaration = value.declaration.map { [Diagnostic.Note("declared here", at: $0.location)] } ?? []
            if value.type == .origins {
                diagnostics.report(
                    .wrongType, "'\(value.reference)' is several origins, which are no text; they stand under 'for' and 'within'",
                    at: piece.span, notes: declaration)
            }
            if let type = value.type, type.isTime {
                diagnostics.report(
                    .wrongType, "'\(value.reference)' is a \(type.rawValue), which is no text; it stands under 'expires'",
                    at: piece.span, notes: declaration)
            }
            if value.type == .json {
                diagnostics.report(
                    .wrongType, "'\(value.reference)' is JSON, which is no text; it stands alone under 'json'", at: piece.span,
                    notes: declaration)
            }
            if value.type == .xml, !allowsElements {
                diagnostics.report(
                    .wrongType, "'\(value.reference)' is XML, which is no text; it stands in the 'xml' of a request",
                    at: piece.span,
                    notes: declaration)
            }
            if let type = value.type, [.boolean, .identity, .requestHandler, .privateKey, .answers].contains(type) {
                diagnostics.report(
                    .wrongType, "'\(value.reference)' is a \(type.rawValue), which is no text; \(type.place)", at: piece.span,
                    notes: declaration)
            }
            if let type = value.type, type.isList || type == .certificateRequest, pieces.count > 1 {
                diagnostics.report(
                    .wrongType, type == .scopes ? "scopes stand alone in a value" : "'\(value.reference)' stands alone in a value",
                    at: piece.span,
                    notes: declaration)
            }
            if value.type == .cookies {
                diagnostics.report(
                    .wrongType, "'\(value.reference)' is cookies, which are no text; they go with requests by themselves",
                    at: piece.span, notes: declaration)
            }
            if value.type == .secret, !isHidden {
                diagnostics.report(
                    .exposedSecret, "'\(value.reference)' is a secret and would be seen here", at: piece.span, notes: declaration)
            }
        }
    }

    /// Reports a secret that is a literal text.
    func checkSecret(_ what: String, into diagnostics: inout DiagnosticCollector) {
        guard isLiteral else { return }
        diagnostics.report(
            .literalSecret,
            "\(what) is a secret, and this text would stand in generated code; refer to a parameter of type 'secret'", at: span)
    }

    /// Reports a secret to be sent that is a literal text, or that consists only of values that are visible elsewhere.
    func checkSentSecret(_ what: String, into diagnostics: inout DiagnosticCollector) {
        checkSecret(what, into: &diagnostics)
        let values = pieces.compactMap(\.value)
        guard let value = values.first, values.allSatisfy({ $0.type == .string && $0.kind != .challenge }) else { return }
        diagnostics.report(
            .literalSecret, "\(what) is a secret, and '\(value.reference)' would be seen; give it 'type: secret'", at: span,
            notes: value.declaration.map { [Diagnostic.Note("declared here", at: $0.location)] } ?? [])
    }
}

extension ProgramType {
    /// The place in which a value without a text form is valid, for messages.
    fileprivate var place: String {
        switch self {
        case .boolean: "it stands under 'when'"
        case .identity: "it stands under 'identity' of 'attach', and in what 'compute' makes of it"
        case .clock: "it stands under 'clock' of a signature"
        case .privateKey: "it stands in 'compute' alone"
        case .answers: "it stands under \"*\" of a 'form', or alone in 'json'"
        default: "it stands under 'prepare'"
        }
    }
}
