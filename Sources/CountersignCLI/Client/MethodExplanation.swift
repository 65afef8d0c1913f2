import CountersignDynamic
import CountersignGenerator
import CountersignSpec

/// The description of a method for a terminal.
struct MethodExplanation {
    private let method: DynamicMethod
    private let program: ResolvedProgram
    private let fields: [ResolvedField]
    private let landscape: DynamicLandscape
    private let words: ProgramWords

    init(_ method: DynamicMethod, _ variant: DynamicMethod.Variant, of landscape: DynamicLandscape) {
        self.method = method
        self.landscape = landscape
        program = variant.resolved
        fields = variant.fields
        words = ProgramWords(variant.resolved, in: .terminal)
    }

    /// Returns the whole text, in 80 columns.
    func lines() -> [String] {
        var lines = ["\(landscape.name).\(method.name): \(method.resolved.documentation.summary)"]
        if method.variants.count > 1 {
            lines.append(
                "Variant: \(program.grant ?? ""), one of \(method.variants.compactMap(\.name).joined(separator: ", ")).")
        }
        lines += ["", "Values"] + fields.map { "  \($0.name.value): \($0.documentation.summary)\(Self.need(of: $0))" }
        if fields.isEmpty { lines.append("  none") }
        lines += program.announcements.isEmpty ? [] : ["", "Announced in each request"] + announcements
        lines += ["", "Answers"] + challenges
        lines += ["", "Credential"] + words.credential.map { "  \($0)" }
        lines += section("Steps to obtain it", program.acquire) + section("Renewal", program.renewal?.steps ?? [])
        if !program.rejections.isEmpty { lines += ["", "If the server refuses it"] + words.rejections.map { "  \($0)" } }
        lines += section("End", program.end) + secrets
        let flow = SequenceFlow(program)
        lines += ["", flow.hasConditions ? "A request ('?': only if the conditions above hold)" : "A request"]
        lines += SequenceDrawing(flow).lines()
        return lines.flatMap { LineBreaking.lines($0.replacing("\n", with: " "), width: 80) }
    }

    private static func need(of field: ResolvedField) -> String {
        if field.isOptional { return " It may be left out." }
        return field.defaultText.map { " Without it: '\($0.value)'." } ?? ""
    }

    private var announcements: [String] {
        ["  the client's capabilities, in \(program.announcements.map { words.text($0.name) }.joined(separator: ", "))"]
    }

    private var challenges: [String] {
        guard !program.challenges.isEmpty else {
            return [
                "  no challenge: \(method.kind == .enrolment ? "the application requests it" : "all requests carry the credential")"
            ]
        }
        return words.challenges.map { "  \($0.name): \($0.words)" }
    }

    /// The servers to which each secret can go.
    private var secrets: [String] {
        let secrets = SecretWords(program, in: .terminal).secrets
        guard !secrets.isEmpty else { return ["", "Where secrets can go", "  the method has none"] }
        var lines = ["", "Where secrets can go"]
        for secret in secrets {
            lines.append("  \(secret.name)\(secret.stays ? ": never leaves this process" : "")")
            for group in secret.groups {
                let form = group.form.map { "only \($0), " } ?? ""
                lines.append("    \(form)to \(group.servers): \(group.parts.joined(separator: "; "))")
            }
        }
        return lines
    }

    private func section(_ title: String, _ steps: [ResolvedProgram.Step]) -> [String] {
        guard !steps.isEmpty else { return [] }
        return ["", title] + words.steps(steps).flatMap { Self.lines(of: $0, number: "\($0.number)", indentation: "  ") }
    }

    private static func lines(of step: ProgramWords.Step, number: String, indentation: String) -> [String] {
        ["\(indentation)\(number). \(step.words)"]
            + step.inner.flatMap { lines(of: $0, number: "\(number).\($0.number)", indentation: indentation + "  ") }
    }
}

extension MethodExplanation {
    /// The explanation as JSON.
    struct Report: Encodable {
        struct Secret: Encodable {
            let name: String
            /// The kind of value: `parameter`, `challenge`, `credential` or `step`.
            let source: String
            /// The other values that contain the secret.
            let copies: [String]
            /// Whether a request has the secret itself.
            let leaves: Bool
            let places: [Place]
        }

        /// A part of a request with the secret, or with something that is computed from it.
        struct Place: Encodable {
            let form, part: String
            let name: String?
            let request: String
            let servers, steps: [String]
        }

        /// The version of the JSON format.
        let version = 1
        let landscape, method: String
        let variant: String?
        let summary: String
        let secrets: [Secret]

        private enum CodingKeys: CodingKey { case version, landscape, method, variant, summary, secrets }
    }

    /// Returns the explanation as JSON.
    func json() throws -> String {
        let words = SecretWords(program, in: .terminal)
        let secrets = words.destinations.secrets.map { secret in
            Report.Secret(
                name: secret.name, source: secret.source.rawValue, copies: secret.copies, leaves: secret.leaves,
                places: secret.places.map { place in
                    Report.Place(
                        form: place.form.rawValue, part: place.part.kind.rawValue, name: words.name(of: place.part),
                        request: words.words(of: place.request), servers: words.servers(of: place),
                        steps: place.steps.map { words.words(of: $0) })
                })
        }
        return try JSONText.of(
            Report(
                landscape: landscape.name, method: method.name, variant: program.grant,
                summary: method.resolved.documentation.summary, secrets: secrets))
    }
}

/// Breaks long lines at spaces, and indents the continuation lines by two more columns. Shorter lines, such as drawings, are
/// unchanged.
enum LineBreaking {
    static func lines(_ line: String, width: Int) -> [String] {
        guard line.count > width else { return [line] }
        let indentation = String(line.prefix { $0 == " " })
        var lines: [String] = []
        var current = indentation
        var isEmpty = true
        for word in line.split(separator: " ") {
            if !isEmpty, current.count + 1 + word.count > width {
                lines.append(current)
                current = indentation + "  "
                isEmpty = true
            }
            current += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return lines + [current]
    }
}
