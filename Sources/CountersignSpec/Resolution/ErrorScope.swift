/// The error cases that steps can name.
struct ErrorScope: Sendable {
    /// The values that the place that names a case provides for it.
    enum Use: Sendable {
        case nothing
        /// The presenter's error.
        case error
        /// A text about an invalid argument.
        case detail
        /// Some of these values, each at most once.
        case some(of: [ResolvedErrorCase.CarriedType])
    }

    /// A declared case, as far as it could be read.
    struct Case: Sendable {
        let name: Located<String>
        /// The associated values; `nil` if a type is unknown, which has been reported.
        let carries: [(label: Located<String>, type: ResolvedErrorCase.CarriedType)]?
    }

    let typeName: String
    let cases: [Case]

    /// Reports a name that is not that of a case, or that of a case with other associated values.
    func check(_ name: Located<String>, at span: SourceSpan, for use: Use, into diagnostics: inout DiagnosticCollector) {
        guard let errorCase = checkName(name, at: span, into: &diagnostics) else { return }
        guard let carries = errorCase.carries, !fits(carries, use) else { return }
        let expectation =
            switch use {
            case .nothing, .some(of: []): "must carry nothing"
            case .error: "must carry one 'error'"
            case .detail: "must carry 'detail: string'"
            case .some(let types): "can only carry \(types.map { "'\($0.rawValue)'" }.joined(separator: ", ")), each once"
            }
        diagnostics.report(
            .wrongCarriedValues, "the case '\(name.value)' does not fit here: it \(expectation)", at: span,
            notes: [Diagnostic.Note("declared here", at: errorCase.name.location)])
    }

    /// Reports a name that is not that of a case.
    @discardableResult
    func checkName(_ name: Located<String>, at span: SourceSpan, into diagnostics: inout DiagnosticCollector) -> Case? {
        if let errorCase = cases.first(where: { $0.name.value == name.value }) { return errorCase }
        diagnostics.report(
            .unknownErrorCase, "'\(typeName)' has no case '\(name.value)'", at: span,
            meaning: name.value, among: cases.map(\.name.value))
        return nil
    }

    private func fits(_ carries: [(label: Located<String>, type: ResolvedErrorCase.CarriedType)], _ use: Use) -> Bool {
        switch use {
        case .nothing: carries.isEmpty
        case .error: carries.count == 1 && carries[0].type == .error
        case .detail: carries.count == 1 && carries[0].type == .string && carries[0].label.value == "detail"
        case .some(let types):
            Set(carries.map(\.type)).count == carries.count && carries.allSatisfy { types.contains($0.type) }
        }
    }

    private func complaint(_ word: String, _ words: [String], of step: String) -> String {
        words.isEmpty
            ? "failures of this '\(step)' have no cases of their own; remove '\(word)'"
            : "'\(word)' is not a failure of this '\(step)'; supported: \(words.map { "'\($0)'" }.joined(separator: ", "))"
    }

    /// Returns the cases that a mapping names for failures.
    ///
    /// - Parameters:
    ///   - words: The words that are valid here, with their failures.
    ///   - step: The key of the step that can fail.
    ///   - isKnown: Whether the language has a word in such a mapping of any step.
    ///   - use: Returns the values that a case can carry.
    func cases<Failure>(
        named node: DocumentNode?, words: [(word: String, failure: Failure)], of step: String,
        isKnown: (String) -> Bool = SpecLanguage.isStepFailure, into diagnostics: inout DiagnosticCollector, _ use: (Failure) -> Use
    ) -> [(failure: Failure, errorCase: Located<String>)] {
        (node?.entries ?? []).compactMap { entry in
            guard let known = words.first(where: { $0.word == entry.key.value }) else {
                // A word that the language does not have has been reported by the shape check.
                if isKnown(entry.key.value) {
                    diagnostics.report(
                        .misplacedKey, complaint(entry.key.value, words.map(\.word), of: step), at: entry.keySpan)
                }
                return nil
            }
            guard let name = entry.value.text else { return nil }
            check(name, at: entry.value.span, for: use(known.failure), into: &diagnostics)
            return (known.failure, name)
        }
    }
}
