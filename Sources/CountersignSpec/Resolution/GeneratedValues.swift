/// The values that steps have generated.
struct GeneratedValues {
    /// The kind of a generated value, by its word in the language.
    enum Kind: String, CaseIterable {
        case random, pkce
        case signingKey = "p256-key"

        var type: ProgramType { self == .random ? .string : .secret }

        var function: ResolvedProgram.Function { self == .signingKey ? .signingKey : .random }
    }

    private var kinds: [Int: (kind: Kind, name: Located<String>)] = [:]

    /// Records a generated value.
    mutating func note(_ slot: Int, _ kind: Kind, _ name: Located<String>) { kinds[slot] = (kind, name) }

    /// Returns the kind of a slot's value; `nil` if it was not generated.
    func kind(of slot: Int) -> Kind? { kinds[slot]?.kind }

    /// Reports a code verifier whose hash is in a login page but which no request sends, and the reverse.
    func checkProofKeys(in steps: [ResolvedProgram.Step], into diagnostics: inout DiagnosticCollector) {
        let steps = steps.flatMap(\.all)
        let pages = steps.compactMap { step in
            if case .present(let page) = step.action { page } else { nil }
        }
        let shown = Set(pages.compactMap(\.verifier).flatMap(\.slots))
        let sent = Set((steps.compactMap(\.call).flatMap(\.templates) + steps.flatMap(\.tokenTemplates)).flatMap(\.slots))
        for (slot, value) in kinds.sorted(by: { $0.key < $1.key }) where value.kind == .pkce {
            let name = value.name.value
            if shown.contains(slot), !sent.contains(slot) {
                diagnostics.report(
                    .proofKeyMethod,
                    "a login page sends the hash of '\(name)', but no request sends '\(name)' itself; write 'code_verifier: \"{\(name)}\"' in the form of the token request",
                    at: value.name.span)
            } else if sent.contains(slot), !shown.contains(slot) {
                diagnostics.report(
                    .proofKeyMethod,
                    "a request sends '\(name)', but no login page sends its hash; write 'pkce: \"{\(name)}\"' beside the page's 'query'",
                    at: value.name.span)
            }
        }
    }
}
