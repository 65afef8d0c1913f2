import CountersignSpec

/// The example on the page of a message code: a landscape with the mistake, and the same landscape without it.
///
/// A test reads both. The incorrect landscape must have the code and no other error, and the corrected one no message.
struct MessageExample: Sendable {
    let code: DiagnosticCode
    /// The mistake in a few words, such as `unknown key`.
    let title: String
    /// The heading of the construct in "The spec language", such as `A challenge`; `nil` for rules of files.
    let section: String?
    /// The reason for the rule, and what to do: one to three sentences in Markdown.
    let reason: String
    let broken: ExampleSources
    let mended: ExampleSources

    init(
        _ code: DiagnosticCode, _ title: String, section: String? = nil, because reason: String, broken: ExampleSources,
        mended: ExampleSources
    ) {
        self.code = code
        self.title = title
        self.section = section
        self.reason = reason
        self.broken = broken
        self.mended = mended
    }

    /// Creates an example whose incorrect files are the corrected ones with texts replaced.
    init(
        _ code: DiagnosticCode, _ title: String, section: String? = nil, because reason: String, mended: ExampleSources,
        breaking changes: KeyValuePairs<String, String>
    ) {
        self.init(code, title, section: section, because: reason, broken: mended.changing(changes), mended: mended)
    }
}

extension MessageExample {
    /// The examples in the order of the codes.
    static let all = files + shapes + names + references + parameters + challenges + steps + credentials + inheritance

    /// Returns the example of a code; `nil` if there is none. A test ensures that each code has one.
    static func of(_ code: DiagnosticCode) -> MessageExample? { all.first { $0.code == code } }
}
