package import CountersignSpec

/// One authentication as messages between participants: the source of the drawing in a terminal and of the picture in the
/// documentation.
package struct SequenceFlow: Sendable {
    /// The participants, from left to right.
    package enum Participant: String, Sendable, Hashable, CaseIterable {
        case user
        case application
        case client = "Countersign"
        case server
        case loginServer = "login server"
    }

    package struct Message: Sendable {
        package let from, to: Participant
        /// A label of one or two words.
        package let text: String
        /// The full text, such as `POST {tokenURL}`.
        package let detail: String
        package let isReply: Bool
        /// Whether the message is sent only if conditions of the steps hold.
        package let isConditional: Bool
    }

    package private(set) var participants: [Participant] = []
    package private(set) var messages: [Message] = []

    private let program: ResolvedProgram

    /// Creates the flow from a challenged request to its response; for an enrolment, to the certificate.
    package init(_ program: ResolvedProgram) {
        self.program = program
        let isEnrolment = program.credential.isForApplication
        send(.application, .client, isEnrolment ? "obtain" : "request")
        if !isEnrolment, !program.credential.isEager, let challenge = Self.usualChallenge(of: program) {
            send(.client, .server, "request")
            let status = challenge.statuses.first.map(String.init)
            let text = status ?? (challenge.isRefusedConnection ? "refused" : challenge.name.value)
            reply(.server, .client, text, status.map { "\($0): \(challenge.name.value)" } ?? challenge.name.value)
        }
        add(program.acquire, isConditional: false)
        if isEnrolment {
            reply(.client, .application, "certificate")
        } else {
            send(.client, .server, program.credential.isEager ? "request" : "again", sending)
            reply(.server, .client, "answer")
            reply(.client, .application, "answer")
        }
        let taking = Set(messages.flatMap { [$0.from, $0.to] })
        participants = Participant.allCases.filter(taking.contains)
    }

    /// Returns the challenge of a request without a credential.
    ///
    /// A challenge with a rejection rule of its own is for a request that has a credential: a missing scope, or a locked account.
    private static func usualChallenge(of program: ResolvedProgram) -> ResolvedProgram.Challenge? {
        let own = Set(program.rejections.compactMap(\.challenge))
        guard let first = program.challenges.first, own.contains(first.name.value) else { return program.challenges.first }
        let others = program.challenges.filter { !own.contains($0.name.value) }
        return others.first { $0.example != nil } ?? others.first ?? first
    }

    /// Whether some messages are sent only if conditions hold.
    package var hasConditions: Bool { messages.contains(where: \.isConditional) }

    /// The label of the request, with the header field or query parameter that carries the credential if there is one.
    private var sending: String {
        let words = program.credential.isEager ? "request" : "the same request"
        // The request can have any method.
        for placement in program.attach.filter(\.methods.isEmpty) + program.attach.filter({ !$0.methods.isEmpty }) {
            switch placement {
            case .header(let name, _, _): return "\(words), \(name.text(program.slots))"
            case .query(let name, _, _): return "\(words), ?\(name.text(program.slots))=…"
            case .json(let name, _), .form(let name, _): return "\(words), \(name.text(program.slots)) in its body"
            case .basic, .digest, .negotiate, .signature: return "\(words), Authorization"
            case .messageSignature: return "\(words), Signature"
            case .connection: return "\(words), certificate"
            case .computed, .proof: continue
            }
        }
        return program.credential.cookies != nil || program.credential.isSessionCookies ? "\(words), Cookie" : words
    }

    private mutating func send(
        _ from: Participant, _ to: Participant, _ text: String, _ detail: String? = nil, if isConditional: Bool = false
    ) {
        messages.append(
            Message(from: from, to: to, text: text, detail: detail ?? text, isReply: false, isConditional: isConditional))
    }

    private mutating func reply(
        _ from: Participant, _ to: Participant, _ text: String, _ detail: String? = nil, if isConditional: Bool = false
    ) {
        messages.append(
            Message(from: from, to: to, text: text, detail: detail ?? text, isReply: true, isConditional: isConditional))
    }

    private mutating func add(_ steps: [ResolvedProgram.Step], isConditional: Bool) {
        for step in steps {
            let perhaps = isConditional || !step.conditions.isEmpty
            switch step.action {
            case .prompt(let fields):
                // A prompt is skipped if its parameter has a value.
                let isOptional = fields.allSatisfy { program.slots[$0.slot].source == .parameter }
                let names = fields.map { program.slots[$0.slot].name.value }.joined(separator: ", ")
                ask(names, if: perhaps || isOptional)
            case .ask: ask("the server's fields", if: perhaps)
            case .present(let page): add(page, if: perhaps)
            case .http(let call):
                send(.client, .loginServer, call.method.rawValue, "\(call.method.rawValue) \(shown(call.url))", if: perhaps)
                let answer = call.answers.first { !$0.isRefusal }
                let status = answer?.pattern.statuses.first.map(String.init) ?? "answer"
                reply(.loginServer, .client, status, detail(status, answer?.pattern.captures ?? []), if: perhaps)
            case .token(let call):
                send(.client, .loginServer, "POST", "POST \(shown(call.url))", if: perhaps)
                reply(.loginServer, .client, "token", if: perhaps)
            case .repeat(let repetition): add(repetition.steps, isConditional: true)
            case .document(let document):
                send(.client, .loginServer, "GET", "GET \(document.places.first?.wellKnown ?? "metadata")", if: perhaps)
                reply(.loginServer, .client, "metadata", if: perhaps)
            case .compute, .verify: break
            }
        }
    }

    private mutating func add(_ page: ResolvedProgram.Page, if isConditional: Bool) {
        if page.code?.text != nil {
            send(.client, .user, "code", "page and code", if: isConditional)
            send(.user, .loginServer, "types it", "types the code", if: isConditional)
        } else {
            send(.client, .user, "page", "login page", if: isConditional)
            send(.user, .loginServer, "logs in", if: isConditional)
            if page.code == nil { reply(.loginServer, .client, "redirect", if: isConditional) }
        }
    }

    /// Adds a prompt, which the user of the application answers.
    private mutating func ask(_ names: String, if isConditional: Bool) {
        send(.client, .user, "prompt", "prompt: \(names)", if: isConditional)
        reply(.user, .client, "answer", names, if: isConditional)
    }

    private func shown(_ url: ResolvedProgram.Template) -> String { url.text(program.slots) }

    /// Returns a status code with the names of the values that its response contains.
    private func detail(_ status: String, _ captures: [ResolvedProgram.Capture]) -> String {
        let names = captures.prefix(2).map { program.slots[$0.slot].name.value }
        return names.isEmpty ? status : "\(status): \(names.joined(separator: ", "))\(captures.count > 2 ? ", …" : "")"
    }
}
