import CountersignSpec

/// What the page of a message code shows beside its rule: a landscape with the mistake, and the same without it.
///
/// A test reads both: the broken one has the code and no other error, the mended one no message at all.
struct MessageExample: Sendable {
    let code: DiagnosticCode
    /// The mistake in a few words, such as `unknown key`.
    let title: String
    /// The heading of the construct in "The spec language", such as `A challenge`; `nil` for rules of files.
    let section: String?
    /// Why the rule is there, and what to do: one to three sentences in Markdown.
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

    /// The mended files with texts replaced are the broken ones.
    init(
        _ code: DiagnosticCode, _ title: String, section: String? = nil, because reason: String, mended: ExampleSources,
        breaking changes: KeyValuePairs<String, String>
    ) {
        self.init(code, title, section: section, because: reason, broken: mended.changing(changes), mended: mended)
    }
}

extension MessageExample {
    /// The examples by the codes' order.
    static let all = files + shapes + names + references + parameters + challenges + steps + credentials + inheritance

    /// The example of a code; `nil` if there is none, which a test refuses.
    static func of(_ code: DiagnosticCode) -> MessageExample? { all.first { $0.code == code } }
}
