import CountersignSpec

/// The page of a method: an article of DocC in Markdown, and the pictures that it shows.
struct MethodPage {
    let landscape: ResolvedLandscape
    let method: Method
    /// The public types of the method's generated file, in its order.
    let types: [String]

    /// The properties that both kinds of methods share.
    struct Method {
        let name: String
        let title: String?
        let documentation: Documentation
        /// The file of the spec.
        let file: String
        /// The program that all ways to the credential share.
        let program: ResolvedProgram
        let ways: [Way]
        let errors: [ResolvedErrorType]
        let surface: ResolvedSurfaceMethod?
    }

    /// A way to obtain the credential, such as a grant.
    struct Way {
        /// `nil` if the method has only one way.
        let name: String?
        let documentation: Documentation?
        let program: ResolvedProgram
        let parameters: ResolvedParameters?
        /// The way that takes over after the first credential.
        let next: String?
    }

    /// Returns the name of the article, which other articles link to.
    static func reference(to method: String) -> String { "\(method)-method" }

    // MARK: Files

    /// Returns the article and its pictures, by paths in the catalog.
    func files() throws -> [GeneratedFile] {
        [GeneratedFile(name: "Methods/\(Self.reference(to: method.name)).md", text: MarkdownText.page(try article()))]
            + method.ways.map { way in
                GeneratedFile(
                    name: "Resources/\(picture(of: way)).svg",
                    text: SequenceFlow(way.program).svg(titled: alternative(of: way), marker: LandscapePages.marker(method.file)))
            }
    }

    /// Returns the code snippets of the ways, which a test compiles.
    func snippets() throws -> [(way: String?, snippet: MethodSnippet)] {
        try method.ways.map { way in
            guard let surface = method.surface else {
                return (way.name, try MethodSnippet(way.program, module: landscape.name.value))
            }
            let grant = surface.grants.first { $0.name.value == way.name }
            return (way.name, try MethodSnippet(surface, grant, in: landscape))
        }
    }

    private func picture(of way: Way) -> String {
        "\(landscape.name.value)-\(method.name)\(way.name.map { "-\($0)" } ?? "")-flow"
    }

    private func alternative(of way: Way) -> String {
        let flow = SequenceFlow(way.program)
        let messages = flow.messages.map { message in
            "\(message.from.rawValue) to \(message.to.rawValue): \(message.detail)\(message.isConditional ? ", under a condition" : "")"
        }
        return "Sequence diagram. \(messages.joined(separator: "; "))."
    }

    // MARK: Article

    private func article() throws -> [String] {
        var lines = [
            "# \(MarkdownText.line(method.title ?? method.name))", "", MarkdownText.line(method.documentation.summary), "",
            LandscapePages.marker(method.file), "", "## Overview", "",
        ]
        if let discussion = method.documentation.discussion { lines += MarkdownText.paragraphs(discussion) + [""] }
        lines += challenge
        lines += credential
        lines += try reading()
        for (way, snippet) in zip(method.ways, try snippets()) { lines += section(of: way, snippet.snippet) }
        lines += try renewal() + end + errors
        lines += ["## Topics", "", "### Types", ""] + types.map { "- ``\($0)``" }
        return lines
    }

    private var words: ProgramWords { ProgramWords(method.program, in: .markdown) }

    private var challenge: [String] {
        let program = method.program
        var lines = ["## The challenge", ""]
        if program.challenges.isEmpty {
            lines += [
                program.credential.isForApplication
                    ? "There is none: the application asks for the credential."
                    : "There is none: all requests carry the credential, from the first one on.", "",
            ]
        } else {
            lines += ["A response is a challenge if it has:", ""] + words.challenges.map { "- `\($0.name)`: \($0.words)" } + [""]
        }
        if !program.announcements.isEmpty {
            let names = program.announcements.map { MarkdownText.code(words.text($0.name)) }
            lines += ["All requests of the session announce what the client can do, in \(names.joined(separator: ", ")).", ""]
        }
        for challenge in program.challenges {
            guard let example = challenge.example else { continue }
            lines += ["For example `\(challenge.name.value)`:", ""]
            let text = example.text.value.split(separator: "\n", omittingEmptySubsequences: false)
            lines += Self.block("http", text.flatMap { RequestText.folded(String($0)) })
        }
        return lines
    }

    private var credential: [String] {
        let program = method.program
        var lines = ["## The credential", ""] + words.credential.map { "- \(MarkdownText.line($0).capitalisedFirst)" } + [""]
        if !program.rejections.isEmpty {
            lines += ["If a server refuses it:", ""] + words.rejections.map { "- \($0.capitalisedFirst)." } + [""]
        }
        return lines
    }

    private func reading() throws -> [String] {
        guard method.surface == nil, let credential = try CredentialPlan(method.program) else { return [] }
        return [
            MarkdownText.line(
                "The observer's \(MarkdownText.code(credential.reading)) returns the current credential, without a request, as")
                + " ``\(credential.type.source)``.", "",
        ]
    }

    private func section(of way: Way, _ snippet: MethodSnippet) -> [String] {
        var lines: [String] = []
        let prefix = way.name == nil ? "##" : "###"
        if let name = way.name {
            lines += ["## The way \(MarkdownText.line(name))", ""]
            if let documentation = way.documentation {
                lines += [MarkdownText.line(documentation.summary), ""]
                if let discussion = documentation.discussion { lines += MarkdownText.paragraphs(discussion) + [""] }
            }
            if let next = way.next { lines += ["After the first credential, the way \(MarkdownText.code(next)) takes over.", ""] }
        }
        lines += [
            "\(prefix) The flow\(way.suffix)", "", "![\(MarkdownText.line(alternative(of: way)).bracketless)](\(picture(of: way)))",
            "",
        ]
        if SequenceFlow(way.program).hasConditions {
            lines += ["Messages in brackets are sent only if the conditions of their steps hold.", ""]
        }
        if !way.program.acquire.isEmpty {
            let words = ProgramWords(way.program, in: .markdown)
            lines +=
                ["\(prefix) The steps to a credential\(way.suffix)", ""]
                + Self.list(words.steps(way.program.acquire), way.program.slots) + [""]
        }
        lines += parameters(of: way, prefix) + secrets(of: way, prefix)
        lines += ["\(prefix) In an application\(way.suffix)", ""] + omission(of: way, snippet) + Self.block("swift", snippet.lines)
        return lines
    }

