import CountersignDynamic
import CountersignSpec

/// What a method does, for a user to read: from the same model that is executed.
struct MethodExplanation {
    private let method: DynamicMethod
    private let program: ResolvedProgram
    private let fields: [ResolvedField]
    private let landscape: DynamicLandscape

    init(_ method: DynamicMethod, _ variant: DynamicMethod.Variant, of landscape: DynamicLandscape) {
        self.method = method
        self.landscape = landscape
        program = variant.resolved
        fields = variant.fields
    }

    /// The whole text, in 80 columns.
    func lines() -> [String] {
        var lines = ["\(landscape.name).\(method.name): \(method.resolved.documentation.summary)"]
        if method.variants.count > 1 {
            lines.append(
                "One of its ways: \(program.grant ?? ""), of \(method.variants.compactMap(\.name).joined(separator: ", ")).")
        }
        lines += ["", "Values"] + fields.map { "  \($0.name.value): \($0.documentation.summary)\(Self.need(of: $0))" }
        if fields.isEmpty { lines.append("  none") }
        lines += program.announcements.isEmpty ? [] : ["", "Says in each request"] + announcements
        lines += ["", "Answers"] + challenges
        lines += ["", "Credential"] + credential
        lines +=
            section("Steps to it", program.acquire) + section("Renewal", program.renewal?.steps ?? []) + refusals
            + section("End", program.end)
        let drawing = drawing
        lines += ["", drawing.hasConditions ? "A request (with '?': where the conditions above hold)" : "A request"]
        lines += drawing.lines()
        return lines.flatMap { LineBreaking.lines($0.replacing("\n", with: " "), width: 80) }
    }

    private static func need(of field: ResolvedField) -> String {
        if field.isOptional { return " It may be left out." }
        return field.defaultText.map { " Without it: '\($0.value)'." } ?? ""
    }

    // MARK: Parts

    private var announcements: [String] {
        let names = program.announcements.map { $0.name.text(program.slots) }
        return ["  what the client can do, in \(names.joined(separator: ", "))"]
    }

    private var challenges: [String] {
        guard !program.challenges.isEmpty else {
            return [
                "  no challenge: \(method.kind == .enrolment ? "the application asks" : "requests have it from the first one on")"
            ]
        }
        return program.challenges.map { challenge in
            "  \(challenge.name.value): \(Self.description(of: challenge, slots: program.slots))"
        }
    }

    /// A challenge in words: `status 401, scheme Bearer`.
    static func description(of challenge: ResolvedProgram.Challenge, slots: [ResolvedProgram.Slot]) -> String {
        var parts: [String] = []
        if challenge.isRefusedConnection { parts.append("a connection that is refused for want of a certificate") }
        if !challenge.statuses.isEmpty { parts.append("status \(challenge.statuses.map(String.init).joined(separator: " or "))") }
        parts += challenge.headers.map { "the field \($0.name.text(slots))\(match($0.match, slots))" }
        parts += challenge.schemes.map { "the scheme \($0.name)" }
        if let text = challenge.text { parts.append("a body\(match(text, slots))") }
        parts += challenge.json.map { "in its JSON '\($0.name.text(slots))'\(match($0.match, slots))" }
        if let cookies = challenge.cookies {
            parts.append(cookies.isEmpty ? "a cookie" : "the cookie \(cookies.map { $0.name.text(slots) }.joined(separator: ", "))")
        }
        parts += challenge.query.map { "in its query '\($0.name.text(slots))'\(match($0.match, slots))" }
        let captures = challenge.captures.map { slots[$0.slot].name.value }
        let says = captures.isEmpty ? "" : "; it says \(captures.joined(separator: ", "))"
        return (parts.isEmpty ? "any response" : parts.joined(separator: ", ")) + says
    }

    private static func match(_ match: ResolvedProgram.Condition.Match, _ slots: [ResolvedProgram.Slot]) -> String {
        switch match {
        case .present: ""
        case .equals(let template): " that is '\(template.text(slots))'"
        case .prefix(let template): " that begins with '\(template.text(slots))'"
        case .contains(let template): " with '\(template.text(slots))' in it"
        case .anyCase(let template): " that is '\(template.text(slots))', in capital or small letters"
        }
    }

