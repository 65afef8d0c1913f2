extension FieldType {
    /// Reports a text that is not a value of this type.
    func check(_ text: String, at span: SourceSpan, allowsHTTP: Bool, into diagnostics: inout DiagnosticCollector) {
        let isValid: Bool
        switch self {
        // The elements of `origins` are URLs.
        case .url, .origins:
            return URLText.check(
                text, at: span, allowsHTTP: allowsHTTP, allowsPrivateUse: self == .url, into: &diagnostics)
        // `ChoiceReader` checks a choice, since its values belong to the field.
        case .string, .secret, .texts, .choice: isValid = true
        case .header: isValid = text.isToken
        case .boolean: isValid = TextForm.boolean.accepts(text)
        case .scopes: isValid = text.isScopeList
        case .requestHandler: isValid = false
        }
        guard !isValid else { return }
        diagnostics.report(.invalidValue, "'\(text.firstLine)' is not \(expectation)", at: span)
    }

    private var expectation: String {
        switch self {
        case .url, .origins: "a URL"
        case .string, .secret, .choice: "a text"
        case .texts: "a list of texts with commas between them"
        case .header: "the name of a header field, which is \(TextForm.token.expectation)"
        case .boolean: TextForm.boolean.expectation
        case .scopes: "a list of scopes with single spaces between them"
        case .requestHandler: "a value: only the application can provide a function"
        }
    }
}

extension String {
    /// Whether the text is empty or a list of scopes (RFC 6749, section 3.3).
    var isScopeList: Bool {
        isEmpty
            || split(separator: " ", omittingEmptySubsequences: false).allSatisfy { scope in
                !scope.isEmpty && scope.unicodeScalars.allSatisfy { (0x21...0x7E).contains($0.value) && $0 != "\"" && $0 != "\\" }
            }
    }

    /// The length of a duration as a spec writes it: a whole number and `ms`, `s`, `m` or `h`.
    package var milliseconds: Int? {
        let digits = prefix { $0.isASCII && $0.isNumber }
        guard let number = String(digits).strictInteger, let unit = String(dropFirst(digits.count)).unitInMilliseconds else {
            return nil
        }
        let (milliseconds, hasOverflown) = number.multipliedReportingOverflow(by: unit)
        return hasOverflown ? nil : milliseconds
    }

    /// The length of a unit of durations: `ms`, `s`, `m` or `h`.
    var unitInMilliseconds: Int? { ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000][self] }

    /// The duration as a number of units, as servers write it: `60`, `0.25`.
    ///
    /// - Parameter unit: The length of the unit in milliseconds.
    func duration(in unit: Int) -> String? {
        guard let milliseconds else { return nil }
        return milliseconds.isMultiple(of: unit) ? String(milliseconds / unit) : String(Double(milliseconds) / Double(unit))
    }
}
