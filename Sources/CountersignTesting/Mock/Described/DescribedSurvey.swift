import Countersign

/// Collects the requests of a method's steps and the slots that they fill.
struct DescribedSurvey {
    let program: MethodProgram
    let values: [ProgramValue]
    var calls: [DescribedProgram.Call] = []
    var pageEnds: [ProgramTemplate] = []
    /// The slots that responses fill, and those of them that hold URLs.
    var captured: Set<Int> = []
    var urls: Set<Int> = []
    /// The slots that responses and challenges fill.
    var received: Set<Int> = []
    var prompted: Set<Int> = []
    var computed: Set<Int> = []
    /// The functions of all steps, with the slots that they fill, in the order of the steps.
    var functions: [(slot: Int, function: ProgramFunction)] = []
    /// The slots with captured values that do not come back as they were sent.
    var opaque: Set<Int> = []
    /// The slots that steps copy from others.
    var copies: [Int: Set<Int>] = [:]
    /// The slots with one value, if all values in it are known; `nil` for slots with several.
    var constants: [Int: Constant?] = [:]
    var redirects: Set<Int> = []
    var obtainsToken = false

    /// A value that is only copied or joined from others.
    struct Constant: Hashable {
        let template: ProgramTemplate
        /// The encoding of the text; `nil` for the text itself.
        var encoding: DigestFunction.Encoding?

        /// Returns the value; `nil` if it is not known.
        func value(_ known: [ProgramValue]) -> ProgramValue? {
            guard let text = template.text(known) else { return nil }
            if let encoding { return .text(encoding.text(Array(text.utf8))) }
            return template.loneSlot.map { known[$0] } ?? .text(text)
        }
    }

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

    /// Whether a step, a response or a prompt fills a slot.
    func isFilled(_ slot: Int) -> Bool {
        captured.contains(slot) || opaque.contains(slot) || prompted.contains(slot) || computed.contains(slot)
            || copies[slot] != nil
    }

    private mutating func visit(
        _ step: ProgramStep, for purpose: DescribedProgram.Purpose, at place: String, isConditional: Bool = false
    ) throws(MockLandscapeError) {
        func add(_ request: DescribedProgram.Request) {
            calls.append(
                DescribedProgram.Call(purpose: purpose, place: place, request: request, isConditional: isConditional))
        }
        switch step {
        case .prompt(_, let slots): prompted.formUnion(slots)
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
            if case .value(let source) = function { copies[slot, default: []].insert(source) } else { computed.insert(slot) }
            functions.append((slot, function))
            note(function, at: slot)
        case .when(let conditions, let step):
            let ofParameters = conditions.filter { program.slots[$0.slot].source == .parameter }
            let filled = values + Array(repeating: .absent, count: max(0, program.slots.count - values.count))
            if ofParameters.allSatisfy({ $0.holds(filled) }) {
                try visit(
                    step, for: purpose, at: place, isConditional: isConditional || ofParameters.count < conditions.count)
            }
        case .repeat(let repetition): try visit(repetition.steps, for: purpose, in: place)
        case .step(let step, _): try visit(step, for: purpose, at: place, isConditional: isConditional)
        case .verify: throw unplayable(place, "it verifies a signed token; use 'MockAuthorizationServer'")
        case .ask: throw unplayable(place, "the server describes the input")
        }
    }

    /// Notes a computation that only copies or joins values, unless the slot has another value elsewhere.
    private mutating func note(_ function: ProgramFunction, at slot: Int) {
        let constant: Constant? =
            switch function {
            case .join(let parts): Constant(template: ProgramTemplate(parts.flatMap(\.pieces)))
            case .encode(let parts, as: let encoding):
                Constant(template: ProgramTemplate(parts.flatMap(\.pieces)), encoding: encoding)
            case .value(let source): Constant(template: .slot(source))
            default: nil
            }
        if let former = constants[slot], former != constant { return constants[slot] = .some(nil) }
        constants[slot] = .some(constant)
    }

    mutating func note(_ captures: [ChallengePattern.Capture]) {
        for capture in captures {
            received.insert(capture.slot)
            if case .url = capture.kind {
                captured.insert(capture.slot)
                urls.insert(capture.slot)
            } else if capture.kind.isText {
                captured.insert(capture.slot)
            } else {
                opaque.insert(capture.slot)
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