    private var credential: [String] {
        let credential = program.credential
        var lines = credential.fields.map { "  \(program.slots[$0.slot].name.value): \($0.summary)" }
        if credential.cookies != nil { lines.append("  cookies, in a jar of their own") }
        if credential.isSessionCookies { lines.append("  cookies, in the session's jar") }
        if credential.token != nil { lines.append("  a token of OAuth 2.0") }
        lines += program.attach.map { "  in requests: \($0.words(program.slots))" }
        if let slot = credential.lifetime { lines.append("  good for as long as '\(program.slots[slot].name.value)' says") }
        let servers =
            credential.destinations.map { "{\(program.slots[$0].name.value)}" }
            + (credential.isForRequested ? ["the first that is asked"] : [])
        if !servers.isEmpty { lines.append("  for \(servers.joined(separator: ", "))") }
        return lines
    }

    private func section(_ title: String, _ steps: [ResolvedProgram.Step]) -> [String] {
        guard !steps.isEmpty else { return [] }
        var number = 0
        return ["", title]
            + steps.flatMap { step -> [String] in
                number += 1
                return words(of: step, number: "\(number)", indentation: "  ")
            }
    }

    private func words(of step: ResolvedProgram.Step, number: String, indentation: String) -> [String] {
        let conditions = step.conditions.map { "'\(program.slots[$0.slot].name.value)' is \($0.isPresent ? "there" : "not there")" }
        let condition = conditions.isEmpty ? "" : "If \(conditions.joined(separator: " and ")): "
        var lines = ["\(indentation)\(number). \(condition)\(words(of: step.action))"]
        if case .repeat(let repetition) = step.action {
            for (index, inner) in repetition.steps.enumerated() {
                lines += words(of: inner, number: "\(number).\(index + 1)", indentation: indentation + "  ")
            }
        }
        return lines
    }

    private func words(of action: ResolvedProgram.Step.Action) -> String {
        func name(_ slot: Int) -> String { "'\(program.slots[slot].name.value)'" }
        switch action {
        case .prompt(let fields): return "Ask the application for \(fields.map { name($0.slot) }.joined(separator: ", "))."
        case .ask(_, let server, _, _): return "Ask the user what \(name(server)) wants to know."
        case .repeat(let repetition):
            let held = repetition.conditions.map { "\(name($0.slot)) is \($0.isPresent ? "there" : "not there")" }
            let while_ = held.joined(separator: " and ")
            guard let interval = repetition.interval else { return "As long as \(while_), \(repetition.limit) times at most:" }
            let end = repetition.timeout.map { ", for \(words(of: $0)) at most" } ?? ""
            return "As long as \(while_), every \(words(of: interval))\(end):"
        case .present(let page): return "Show the user \(page.url.text(program.slots))\(pageEnd(page))."
        case .http(let call):
            let captured = Set(call.answers.flatMap(\.pattern.captures).map(\.slot)).sorted().map(name)
            let through = call.usesSession ? " through the session" : ""
            return
                "\(call.method.rawValue) \(call.url.text(program.slots))\(through)\(captured.isEmpty ? "" : "; the answer says \(captured.joined(separator: ", "))")."
        case .document(let document):
            let places = document.places.map { place in
                (place.wellKnown.map { "/.well-known/\($0) of " } ?? "") + place.url.text(program.slots)
            }
            return "GET \(places.joined(separator: ", or ")), unless it was fetched lately."
        case .verify(let verification):
            let claims = verification.claims.map { "'\($0.name.text(program.slots))'" }
            return "Check the signature of \(name(verification.token)), and its \(claims.joined(separator: ", "))."
        case .token(let call): return "POST \(call.url.text(program.slots)); the answer is a token (RFC 6749, section 5.1)."
        case .compute(let slot, .random): return "Make \(name(slot)) of random bits."
        case .compute(let slot, .signingKey): return "Make the private key \(name(slot))."
        case .compute(let slot, _): return "Work \(name(slot)) out."
        }
    }

