import Countersign
import Foundation

// How a description is played
//
// A method is data: requests with templates, and patterns of their responses. The client fills the templates with values and
// compares responses with the patterns. The mock does the opposite:
//
// - In each template of a request, every slot is replaced by a mark (`DescribedText`). A request is the described one if its path,
//   query, fields and body are those texts with any values in the place of the marks (`DescribedComparison`).
// - The values found there are then checked: parameters and accepted answers to prompts must be equal, and values that the mock has
//   issued must be valid. Others, such as a random `state` or a computed hash, are accepted as they come (`DescribedServer`).
// - From the pattern of an answer, a response is made that has all of its conditions, and a new value for each capture
//   (`DescribedResponse`). The client's own comparison decides whether it is the answer that was meant; if no answer can be made in
//   this way, the mock does not start.

/// A method as its mock serves it: the requests of its steps, the values that the mock knows, and those that it issues.
struct DescribedProgram: Sendable {
    /// The reason for a step.
    enum Purpose: Sendable {
        case acquire
        case renew
        case end
        case metadata
    }

    /// A request that the client sends in a step.
    enum Request: Sendable {
        case http(HTTPCall)
        case token(TokenCall)
        case page(LoginPage)
        /// The pushed authorization request of a page.
        case push(LoginPage.Push, of: LoginPage)
        /// The URL at which a page ends.
        case finish(URL)
        case document(ProgramDocument)
    }

    struct Call: Sendable {
        let purpose: Purpose
        /// The place in the method, for messages, such as `acquire.2`.
        let place: String
        let request: Request
        /// Whether a condition on a value of a login, not only on parameters, decides about the step.
        var isConditional = false
        /// Whether its cookies are the credential. Those of an earlier step are not yet that.
        var isLogin = false
    }

    let program: MethodProgram
    /// The URL of the mock.
    let base: URL
    let calls: [Call]
    /// The known values by slot: parameters, accepted answers to prompts, and URLs of this mock. Others are absent.
    let known: [ProgramValue]
    /// The slots whose values the mock issues in responses.
    let issued: Set<Int>
    /// The slots that responses and challenges fill.
    let received: Set<Int>
    /// The slots that steps and credential fields copy from others.
    let copies: [Int: Set<Int>]
    /// The slots with accepted values.
    let accepted: Set<Int>
    /// The slots that prompts, and computations other than copies, fill. Their values are accepted as they come, if none is known.
    private let made: Set<Int>
    /// The slots with captured values that do not come back as they were sent, such as lifetimes. They are accepted as they come.
    private let opaque: Set<Int>
    /// The slots whose values a renewal needs. They outlast an expired credential.
    let lasting: Set<Int>
    /// The functions of the steps, with the slots that they fill.
    let functions: [(slot: Int, function: ProgramFunction)]
    /// The slots of redirect URLs. A presenter with a loopback listener sends another port (RFC 8252, section 7.3).
    let redirects: Set<Int>
    /// The slots of the access token and the refresh token. They have numbers beyond those of the program if no step uses them.
    let token: (access: Int, refresh: Int)
    /// The values of credential fields that no step sets.
    private let initial: [Int: ProgramTemplate]

    /// Prepares a method.
    ///
    /// - Parameters:
    ///   - values: The parameters by slot.
    ///   - accepting: The accepted values by the names of parameters and fields of prompts. Others are accepted as they come.
    ///   - base: The URL of the mock.
    /// - Throws: ``MockLandscapeError`` if the mock does not support a step.
    init(
        _ program: MethodProgram, values: [ProgramValue], accepting: [String: String], at base: URL
    ) throws(MockLandscapeError) {
        self.program = program
        self.base = base
        var survey = DescribedSurvey(program, values: values)
        try survey.visit(program.acquire, for: .acquire)
        try survey.visit(program.renewal?.steps ?? [], for: .renew)
        try survey.visit(program.end, for: .end)
        for challenge in program.challenges { survey.note(challenge.captures) }
        for document in program.documents { survey.note(document.captures) }
        try survey.check(program.attach)
        let root = base.appending(path: program.name)
        var known = values + Array(repeating: .absent, count: max(0, program.slots.count - values.count))
        for slot in survey.urls where known[slot] == .absent { known[slot] = .url(root.appending(path: program.slots[slot].name)) }
        for (slot, constant) in survey.constants.sorted(by: { $0.key < $1.key })
        where known[slot] == .absent && !survey.captured.contains(slot) && !survey.prompted.contains(slot) {
            guard let value = constant?.value(known) else { continue }
            known[slot] = value
        }
        var accepted: Set<Int> = []
        for (slot, variable) in program.slots.enumerated() {
            guard let text = accepting[variable.name], known[slot] == .absent, !survey.captured.contains(slot) else { continue }
            known[slot] = .text(text)
            accepted.insert(slot)
        }
        self.accepted = accepted
        token = (
            program.credential.token?.access ?? program.slots.count, program.credential.token?.refresh ?? program.slots.count + 1
        )
        var initial: [Int: ProgramTemplate] = [:]
        for field in program.credential.fields {
            guard let value = field.value else { continue }
            if !survey.isFilled(field.slot) {
                initial[field.slot] = value
            } else if let source = value.loneSlot {
                survey.copies[field.slot, default: []].insert(source)
            } else {
                survey.computed.insert(field.slot)
            }
        }
        self.initial = initial
        copies = survey.copies
        received = survey.received
        made = survey.prompted.union(survey.computed)
        opaque = survey.opaque
        var issued = survey.captured.subtracting(survey.urls).subtracting(made).subtracting(opaque)
        if survey.obtainsToken { issued.formUnion([token.access, token.refresh]) }
        self.issued = issued
        functions = survey.functions
        redirects = survey.redirects
        self.known = known
        lasting = Set(program.renewal?.needs ?? []).union(survey.obtainsToken ? [token.refresh] : [])
        calls =
            Self.withLogins(survey.calls)
            + survey.pageEnds.compactMap { end in
                end.url(known).map { Call(purpose: .acquire, place: "acquire", request: .finish($0)) }
            }
            + program.documents.map { Call(purpose: .metadata, place: "documents", request: .document($0)) }
    }

