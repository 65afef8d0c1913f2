package import CountersignSpec

/// The description of a method in words, for `countersign explain` and for the pages of the documentation.
///
/// It is made from the model that the runtime executes, so it describes what the client does.
package struct ProgramWords {
    /// The output format of the words.
    package enum Style: Sendable {
        case terminal, markdown
    }

    private let program: ResolvedProgram
    private let style: Style

    package init(_ program: ResolvedProgram, in style: Style) {
        self.program = program
        self.style = style
    }

    /// A step, and the steps that it repeats.
    package struct Step: Sendable {
        /// The step's number among its siblings, from 1.
        package let number: Int
        package let words: String
        package let step: ResolvedProgram.Step
        package let inner: [Step]
    }

    // MARK: Texts

    /// Returns a name, or a piece of a message, as code.
    private func code(_ text: String) -> String {
        style == .terminal ? "'\(text)'" : MarkdownText.code(text)
    }

    /// Returns a text as code in Markdown. In a terminal it is not quoted.
    private func plain(_ text: String) -> String { style == .terminal ? text : MarkdownText.code(text) }

    /// Returns the name of a value, or the reference to it if several values have the name.
    private func name(_ slot: Int) -> String {
        let value = program.slots[slot]
        let namesakes = program.slots.filter { $0.name.value == value.name.value }
        guard namesakes.count > 1 else { return code(value.name.value) }
        return switch value.source {
        case .challenge: code("challenge.\(value.name.value)")
        case .credential: code("credential.\(value.name.value)")
        case .parameter, .step: code(value.name.value)
        }
    }

    /// Returns a template as it is written in a spec.
    package func text(_ template: ResolvedProgram.Template) -> String { template.text(program.slots) }

    // MARK: Challenges

    /// Each challenge by its name: `status 401, the scheme Bearer; it has realm`.
    package var challenges: [(name: String, words: String)] {
        program.challenges.map { ($0.name.value, words(of: $0)) }
    }

    /// Returns the words for the pattern of a response, in a challenge or in an answer.
    package func words(of challenge: ResolvedProgram.Challenge) -> String {
        var parts: [String] = []
        if challenge.isRefusedConnection { parts.append("a TLS handshake that fails because a client certificate is missing") }
        if !challenge.statuses.isEmpty { parts.append("status \(challenge.statuses.map(String.init).joined(separator: " or "))") }
        parts += challenge.headers.map { words(of: $0, named: plain, as: "field") }
        parts += challenge.schemes.map { scheme in
            let parameters = scheme.parameters.map { words(of: $0, named: plain) }
            return "the scheme \(plain(scheme.name))"
                + (parameters.isEmpty ? "" : " with \(parameters.joined(separator: " and "))")
        }
        if let text = challenge.text { parts.append("a body\(words(of: text))") }
        parts += (challenge.json + challenge.xml).map { "in its body \(words(of: $0, named: code))" }
        if let cookies = challenge.cookies {
            let (required, absent) = (cookies.filter { $0.match != .absent }, cookies.filter { $0.match == .absent })
            if cookies.isEmpty { parts.append("a cookie") }
            if !required.isEmpty { parts.append("the cookie \(required.map { plain(text($0.name)) }.joined(separator: ", "))") }
            parts += absent.map { "no cookie \(plain(text($0.name)))" }
        }
        parts += challenge.query.map { "in its query \(words(of: $0, named: code))" }
        let captures = challenge.captures.map { plain(program.slots[$0.slot].name.value) }
        let captured = captures.isEmpty ? "" : "; it has \(captures.joined(separator: ", "))"
        return (parts.isEmpty ? "any response" : parts.joined(separator: ", ")) + captured
    }

    /// Returns the words for a condition, such as `the field X-Login that is 'a'` or `no field X-Login`.
    ///
    /// - Parameters:
    ///   - mark: Marks the name as code.
    ///   - noun: The kind of the value, before its name; empty for none.
    private func words(
        of condition: ResolvedProgram.Condition, named mark: (String) -> String, as noun: String = ""
    ) -> String {
        let name = (noun.isEmpty ? "" : "\(noun) ") + mark(text(condition.name))
        guard condition.match != .absent else { return "no \(name)" }
        return (noun.isEmpty ? "" : "the ") + name + words(of: condition.match)
    }

    private func words(of match: ResolvedProgram.Condition.Match) -> String {
        switch match {
        case .present, .absent: ""
        case .equals(let template): " that is \(code(text(template)))"
        case .prefix(let template): " that begins with \(code(text(template)))"
        case .contains(let template): " with \(code(text(template))) in it"
        case .anyCase(let template): " that is \(code(text(template))), in capital or small letters"
        }
    }

    // MARK: Credential

    /// The fields of the credential, its lifetime and its servers.
    package var credential: [String] {
        let credential = program.credential
        var lines = credential.fields.map { "\(plain(program.slots[$0.slot].name.value)): \($0.summary)" }
        if credential.cookies != nil { lines.append("cookies, in a separate jar") }
        if credential.isSessionCookies { lines.append("cookies, in the session's jar") }
        if credential.token != nil { lines.append("a token of OAuth 2.0") }
        lines += program.attach.map { placement in
            let methods = placement.methods.joined(separator: ", ")
            return "in \(methods.isEmpty ? "" : "\(methods) ")requests: \(words(of: placement))"
        }
        for update in program.updates {
            let source =
                switch update.source {
                case .headers(let names): names.map(plain).joined(separator: " or ")
                case .cookie(let name): "the cookie \(plain(name))"
                }
            lines.append("\(plain(program.slots[update.slot].name.value)) is replaced by \(source) of a response")
        }
        if let slot = credential.lifetime { lines.append("valid for the time in \(name(slot))") }
        if let lifetime = credential.fixedLifetime { lines.append("valid for \(words(of: .milliseconds(lifetime)))") }
        let servers =
            credential.destinations.map { plain("{\(program.slots[$0].name.value)}") }
            + (credential.isForRequested ? ["the first server that receives a request"] : [])
            + credential.recipients.map { "the server of \(plain("{credential.\(program.slots[$0].name.value)}"))" }
        if credential.space == .request { lines.append("for the challenged request alone") }
        if !servers.isEmpty { lines.append("for \(servers.joined(separator: ", "))") }
        return lines
    }

    private func words(of placement: ResolvedProgram.Placement) -> String {
        switch placement {
        case .header(let name, let value, _): plain("\(text(name)): \(text(value))")
        case .query(let name, let value, _): "in the URL's query, \(plain("\(text(name))=\(text(value))"))"
        case .json(let name, let value):
            "in the body's JSON, \(plain("\(text(name)): \(RequestText.lines(of: value, program.slots).joined(separator: " "))"))"
        case .form(let name, let value): "in the body's form, \(plain("\(text(name))=\(text(value))"))"
        case .basic: "Authorization, by the Basic scheme (RFC 7617)"
        case .digest: "Authorization, by the Digest scheme (RFC 7616)"
        case .signature: "a signature by AWS Signature Version 4"
        case .messageSignature(let signature):
            "an HTTP Message Signature (RFC 9421) of \(signature.components.map(plain).joined(separator: ", "))"
        case .connection: "the certificate of their connections"
        case .negotiate: "Authorization, by the Negotiate scheme (RFC 4559), with the user's tickets"
        case .proof: "DPoP, a proof of the key that the token is bound to (RFC 9449)"
        case .computed(_, let headers, let query):
            "computed for each request: \((headers.map { plain(text($0.name)) } + query.map { plain("?\(text($0.name))=…") }).joined(separator: ", "))"
        }
    }

    // MARK: Steps

    package func steps(_ steps: [ResolvedProgram.Step]) -> [Step] {
        steps.enumerated().map { index, step in
            var inner: [ResolvedProgram.Step] = []
            if case .repeat(let repetition) = step.action { inner = repetition.steps }
            let conditions = conditions(step.conditions)
            return Step(
                number: index + 1,
                words: (conditions.isEmpty ? "" : "If \(conditions): ") + words(of: step.action),
                step: step, inner: self.steps(inner))
        }
    }

    private func conditions(_ requirements: [ResolvedProgram.Requirement]) -> String {
        requirements.map { "\(name($0.slot)) is \($0.isPresent ? "present" : "absent")" }.joined(separator: " and ")
    }

    private func words(of action: ResolvedProgram.Step.Action) -> String {
        switch action {
        case .prompt(let fields): return "Ask the application for \(fields.map { name($0.slot) }.joined(separator: ", "))."
        case .ask(_, let server, _, _): return "Ask the user for the fields in \(name(server))."
        case .repeat(let repetition):
            let held = conditions(repetition.conditions)
            guard let interval = repetition.interval else { return "As long as \(held), \(repetition.limit) times at most:" }
            let end = repetition.timeout.map { ", for \(words(of: $0)) at most" } ?? ""
            return "As long as \(held), every \(words(of: interval))\(end):"
        case .present(let page):
            let pushed = page.push.map { "; its query is pushed to \(plain(text($0.url))) before (RFC 9126)" } ?? ""
            return "Show the user \(plain(text(page.url)))\(end(of: page))\(pushed).\(form(of: page))"
        case .http(let call):
            let captured = Set(call.answers.flatMap(\.pattern.captures).map(\.slot)).sorted().map(name)
            let through = call.usesSession ? " through the session" : ""
            let answer = captured.isEmpty ? "" : "; the answer has \(captured.joined(separator: ", "))"
            return "\(plain("\(call.method.rawValue) \(text(call.url))"))\(through)\(answer)."
        case .document(let document):
            let places = document.places.map { place in
                (place.wellKnown.map { plain("/.well-known/\($0)") + " of " } ?? "") + plain(text(place.url))
            }
            return "GET \(places.joined(separator: ", or ")), unless a recent copy is cached."
        case .verify(let verification):
            let claims = verification.claims.map { code(text($0.name)) }
            let compared = claims.isEmpty ? "" : ", and its \(claims.joined(separator: ", "))"
            return "Check the signature of \(name(verification.token))\(compared)."
        case .token(let call):
            return "\(plain("POST \(text(call.url))")); the answer is a token (RFC 6749, section 5.1)."
        case .compute(let slot, .random): return "Generate a random \(name(slot))."
        case .compute(let slot, .signingKey): return "Generate the private key \(name(slot))."
        case .compute(let slot, .derive): return "Derive the key \(name(slot)) by PBKDF2 (RFC 8018, section 5.2)."
        case .compute(let slot, .part(let whole, _, _)): return "Take \(name(slot)) from \(plain(text(whole)))."
        case .compute(let slot, .token): return "Sign the token \(name(slot))."
        case .compute(let slot, _): return "Compute \(name(slot))."
        }
    }

    private func form(of page: ResolvedProgram.Page) -> String {
        guard !page.form.isEmpty else { return "" }
        let names = page.form.map { code(text($0.name)) }.joined(separator: ", ")
        return " If there is \(names), the browser posts a form, unless the presenter can only open URLs."
    }

    private func end(of page: ResolvedProgram.Page) -> String {
        switch page.end {
        case .redirect(let slot, _, _): " until it leads to \(name(slot))"
        case .at(let end, _): " until it leads to \(plain(text(end)))"
        case .userCode(let code):
            (code.text.map { " and the code \(plain(text($0)))," } ?? "") + " while these steps run"
        }
    }

    private func words(of time: ResolvedProgram.Time) -> String {
        switch time {
        case .milliseconds(let count): "\(Double(count) / 1000) seconds".replacing(".0 ", with: " ")
        case .slot(let slot): name(slot)
        }
    }

    // MARK: Rejections

    /// The actions after a server has refused a credential.
    package var rejections: [String] {
        let only = program.rejections.count == 1
        let failure = "that is an error, and the credential stays valid for other requests"
        return program.rejections.map { rule in
            let challenge = rule.challenge.map { "with \(code($0)): " } ?? (only ? "" : "else: ")
            let actions = rule.actions.map { action in
                switch action {
                case .resend: "the values of the challenge go into the next request"
                case .renew: "the credential is renewed"
                case .acquire: "the steps to a credential run again"
                }
            }
            let retries =
                rule.retries == 0
                ? "; if the new credential is refused, that is an error"
                : "; after \(rule.retries) \(rule.retries == 1 ? "retry" : "retries") with refused credentials, that is an error"
            return "\(challenge)\(actions.isEmpty ? failure : actions.joined(separator: ", or ") + retries)"
        }
    }
}

extension ResolvedProgram.Template {
    /// Returns the template as it is written in a spec.
    package func text(_ slots: [ResolvedProgram.Slot]) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .slot(let slot):
                // A URL that consists of several values is shown with all of them.
                slots[slot].filling?.template.flatMap { $0.pieces.count > 1 ? $0.text : nil } ?? "{\(slots[slot].name.value)}"
            case .requestOrigin: "{request.url.origin}"
            case .request(let part): "{request.\(part.rawValue)}"
            case .computed: "{…}"
            }
        }.joined()
    }
}

extension ResolvedProgram {
    /// The challenges as paragraphs of a documentation comment, with an empty line at the end; empty for a method without
    /// challenges.
    var challengeList: String {
        let challenges = ProgramWords(self, in: .markdown).challenges.map { "- `\($0.name)`: \($0.words)" }
        return challenges.isEmpty ? "" : "A response is a challenge if it has:\n\n\(challenges.joined(separator: "\n"))\n\n"
    }
}