    private func pageEnd(_ page: ResolvedProgram.Page) -> String {
        switch page.end {
        case .redirect(let slot, _, _): " until it leads to '\(program.slots[slot].name.value)'"
        case .at(let end, _): " until it leads to \(end.text(program.slots))"
        case .userCode(let code): " and the code \(code.text.text(program.slots)), while these steps run"
        }
    }

    private func words(of time: ResolvedProgram.Time) -> String {
        switch time {
        case .milliseconds(let count): "\(Double(count) / 1000) seconds".replacing(".0 ", with: " ")
        case .slot(let slot): "'\(program.slots[slot].name.value)'"
        }
    }

    /// What follows where the server refuses a credential.
    private var refusals: [String] {
        guard !program.rejections.isEmpty else { return [] }
        let only = program.rejections.count == 1
        return ["", "If the server refuses it"]
            + program.rejections.map { rule in
                let challenge = rule.challenge.map { "with '\($0)': " } ?? (only ? "" : "else: ")
                let actions = rule.actions.map { action in
                    switch action {
                    case .resend: "what the challenge says goes into the next one"
                    case .renew: "it is renewed"
                    case .acquire: "the steps to it run again"
                    }
                }
                let retries =
                    rule.retries == 0
                    ? "; a new one that is refused is an error"
                    : "; new ones that are refused are an error after \(rule.retries) \(rule.retries == 1 ? "retry" : "retries")"
                return "  \(challenge)\(actions.isEmpty ? "that is an error" : actions.joined(separator: ", or ") + retries)"
            }
    }

    // MARK: The drawing

    private var drawing: SequenceDrawing {
        let servers = "server"
        var drawing = SequenceDrawing(participants: ["application", "Countersign", servers])
        let needsUser = program.steps.contains { step in
            switch step.action {
            case .present, .prompt, .ask: true
            default: false
            }
        }
        if needsUser { drawing.participants.insert("user", at: 0) }
        let login = program.calls.map(\.url) + program.tokenCalls.map(\.url) + program.pages.map(\.url)
        if !login.isEmpty { drawing.participants.append("login server") }
        if method.kind == .enrolment {
            drawing.message("application", "Countersign", "obtain")
        } else {
            drawing.message("application", "Countersign", "request")
        }
        if !program.credential.isEager, let challenge = program.challenges.first {
            drawing.message("Countersign", servers, "request")
            drawing.message(
                servers, "Countersign",
                challenge.statuses.first.map(String.init) ?? (challenge.isRefusedConnection ? "refused" : challenge.name.value),
                isReply: true)
        }
        draw(program.acquire, into: &drawing)
        if method.kind == .enrolment {
            drawing.message("Countersign", "application", "certificate", isReply: true)
        } else {
            drawing.message("Countersign", servers, program.credential.isEager ? "request" : "again")
            drawing.message(servers, "Countersign", "answer", isReply: true)
            drawing.message("Countersign", "application", "answer", isReply: true)
        }
        return drawing
    }

    private func draw(
        _ steps: [ResolvedProgram.Step], isConditional: Bool = false, into drawing: inout SequenceDrawing
    ) {
        for step in steps {
            var isPerhaps = isConditional || !step.conditions.isEmpty
            // What has a value is not asked for.
            if case .prompt(let fields) = step.action, fields.allSatisfy({ program.slots[$0.slot].source == .parameter }) {
                isPerhaps = true
            }
            drawing.isConditional = isPerhaps
            defer { drawing.isConditional = false }
            switch step.action {
            case .prompt, .ask:
                drawing.message("Countersign", "user", "prompt")
                drawing.message("user", "Countersign", "answer", isReply: true)
            case .present(let page) where page.asksForUserCode:
                drawing.message("Countersign", "user", "code")
                drawing.message("user", "login server", "types it")
            case .present:
                drawing.message("Countersign", "user", "page")
                drawing.message("user", "login server", "logs in")
                drawing.message("login server", "Countersign", "redirect", isReply: true)
            case .http(let call):
                drawing.message("Countersign", "login server", call.method.rawValue)
                drawing.message(
                    "login server", "Countersign",
                    call.answers.lazy.filter { !$0.isRefusal }.flatMap(\.pattern.statuses).first.map(String.init) ?? "answer",
                    isReply: true)
            case .token:
                drawing.message("Countersign", "login server", "POST")
                drawing.message("login server", "Countersign", "token", isReply: true)
            case .repeat(let repetition): draw(repetition.steps, isConditional: true, into: &drawing)
            case .document:
                drawing.message("Countersign", "login server", "GET")
                drawing.message("login server", "Countersign", "metadata", isReply: true)
            case .compute, .verify: break
            }
        }
    }
}

