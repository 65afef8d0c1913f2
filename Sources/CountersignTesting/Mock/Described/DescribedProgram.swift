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
    }

    let program: MethodProgram
    /// The URL of the mock.
    let base: URL
    let calls: [Call]
    /// The known values by slot: parameters, accepted answers to prompts, and URLs of this mock. Others are absent.
    let known: [ProgramValue]
    /// The slots whose values the mock issues in responses.
    let issued: Set<Int>
    /// The slots whose values a renewal needs. They outlast an expired credential.
    let lasting: Set<Int>
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
        var survey = Survey(program, values: values)
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
        where known[slot] == .absent && !survey.captured.contains(slot) {
            guard let constant, let text = constant.text(known) else { continue }
            known[slot] = constant.loneSlot.map { known[$0] } ?? .text(text)
        }
        for (slot, variable) in program.slots.enumerated() {
            guard let text = accepting[variable.name], known[slot] == .absent, !survey.captured.contains(slot) else { continue }
            known[slot] = .text(text)
        }
        token = (
            program.credential.token?.access ?? program.slots.count, program.credential.token?.refresh ?? program.slots.count + 1
        )
        var issued = survey.captured.subtracting(survey.urls).subtracting(survey.made)
        if survey.obtainsToken { issued.formUnion([token.access, token.refresh]) }
        self.issued = issued
        redirects = survey.redirects
        self.known = known
        lasting = Set(program.renewal?.needs ?? []).union(survey.obtainsToken ? [token.refresh] : [])
        initial = Dictionary(
            program.credential.fields.filter { !survey.captured.contains($0.slot) && !survey.made.contains($0.slot) }.compactMap {
                field in field.value.map { (field.slot, $0) }
            }
        ) { first, _ in first }
        calls =
            survey.calls
            + survey.pageEnds.compactMap { end in
                end.url(known).map { Call(purpose: .acquire, place: "acquire", request: .finish($0)) }
            }
            + program.documents.map { Call(purpose: .metadata, place: "documents", request: .document($0)) }
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
                    if program.slots[slot].source == .parameter, known[slot].text == nil { return nil }
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
        for slot in template.slotNumbers where values[slot].text == nil && program.slots[slot].source != .parameter {
            values[slot] = .text(DescribedText.mark(slot))
        }
        guard let url = template.url(values), Origin(url) == Origin(base) else { return nil }
        return DescribedText(marked: url.pathOfRequest)
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

/// Collects the requests of a method's steps and the slots that they fill.
private struct Survey {
    let program: MethodProgram
    let values: [ProgramValue]
    var calls: [DescribedProgram.Call] = []
    var pageEnds: [ProgramTemplate] = []
    /// The slots that responses fill, and those of them that hold URLs.
    var captured: Set<Int> = []
    var urls: Set<Int> = []
    /// The slots that prompts and computations fill.
    var made: Set<Int> = []
    /// The slots with one value, if all values in it are known; `nil` for slots with several.
    var constants: [Int: ProgramTemplate?] = [:]
    var redirects: Set<Int> = []
    var obtainsToken = false

    init(_ program: MethodProgram, values: [ProgramValue]) {
        self.program = program
        self.values = values
    }

    mutating func visit(
        _ steps: [ProgramStep], for purpose: DescribedProgram.Purpose, in place: String? = nil
    ) throws(MockLandscapeError) {
        let place = place ?? (purpose == .acquire ? "acquire" : purpose == .renew ? "renew" : "end")
        for (number, step) in steps.enumerated() { try visit(step, for: purpose, at: "\(place).\(number + 1)") }
    }

    private mutating func visit(
        _ step: ProgramStep, for purpose: DescribedProgram.Purpose, at place: String
    ) throws(MockLandscapeError) {
        func add(_ request: DescribedProgram.Request) {
            calls.append(DescribedProgram.Call(purpose: purpose, place: place, request: request))
        }
        switch step {
        case .prompt(_, let slots): made.formUnion(slots)
        case .http(let call):
            if call.identity != nil { throw unplayable(place, "it needs a client certificate") }
            for answer in call.answers where !answer.isRefusal { note(answer.pattern.captures) }
            add(.http(call))
        case .token(let call):
            obtainsToken = true
            add(.token(call))
        case .present(let page):
            if let push = page.push { add(.push(push, of: page)) }
            switch page.end {
            case .redirect(let redirect):
                redirects.insert(redirect.slot)
                for answer in redirect.answers { note(answer.pattern.captures) }
            case .at(let end, _): pageEnds.append(end)
            case .userCode: break
            }
            add(.page(page))
        case .document: break
        case .compute(let slot, let function):
            if case .certificate = function { throw unplayable(place, "it creates keys and certificates") }
            made.insert(slot)
            note(function, at: slot)
        case .when(let conditions, let step):
            let isSkipped = conditions.contains { condition in
                guard case .parameter = program.slots[condition.slot].source else { return false }
                return !condition.holds(values + Array(repeating: .absent, count: max(0, program.slots.count - values.count)))
            }
            if !isSkipped { try visit(step, for: purpose, at: place) }
        case .repeat(let repetition): try visit(repetition.steps, for: purpose, in: place)
        case .step(let step, _): try visit(step, for: purpose, at: place)
        case .verify: throw unplayable(place, "it verifies a signed token; use 'MockAuthorizationServer'")
        case .ask: throw unplayable(place, "the server describes the input")
        }
    }

    /// Notes a computation that only copies or joins values, unless the slot has another value elsewhere.
    private mutating func note(_ function: ProgramFunction, at slot: Int) {
        let constant: ProgramTemplate? =
            switch function {
            case .join(let parts): ProgramTemplate(parts.flatMap(\.pieces))
            case .value(let source): .slot(source)
            default: nil
            }
        if let former = constants[slot], former != constant { return constants[slot] = .some(nil) }
        constants[slot] = .some(constant)
    }

    mutating func note(_ captures: [ChallengePattern.Capture]) {
        for capture in captures {
            switch capture.kind {
            case .url:
                captured.insert(capture.slot)
                urls.insert(capture.slot)
            case .text, .decoded, .texts: captured.insert(capture.slot)
            // Their values do not come back as they were sent.
            case .seconds, .date, .moment, .clock, .json, .element, .flag, .truth: made.insert(capture.slot)
            }
        }
    }

    func check(_ placements: [CredentialPlacement]) throws(MockLandscapeError) {
        for placement in placements {
            switch placement {
            case .connection: throw unplayable("attach", "it is a client certificate")
            case .negotiate: throw unplayable("attach", "it needs a Kerberos realm")
            default: break
            }
        }
        let credential = program.credential
        guard credential.isSessionCookies || credential.cookies != nil || credential.token != nil || !placements.isEmpty else {
            throw unplayable("credential", "no request carries it")
        }
    }

    private func unplayable(_ key: String, _ reason: String) -> MockLandscapeError {
        .unplayable(method: program.name, key: key, reason: reason)
    }
}

extension StepCondition {
    fileprivate var slot: Int {
        switch self {
        case .present(let slot), .absent(let slot): slot
        }
    }
}
