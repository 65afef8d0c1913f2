/// Reads the `{references}` in a text of a method. `{name?}` refers to a value that may be absent. If it is, the whole text is
/// omitted.
struct ProgramTemplateReader {
    let scope: ProgramScope
    /// The kinds of values to which references can refer in this place.
    let kinds: Set<ProgramScope.Kind>
    /// The reason why values that may be absent are not valid in this place; `nil` if they are.
    var refusal: String?
    /// Whether the text is the name of a header field or of another value, which can refer to parameters, and a header field's to
    /// the credential.
    var isName = false
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
            if kind == .challenge, let challenges = scope.challenges,
                diagnostics.reportReplacement(of: "'{\(name)}'", at: span, by: challenges)
            {
                return nil
            }
            reportUnknown(name, kind, at: nameSpan(of: reference, span), into: &diagnostics)
            return nil
        }
        guard value.type != nil else { return nil }
        // An inherited step that sets the value may never run. The mark then omits the text.
        let isOmitted = reference.hasSuffix("?") && diagnostics.isInherited(span.location)
        if case .never = scope.presence(of: value), !isOmitted {
            reportAbsence(of: value, at: span, into: &diagnostics)
            return nil
        }
        checkMark(reference, of: value, at: span, into: &diagnostics)
        return LocatedProgramTemplate.Piece(piece: value.piece, value: value, span: span)
    }

    private func reportUnknown(
        _ name: String, _ kind: ProgramScope.Kind, at span: SourceSpan, into diagnostics: inout DiagnosticCollector
    ) {
        let field = "credential.\(name)"
        if scope.isOperation, scope["settings.\(name)"] != nil {
            diagnostics.report(.unknownReference, complaint(name, kind), at: span, suggestion: "settings.\(name)")
        } else if kind == .parameter, kinds.contains(.credential), scope[field] != nil {
            diagnostics.report(
                .unknownReference, "'\(name)' is a field of the credential; write '{\(field)}'", at: span, suggestion: field)
        } else {
            diagnostics.report(.unknownReference, complaint(name, kind), at: span, meaning: name, among: names)
        }
    }

    /// Returns the span of a reference without the mark of a value that may be absent, which a correction of the name keeps. The span of
    /// a text that is not on one line as it is written is that of the whole text.
    private func nameSpan(of reference: String, _ span: SourceSpan) -> SourceSpan {
        let length = reference.unicodeScalars.count
        guard reference.hasSuffix("?"), span.length == length else { return span }
        return SourceSpan(location: span.location, length: length - 1)
    }

    private func reportAbsence(of value: ProgramScope.Value, at span: SourceSpan, into diagnostics: inout DiagnosticCollector) {
        let notes = value.declaration.map { [Diagnostic.Note("declared here", at: $0.location)] } ?? []
        if let slot = value.slot, scope.forgotten.contains(slot) {
            diagnostics.report(
                .unknownReference,
                "a prompt asks for '\(value.reference)', but requests carry an answer only as a field of the credential; "
                    + "add a field for the answer, and refer to it", at: span, notes: notes)
        } else if [.credential, .result, .step].contains(value.kind) {
            diagnostics.report(
                .unfilledField, "'\(value.reference)' is not set yet; add an earlier step that sets it", at: span,
                notes: notes)
        } else {
            diagnostics.report(
                .optionalReference, "'\(value.reference)' is absent here because of the step's condition", at: span, notes: notes)
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
            // A prompt fills the field of the credential, not the parameter of the same name.
            let field = "credential.\(name)"
            let isField = value.kind == .parameter && kinds.contains(.credential) && scope[field] != nil
            let other = isField ? ", or '{\(field)}' for the field of the credential" : ""
            diagnostics.report(
                .optionalReference, "'\(name)' may be absent; write '{\(name)?}' to omit the whole text in that case\(other)",
                at: span, suggestion: "\(name)?", notes: [scope.absence(of: value)].compactMap(\.self))
        case (.always, true):
            diagnostics.report(
                .needlessMark, "'\(name)' is always present; write '{\(name)}'", at: span, suggestion: name,
                notes: value.declaration.map { [Diagnostic.Note("declared here", at: $0.location)] } ?? [])
        default: break
        }
    }

    private func misplacement(of name: String, _ kind: ProgramScope.Kind) -> String {
        if isName {
            let others = kinds.contains(.credential) ? " and to fields of the credential" : ""
            return "'{\(name)}' cannot be used here; a name can only refer to parameters\(others)"
        }
        return switch kind {
        case .parameter where scope.kindsInPatterns.isEmpty: ProgramScope.complaintAboutVariants
        case .parameter: "'{\(name)}' cannot be used here"
        case .step: "'{\(name)}' can only be used in steps; requests carry fields of the credential"
        case .result: "'{\(name)}' cannot be used here; results are only available in the steps of an operation"
        case .challenge where kinds.contains(.step): "at a renewal and after a logout there is no challenge"
        case .challenge where kinds.contains(.credential):
            "requests can only carry a value of a challenge as a field of the credential; add a field with 'from: \"{\(name)}\"', and refer to it"
        case .challenge: "only parameters can be used here, not values of a challenge"
        case .credential:
            "'{\(name)}' can only be used under 'attach', 'http', 'expires' and 'for'; there is no credential here yet"
        case .request where kinds.contains(.message): "'{\(name)}' cannot be used here"
        case .request:
            "'{request.url.origin}' can only be used under 'per', 'within' and 'compute' of 'attach', and other parts of a request only under 'compute' of 'attach'"
        case .message: "'{\(name)}' is a part of the request; it can only be used under 'compute' of 'attach'"
        case .attached:
            "'{\(name)}' is computed after the body of the request is complete; only 'headers' and 'query' can contain it"
        }
    }

    private func complaint(_ name: String, _ kind: ProgramScope.Kind) -> String {
        if scope.isOperation {
            if name.hasPrefix("settings.") { return "the settings have no field '\(name.dropFirst("settings.".count))'" }
            return kind == .result
                ? "there is no result '\(name.dropFirst("results.".count))'"
                : "there is no parameter '\(name)', and no earlier step sets it"
        }
        if name.hasPrefix("settings.") {
            return
                "settings can only be used under 'from' of a parameter; add a parameter with 'from: \"{\(name)}\"', and refer to it"
        }
        return switch kind {
        case .parameter, .step:
            kinds.contains(.step)
                ? "there is no parameter '\(name)', and no earlier step sets it" : "there is no parameter '\(name)'"
        case .challenge: "no challenge captures '\(name.dropFirst("challenge.".count))'"
        case .credential: "the credential has no field '\(name.dropFirst("credential.".count))'"
        case .result: "there is no result '\(name.dropFirst("results.".count))'"
        case .request where kinds.contains(.message):
            "the parts of a request are \(names.filter { $0.hasPrefix("request.") }.map { "'{\($0)}'" }.joined(separator: ", "))"
        case .request: "the only part of a request here is '{request.url.origin}'"
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
                diagnostics.report(.invalidValue, "this text cannot have line breaks or control characters", at: piece.span)
            }
            guard let value = piece.value else { continue }
            let declaration = value.declaration.map { [Diagnostic.Note("declared here", at: $0.location)] } ?? []
            if value.type == .origins {
                diagnostics.report(
                    .wrongType, "'\(value.reference)' is a list of origins, not a text; use it under 'for' and 'within'",
                    at: piece.span, notes: declaration)
            }
            if let type = value.type, type.isTime {
                diagnostics.report(
                    .wrongType, "'\(value.reference)' is a \(type.rawValue), not a text; use it under 'expires'",
                    at: piece.span, notes: declaration)
            }
            if value.type == .json {
                diagnostics.report(
                    .wrongType, "'\(value.reference)' is JSON, not a text; use it as a whole reference under 'json'",
                    at: piece.span,
                    notes: declaration)
            }
            if value.type == .xml, !allowsElements {
                diagnostics.report(
                    .wrongType, "'\(value.reference)' is XML, not a text; use it in the 'xml' of a request",
                    at: piece.span,
                    notes: declaration)
            }
            if let type = value.type, [.boolean, .identity, .requestHandler, .privateKey, .answers].contains(type) {
                diagnostics.report(
                    .wrongType, "'\(value.reference)' has the type '\(type.rawValue)' and is not a text; \(type.place)",
                    at: piece.span,
                    notes: declaration)
            }
            if let type = value.type, type.isList || type == .certificateRequest, pieces.count > 1 {
                diagnostics.report(
                    .wrongType,
                    type == .scopes
                        ? "scopes cannot be combined with other text in a value"
                        : "'\(value.reference)' cannot be combined with other text in a value",
                    at: piece.span,
                    notes: declaration)
            }
            if value.type == .cookies {
                diagnostics.report(
                    .wrongType, "'\(value.reference)' contains cookies, not a text; requests carry them automatically",
                    at: piece.span, notes: declaration)
            }
            if value.type == .secret, !isHidden {
                diagnostics.report(
                    .exposedSecret, "'\(value.reference)' is a secret and would be visible here", at: piece.span,
                    notes: declaration)
            }
        }
    }

    /// Reports secrets that the application gives, in a form that the user's browser posts.
    func checkPosted(into diagnostics: inout DiagnosticCollector) {
        for piece in pieces {
            guard let value = piece.value, value.kind == .parameter, value.type == .secret else { continue }
            diagnostics.report(
                .exposedSecret,
                "'\(value.reference)' is a secret of the application, and the user's browser would show it; send it with 'http'",
                at: piece.span, notes: value.declaration.map { [Diagnostic.Note("declared here", at: $0.location)] } ?? [])
        }
    }

    /// Reports a secret that is a literal text.
    func checkSecret(_ what: String, into diagnostics: inout DiagnosticCollector) {
        guard isLiteral else { return }
        diagnostics.report(
            .literalSecret,
            "\(what) is a secret, but this text would be in the generated code; refer to a parameter of type 'secret'", at: span)
    }

    /// Reports a secret to be sent that is a literal text, or that consists only of values that are visible elsewhere.
    func checkSentSecret(_ what: String, into diagnostics: inout DiagnosticCollector) {
        checkSecret(what, into: &diagnostics)
        let values = pieces.compactMap(\.value)
        guard let value = values.first, values.allSatisfy({ $0.type == .string && $0.kind != .challenge }) else { return }
        diagnostics.report(
            .literalSecret, "\(what) is a secret, but '\(value.reference)' would be visible; give it 'type: secret'", at: span,
            notes: value.declaration.map { [Diagnostic.Note("declared here", at: $0.location)] } ?? [])
    }
}

extension ProgramType {
    /// The place in which a value without a text form is valid, for messages.
    fileprivate var place: String {
        switch self {
        case .boolean: "use it under 'when'"
        case .identity: "use it under 'identity' of 'attach', or in 'compute'"
        case .clock: "use it under 'clock' of a signature"
        case .privateKey: "use it in 'compute'"
        case .answers: "use it as \"*\" of a 'form', or as a whole reference in 'json'"
        default: "use it under 'prepare'"
        }
    }
}
