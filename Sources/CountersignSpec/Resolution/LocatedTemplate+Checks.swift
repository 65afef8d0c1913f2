extension LocatedTemplate {
    /// Checks a text that is not encoded: the value of a header field, or of a field of type `string`.
    func checkText(into diagnostics: inout DiagnosticCollector) {
        for piece in pieces {
            checkSecret(piece, into: &diagnostics)
            checkOptional(piece, into: &diagnostics)
            checkText(piece, into: &diagnostics)
        }
    }

    private func checkText(_ piece: Piece, into diagnostics: inout DiagnosticCollector) {
        guard piece.type == .requestHandler || piece.type == .scopes || piece.type == .texts else { return }
        diagnostics.report(
            .wrongType, "scopes and lists can only be values of queries and forms, and a function cannot be in a text",
            at: piece.span)
    }

    /// Checks the name of a header field.
    func checkHeaderName(into diagnostics: inout DiagnosticCollector) {
        for piece in pieces {
            if let literal = piece.literal {
                guard !literal.isToken else { continue }
                diagnostics.report(
                    .invalidValue, "the name of a header field is \(TextForm.token.expectation)", at: piece.span)
            } else if piece.type == .header {
                checkOptional(piece, into: &diagnostics)
            } else {
                report(piece, needs: .header, "the name of a header field", into: &diagnostics)
            }
        }
    }

    /// Checks a URL: a literal that begins with its scheme, or a field of type `url`, possibly followed by a path or query.
    func checkURL(allowsHTTP: Bool, into diagnostics: inout DiagnosticCollector) {
        guard let first = pieces.first else { return }
        if let literal {
            URLText.check(literal, at: first.span, allowsHTTP: allowsHTTP, into: &diagnostics)
            return
        }
        var rest = pieces.dropFirst()
        if let base = first.literal {
            // The host ends before the first reference, so that no value can change it.
            let separator = base.firstRange(of: "://")
            guard let separator, base[separator.upperBound...].contains(where: { $0 == "/" || $0 == "?" }) else {
                diagnostics.report(
                    .wrongType, "a URL must begin with a field of type 'url', or with a literal scheme and host", at: first.span)
                return
            }
            URLText.check(base, at: first.span, allowsHTTP: allowsHTTP, into: &diagnostics)
        } else if first.type == .url {
            checkOptional(first, into: &diagnostics)
            if let next = rest.first {
                let continuation = next.literal?.unicodeScalars.first
                guard continuation == "/" || continuation == "?" else {
                    diagnostics.report(.invalidValue, "the URL of a field must be followed by '/' or '?'", at: next.span)
                    return
                }
            }
        } else {
            report(first, needs: .url, "the beginning of a URL", into: &diagnostics)
            rest = pieces[...]
        }
        checkContinuation(rest, into: &diagnostics)
    }

    /// Checks the path and query of a URL.
    private func checkContinuation(_ rest: ArraySlice<Piece>, into diagnostics: inout DiagnosticCollector) {
        for (index, piece) in zip(rest.indices, rest) {
            if let literal = piece.literal {
                if let problem = URLText.problem(inContinuation: literal) {
                    diagnostics.report(.invalidValue, problem, at: piece.span)
                }
            } else {
                checkSecret(piece, into: &diagnostics)
                checkText(piece, into: &diagnostics)
                if !isQueryValue(index) { checkOptional(piece, into: &diagnostics) }
            }
        }
    }

    /// Whether a piece is the whole value of a query item, which is omitted if the value is absent.
    private func isQueryValue(_ index: Int) -> Bool {
        guard index > 0, pieces[index - 1].literal?.hasSuffix("=") == true,
            pieces[..<index].contains(where: { $0.literal?.contains("?") == true })
        else { return false }
        guard index + 1 < pieces.count else { return true }
        return pieces[index + 1].literal?.hasPrefix("&") == true
    }

    /// Checks the value that `from` gives a field.
    func checkValue(of field: FieldScope.Field, into diagnostics: inout DiagnosticCollector) {
        guard let type = field.type else { return }
        if let reference = loneReference, reference.type == type {
            // The value is passed on unchanged: a secret stays secret, and an absent value can stay absent.
            if !field.isOptional { checkOptional(reference, into: &diagnostics) }
            checkChoices(of: reference, among: field, into: &diagnostics)
            return
        }
        switch type {
        case .url: checkURL(allowsHTTP: field.allowsHTTP, into: &diagnostics)
        case .header: checkHeaderName(into: &diagnostics)
        case .string: checkText(into: &diagnostics)
        case .secret:
            diagnostics.report(
                .exposedSecret, "the secret '\(field.name.value)' can only be a whole reference to a secret of the settings",
                at: span)
        case .origins:
            diagnostics.report(
                .wrongType,
                "'\(field.name.value)' has the type 'origins' and can only be a whole reference to origins of the settings",
                at: span
            )
        case .requestHandler:
            diagnostics.report(
                .wrongType, "'\(field.name.value)' is a function, which only the application can provide", at: span)
        case .boolean, .choice, .scopes, .texts:
            if let literal {
                type.check(literal, at: span, allowsHTTP: false, into: &diagnostics)
                ChoiceReader.check(literal, at: span, among: field.choices, into: &diagnostics)
            } else {
                for piece in pieces where piece.type != type {
                    diagnostics.report(
                        .wrongType, "'\(field.name.value)' must be a literal or a whole reference of type '\(type.rawValue)'",
                        at: piece.span)
                }
            }
        }
    }

    /// Reports values of a setting that are not among those of the field that it fills.
    private func checkChoices(
        of reference: Piece, among field: FieldScope.Field, into diagnostics: inout DiagnosticCollector
    ) {
        guard let setting = reference.field, !field.choices.isEmpty else { return }
        let values = field.choices.map(\.value.value)
        guard let missing = setting.choices.first(where: { !values.contains($0.value.value) }) else { return }
        diagnostics.report(
            .wrongType,
            "'\(setting.name.value)' can be '\(missing.value.value)', which is not one of the values of '\(field.name.value)'",
            at: reference.span, notes: [Diagnostic.Note("declared here", at: missing.value.location)])
    }

    private func checkSecret(_ piece: Piece, into diagnostics: inout DiagnosticCollector) {
        guard piece.type == .secret else { return }
        guard let field = piece.field else { return }
        diagnostics.report(
            .exposedSecret, "'\(field.name.value)' is a secret and would be visible here", at: piece.span,
            notes: [Diagnostic.Note("declared here", at: field.name.location)])
    }

    private func checkOptional(_ piece: Piece, into diagnostics: inout DiagnosticCollector) {
        guard let field = piece.field, field.isOptional else { return }
        diagnostics.report(
            .optionalReference, "'\(field.name.value)' is optional, but a value is required here", at: piece.span,
            notes: [Diagnostic.Note("declared here", at: field.name.location)])
    }

    private func report(
        _ piece: Piece, needs type: FieldType, _ place: String, into diagnostics: inout DiagnosticCollector
    ) {
        guard let field = piece.field, let actual = piece.type else { return }
        diagnostics.report(
            .wrongType, "\(place) needs a field of type '\(type.rawValue)'; '\(field.name.value)' is a '\(actual.rawValue)'",
            at: piece.span, notes: [Diagnostic.Note("declared here", at: field.name.location)])
    }
}
