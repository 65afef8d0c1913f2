/// A step of a method.
public indirect enum ProgramStep: Sendable, Hashable {
    /// Asks the application, unless all slots have a value. The number is the prompt's index in the method. Slots without a value
    /// receive the answer.
    case prompt(Int, slots: [Int])
    /// Shows a login page until the browser reaches its end.
    case present(LoginPage)
    /// Sends a request.
    case http(HTTPCall)
    /// Sends a form to a token endpoint. The response is the credential.
    case token(TokenCall)
    /// Fetches one of ``MethodProgram/documents``, unless it is cached.
    case document(Int)
    /// Verifies a token and captures its claims.
    case verify(TokenVerification)
    /// Computes the value of a slot.
    case compute(slot: Int, ProgramFunction)
    /// Runs a step if all conditions hold.
    case when([StepCondition], ProgramStep)
    /// Asks the application for the input that the JSON in the first slot describes, and stores the answers in the other slot. The
    /// duration limits the time for each answer.
    case ask(PromptPage, of: Int, into: Int, within: Duration)
    /// Repeats steps.
    case `repeat`(StepRepetition)
    /// Runs a step with the method's own errors for its failures, by their number in ``MethodProgram/errors``.
    case step(ProgramStep, failures: [Failure: Int])

    /// A failure of a step.
    public enum Failure: String, Sendable, Hashable, CaseIterable {
        /// The response has an unexpected status.
        case status
        /// There is no response.
        case network
        /// A response lacks an expected value.
        case missing
        /// The application throws an error in place of an answer.
        case refused
        /// The application exceeds the time limit for an answer.
        case late
        /// The maximum number of repetitions is exceeded.
        case endless
        /// The subject or a name of a certificate is invalid.
        case name
        /// The kind of key is unknown, or the key could not be created or used.
        case key
        /// The response contains no certificate.
        case certificate
        /// A token is not signed by its issuer, has expired, or has an unexpected claim.
        case untrusted
        /// No certificate belongs to the key, or the certificate is not valid.
        case mismatch
    }
}

/// The repetition of steps under conditions.
public struct StepRepetition: Sendable, Hashable {
    /// The conditions, checked before each run, including the first.
    public let conditions: [StepCondition]
    /// The maximum number of runs.
    public let limit: Int
    /// The pause before each run, `every` in a spec: at least 1 second; `nil` for none. ``HTTPCall/Answer/delay`` increases it. A
    /// request without a response doubles it, up to 60 seconds, and fails only if its step has an error for that (RFC 8628, section
    /// 3.5).
    public let interval: StepTime?
    /// The time limit of the repetition, `within` in a spec: at most one hour; `nil` for the limit of the authentication.
    public let timeout: StepTime?
    public let steps: [ProgramStep]

    /// Creates a repetition.
    public init(
        while conditions: [StepCondition], limit: Int, every interval: StepTime? = nil, within timeout: StepTime? = nil,
        _ steps: [ProgramStep]
    ) {
        self.conditions = conditions
        self.limit = limit
        self.interval = interval
        self.timeout = timeout
        self.steps = steps
    }
}

/// A duration from a spec or a server.
public enum StepTime: Sendable, Hashable {
    case fixed(Duration)
    /// The duration in a slot.
    case slot(Int)

    /// Returns the duration; `nil` if the slot has none.
    func duration(_ values: [ProgramValue]) -> Duration? {
        switch self {
        case .fixed(let duration): duration
        case .slot(let slot): if case .duration(let duration) = values[slot] { duration } else { nil }
        }
    }
}

/// A condition of a step.
public enum StepCondition: Sendable, Hashable {
    /// The slot has a value.
    case present(Int)
    /// The slot has no value.
    case absent(Int)

    /// Whether the condition holds.
    ///
    /// - Parameter values: The values by slot.
    package func holds(_ values: [ProgramValue]) -> Bool {
        switch self {
        case .present(let slot): values[slot] != .absent
        case .absent(let slot): values[slot] == .absent
        }
    }
}