    /// Marks the last step that sets cookies on every path, with those after it and those of renewals.
    private static func withLogins(_ calls: [Call]) -> [Call] {
        let last = calls.lastIndex { $0.purpose == .acquire && !$0.isConditional && $0.setsCookies } ?? 0
        return calls.enumerated().map { place, call in
            var call = call
            call.isLogin = call.setsCookies && (call.purpose == .renew || call.purpose == .acquire && place >= last)
            return call
        }
    }

    // MARK: Templates

    /// Returns the text of a template with gaps for all slots; `nil` if it is not sent, because a parameter in it is absent.
    func text(_ template: ProgramTemplate) -> DescribedText? { marked(template).map(DescribedText.init(marked:)) }

    private func marked(_ template: ProgramTemplate) -> String? {
        var text = ""
        for piece in template.pieces {
            switch piece {
            case .text(let literal): text += literal
            case .slot(let slot):
                if let template = initial[slot] {
                    guard let initial = marked(template) else { return nil }
                    text += initial
                } else {
                    if isAbsentParameter(slot) { return nil }
                    text += DescribedText.mark(slot)
                }
            case .requestOrigin: text += Origin(base)?.description ?? ""
            case .request, .computed: text += DescribedText.mark(DescribedText.anything)
            }
        }
        return text
    }

    /// Returns a URL, without its query, as a text with gaps; `nil` if it is not at this mock.
    func path(_ template: ProgramTemplate) -> DescribedText? {
        var values = known
        for slot in template.slotNumbers where !isAbsentParameter(slot) {
            if values[slot].text == nil || accepted.contains(slot) { values[slot] = .text(DescribedText.mark(slot)) }
        }
        guard let url = template.url(values), Origin(url) == Origin(base) else { return nil }
        return DescribedText(marked: url.pathOfRequest)
    }

    // MARK: Values

    /// The known text of a slot; `nil` if there is none.
    func knownText(_ slot: Int) -> String? { known.indices.contains(slot) ? known[slot].text : nil }

    /// Returns a slot with all those from which its value can be a copy.
    func sources(of slot: Int) -> Set<Int> {
        var sources: Set<Int> = []
        var rest = [slot]
        while let next = rest.popLast() { if sources.insert(next).inserted { rest += copies[next] ?? [] } }
        return sources
    }

    /// The slots of the credential, with those from which they are copied.
    var credentialSlots: Set<Int> { program.credential.fields.reduce(into: []) { $0.formUnion(sources(of: $1.slot)) } }

    /// Whether every value of a slot is accepted.
    func acceptsAnything(_ slot: Int) -> Bool {
        guard program.slots.indices.contains(slot) else { return !issued.contains(slot) }
        guard known[slot].text == nil, !isAbsentParameter(slot) else { return false }
        return made.contains(slot) || opaque.contains(slot) || !issued.contains(slot) && copies[slot] == nil
    }

    /// Whether a slot is a parameter without a value, for which no prompt asks.
    private func isAbsentParameter(_ slot: Int) -> Bool {
        program.slots[slot].source == .parameter && known[slot].text == nil && !made.contains(slot)
    }

    /// Whether the requests of a step can lack the value of a slot, because not every login has one.
    func mayBeAbsent(_ slot: Int) -> Bool {
        program.slots[slot].source == .parameter ? known[slot].text == nil : !accepted.contains(slot)
    }

    /// Returns the slots for which a client never has a value.
    ///
    /// - Parameter sent: The slots for which responses of the mock have a value.
    func lacking(_ sent: Set<Int>) -> Set<Int> {
        func isLacking(_ slot: Int, _ visited: Set<Int> = []) -> Bool {
            guard !visited.contains(slot) else { return true }
            guard known[slot].text == nil, !sent.contains(slot), !made.contains(slot) else { return false }
            let visited = visited.union([slot])
            if let template = initial[slot] { return template.slotNumbers.contains { isLacking($0, visited) } }
            if let sources = copies[slot] { return sources.allSatisfy { isLacking($0, visited) } }
            return received.contains(slot) || program.slots[slot].source == .parameter
        }
        return Set(program.slots.indices.filter { isLacking($0) })
    }

    /// Returns the text of a template with known values, and with others from `values`; `nil` if one is missing.
    func plain(_ template: ProgramTemplate, _ values: [Int: String]) -> String? {
        template.text(filled(values), origin: Origin(base))
    }

    /// The known values, and others as texts.
    func filled(_ values: [Int: String]) -> [ProgramValue] {
        var filled = known
        for (slot, text) in values where filled.indices.contains(slot) && filled[slot] == .absent { filled[slot] = .text(text) }
        return filled
    }
}

extension DescribedProgram.Call {
    /// Whether a success sets cookies.
    fileprivate var setsCookies: Bool {
        guard case .http(let call) = request else { return false }
        return call.answers.contains { !$0.isRefusal && $0.pattern.setsCookies }
    }
}

extension URL {
    /// The encoded path of a request for this URL.
    var pathOfRequest: String {
        let path = path(percentEncoded: true)
        return path.isEmpty ? "/" : path
    }
}

extension ProgramTemplate {
    /// The slots that the template uses.
    var slotNumbers: [Int] { pieces.compactMap { if case .slot(let slot) = $0 { slot } else { nil } } }
}
