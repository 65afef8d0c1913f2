// The contents of a step. Conditions, repetitions and the errors of failures only wrap the steps that do something.
extension ProgramStep {
    /// Returns the first result of a function for the step itself, or for a step that it wraps; `nil` if there is none.
    func first<Result>(_ result: (ProgramStep) -> Result?) -> Result? {
        switch self {
        case .when(_, let step), .step(let step, _): return step.first(result)
        case .repeat(let repetition):
            for step in repetition.steps {
                if let found = step.first(result) { return found }
            }
            return nil
        case .prompt, .present, .http, .token, .document, .verify, .compute, .ask: return result(self)
        }
    }

    /// The steps that the step wraps, or else the step itself.
    var unwrapped: [ProgramStep] {
        switch self {
        case .when(_, let step), .step(let step, _): step.unwrapped
        case .repeat(let repetition): repetition.steps.flatMap(\.unwrapped)
        case .prompt, .present, .http, .token, .document, .verify, .compute, .ask: [self]
        }
    }

    /// Whether the step may ask the application.
    var isPrompt: Bool {
        let prompt = first { step in
            switch step {
            case .prompt, .ask: true
            default: nil
            }
        }
        return prompt ?? false
    }

    /// The slots that the step asks the application for.
    var prompted: [Int] {
        unwrapped.flatMap { step -> [Int] in
            switch step {
            case .prompt(_, let slots): slots
            case .ask(_, _, let slot, _): [slot]
            default: []
            }
        }
    }

    /// Whether the step may ask the application for input that a server requests.
    var asksPages: Bool { first { if case .ask = $0 { true } else { nil } } ?? false }

    /// Whether the step itself waits for the user, or for the application, and does nothing else meanwhile.
    var waitsForUser: Bool {
        switch self {
        case .prompt, .present, .ask: true
        case .http, .token, .document, .verify, .compute, .when, .step, .repeat: false
        }
    }

    /// Whether the step generates a value without any input, and does so once.
    var isGeneration: Bool {
        switch self {
        case .compute(_, .random), .compute(_, .signingKey): true
        case .when(_, let step), .step(let step, _): step.isGeneration
        case .prompt, .present, .http, .token, .document, .verify, .compute, .ask, .repeat: false
        }
    }

    /// Whether the step fetches a document of a server.
    var isDocument: Bool { if case .document = self { true } else { false } }

    /// The first request that the step sends; `nil` if it sends none.
    var call: HTTPCall? { first { if case .http(let call) = $0 { call } else { nil } } }

    /// All requests that the step can send.
    var calls: [HTTPCall] { unwrapped.compactMap(\.call) }

    /// The first token request that the step sends; `nil` if it sends none.
    var tokenCall: TokenCall? { first { if case .token(let call) = $0 { call } else { nil } } }

    /// The URL of the step's request; `nil` if it sends none.
    var endpoint: ProgramTemplate? { call?.url ?? tokenCall?.url }

    /// The tokens that the step verifies.
    var verifications: [TokenVerification] {
        unwrapped.compactMap { if case .verify(let verification) = $0 { verification } else { nil } }
    }

    /// The login page that the step shows; `nil` if it shows none.
    var page: LoginPage? { first { if case .present(let page) = $0 { page } else { nil } } }

    /// Returns the page with a code that the step shows if its conditions hold; `nil` if it shows none.
    func codePage(_ values: [ProgramValue]) -> LoginPage? {
        switch self {
        case .present(let page): page.code == nil ? nil : page
        case .when(let conditions, let step): conditions.allSatisfy { $0.holds(values) } ? step.codePage(values) : nil
        case .step(let step, _): step.codePage(values)
        case .prompt, .http, .token, .document, .verify, .compute, .ask, .repeat: nil
        }
    }

    /// Whether the step polls: it repeats the request, with pauses, until the server sends its final answer.
    func polls(_ call: HTTPCall) -> Bool {
        switch self {
        case .repeat(let repetition): repetition.interval != nil && repetition.steps.contains { $0.calls.contains(call) }
        case .when(_, let step), .step(let step, _): step.polls(call)
        case .prompt, .present, .http, .token, .document, .verify, .compute, .ask: false
        }
    }
}