/// A sequence of messages between participants, as lines of a terminal.
struct SequenceDrawing {
    private struct Message {
        let from, to, text: String
        let isReply: Bool
    }

    var participants: [String]
    /// Whether the messages that follow are sent only where something holds.
    var isConditional = false
    private var messages: [Message] = []

    init(participants: [String]) { self.participants = participants }

    mutating func message(_ from: String, _ to: String, _ text: String, isReply: Bool = false) {
        messages.append(Message(from: from, to: to, text: text + (isConditional ? "?" : ""), isReply: isReply))
        hasConditions = hasConditions || isConditional
    }

    /// Whether some messages are sent only where something holds.
    private(set) var hasConditions = false

    /// The drawing, in 80 columns for up to five participants.
    func lines() -> [String] {
        let width = 76 / max(participants.count, 1)
        let centres = participants.indices.map { 2 + $0 * width + width / 2 }
        var head = [Character](repeating: " ", count: 80)
        for (centre, name) in zip(centres, participants) { Self.write(name, centredAt: centre, into: &head) }
        var lines = [String(head).trimmedEnd]
        for message in messages {
            guard let from = participants.firstIndex(of: message.from), let to = participants.firstIndex(of: message.to) else {
                continue
            }
            var row = [Character](repeating: " ", count: 80)
            for centre in centres { row[centre] = "|" }
            let (low, high) = (min(centres[from], centres[to]), max(centres[from], centres[to]))
            for column in (low + 1)..<high { row[column] = message.isReply ? (column % 2 == 0 ? "-" : " ") : "-" }
            row[to > from ? high - 1 : low + 1] = to > from ? ">" : "<"
            Self.write(" \(message.text) ", centredAt: (low + high) / 2, into: &row)
            lines.append(String(row).trimmedEnd)
        }
        return lines
    }

    private static func write(_ text: String, centredAt centre: Int, into row: inout [Character]) {
        let start = max(0, centre - text.count / 2)
        for (offset, character) in text.enumerated() where start + offset < row.count { row[start + offset] = character }
    }
}

/// Breaks lines at spaces; what follows is set in as far as the line's own text, and drawings stay as they are.
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

extension String {
    fileprivate var trimmedEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}

extension ResolvedProgram.Template {
    /// As a spec has it.
    fileprivate func text(_ slots: [ResolvedProgram.Slot]) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .slot(let slot):
                // An address that is made of several values is told by those.
                slots[slot].filling?.template.flatMap { $0.pieces.count > 1 ? $0.text : nil } ?? "{\(slots[slot].name.value)}"
            case .requestOrigin: "{request.url.origin}"
            case .request(let part): "{request.\(part.rawValue)}"
            case .computed: "{…}"
            }
        }.joined()
    }
}

extension ResolvedProgram.Placement {
    /// In words.
    fileprivate func words(_ slots: [ResolvedProgram.Slot]) -> String {
        switch self {
        case .header(let name, let value): "\(name.text(slots)): \(value.text(slots))"
        case .basic: "Authorization, by the Basic scheme"
        case .digest: "Authorization, by the Digest scheme"
        case .signature: "a signature by AWS Signature Version 4"
        case .messageSignature(let signature):
            "an HTTP Message Signature (RFC 9421) of \(signature.components.joined(separator: ", "))"
        case .connection: "the certificate of their connections"
        case .negotiate: "Negotiate, with the user's tickets"
        case .proof: "DPoP, a proof of the key that the token is bound to"
        case .computed(_, let headers):
            "worked out for each: \(headers.map { $0.name.text(slots) }.joined(separator: ", "))"
        }
    }
}