    /// Returns the sentence about optional parameters that the code does not set, if there are any.
    private func omission(of way: Way, _ snippet: MethodSnippet) -> [String] {
        let shown = Set(snippet.inputs.map(\.name))
        let omitted = (way.parameters?.fields ?? []).filter {
            ($0.isOptional || $0.defaultText != nil) && !shown.contains($0.name.value)
        }
        guard !omitted.isEmpty else { return [] }
        return [
            "The code leaves out the optional parameters. The table of the parameters above lists them, and what applies without each.",
            "",
        ]
    }

    private func parameters(of way: Way, _ prefix: String) -> [String] {
        guard let parameters = way.parameters, !parameters.fields.isEmpty else { return [] }
        return ["\(prefix) The parameters\(way.suffix)", ""] + ParameterTable(parameters).lines + [""]
    }

    /// The servers to which each secret can go, as a table.
    private func secrets(of way: Way, _ prefix: String) -> [String] {
        let secrets = SecretWords(way.program, in: .markdown).secrets
        guard !secrets.isEmpty else { return [] }
        var lines = ["\(prefix) Where secrets can go\(way.suffix)", "", "| Secret | Servers | In |", "|---|---|---|"]
        for secret in secrets {
            if secret.groups.isEmpty { lines.append("| \(secret.name) | none | It never leaves the process. |") }
            for group in secret.groups {
                let parts = group.parts.joined(separator: "; ")
                let text = group.form.map { "only \($0), in \(parts)" } ?? parts
                lines.append("| \(secret.name) | \(MarkdownText.cell(group.servers)) | \(MarkdownText.cell(text)) |")
            }
        }
        return lines + [""]
    }

    private func renewal() throws -> [String] {
        var lines: [String] = []
        for way in method.ways {
            guard let renewal = way.program.renewal else { continue }
            let words = ProgramWords(way.program, in: .markdown)
            lines += ["## Renewal\(way.suffix)", ""]
            lines += ["These steps renew the credential before it expires, and after a server has refused it:", ""]
            lines += Self.list(words.steps(renewal.steps), way.program.slots) + [""]
            guard method.surface == nil, let adoption = try AdoptionPlan(way.program) else { continue }
            lines += [
                MarkdownText.line(
                    "An application that has such a credential from elsewhere, such as another library, passes it to the observer's \(MarkdownText.code(adoption.name))."
                ), "",
            ]
        }
        return lines
    }

    private var end: [String] {
        var lines: [String] = []
        for way in method.ways where !way.program.end.isEmpty {
            let words = ProgramWords(way.program, in: .markdown)
            lines += ["## The end\(way.suffix)", "", "When the session ends, these steps end it at the servers:", ""]
            lines += Self.list(words.steps(way.program.end), way.program.slots) + [""]
        }
        return lines
    }

    private var errors: [String] {
        var lines = ["## The errors", ""]
        for type in method.errors {
            lines += [
                "``\(type.name.value)``, with what to do about each:", "", "| Case | Meaning | What to do |", "|---|---|---|",
            ]
            lines += type.cases.map { errorCase in
                let meaning = [errorCase.documentation.summary, errorCase.reason].compactMap(\.self).joined(separator: " ")
                return
                    "| `\(errorCase.name.value)` | \(MarkdownText.cell(meaning)) | \(MarkdownText.cell(errorCase.recovery ?? "")) |"
            }
            lines.append("")
        }
        let rows = RuntimeErrors.rows(of: method.ways.map(\.program))
        guard !rows.isEmpty else { return method.errors.isEmpty ? [] : lines }
        lines += [
            "Errors of the runtime, `CountersignError` by its `code`:", "", "| Code | Meaning | What to do |", "|---|---|---|",
        ]
        lines += rows.map { "| `\($0.code)` | \(MarkdownText.cell($0.meaning)) | \(MarkdownText.cell($0.remedy ?? "")) |" }
        return lines + [""]
    }

    // MARK: Markdown

    static func block(_ language: String, _ lines: [String]) -> [String] { ["```\(language)"] + lines + ["```", ""] }

    /// Returns numbered steps, each with its request.
    static func list(_ steps: [ProgramWords.Step], _ slots: [ResolvedProgram.Slot], indentation: String = "") -> [String] {
        steps.flatMap { step -> [String] in
            var lines = ["\(indentation)\(step.number). \(step.words)"]
            if let request = RequestText(step.step, slots: slots) {
                lines += [""] + block("http", request.lines).map { $0.isEmpty ? "" : "\(indentation)   \($0)" }
            }
            if !step.inner.isEmpty { lines += list(step.inner, slots, indentation: indentation + "   ") }
            return lines
        }
    }
}

extension MethodPage.Way {
    /// The end of a heading, which makes the headings of several ways unique.
    fileprivate var suffix: String { name.map { ": \($0)" } ?? "" }
}

extension String {
    fileprivate var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }

    /// The text without brackets, which would end the alternative text of a picture.
    fileprivate var bracketless: String { filter { $0 != "[" && $0 != "]" } }
}
