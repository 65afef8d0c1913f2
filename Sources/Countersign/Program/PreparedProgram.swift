/// A ``MethodProgram`` with the values of its parameters, and what of the application takes part; knows no type of the method's own.
struct PreparedProgram: Sendable {
    let program: MethodProgram
    /// The values of the parameters by slot; those of all other slots are absent.
    let parameters: [ProgramValue]
    let prompter: (any ProgramPrompting)?
    /// Has a say on each credential that is got by a login or from the application.
    let review: AuthenticationReview?
    private let error: @Sendable (_ number: Int, _ detail: String) -> (any AuthenticationError)?

    init<Parameters: ProgramParameters>(
        _ parameters: Parameters, prompter: (any ProgramPrompting)?, review: AuthenticationReview? = nil
    ) {
        let program = Parameters.program
        self.program = program
        self.prompter = prompter
        self.review = review
        error = Parameters.error
        self.parameters = program.slots.indices.map { slot in
            program.slots[slot].source == .parameter ? parameters.value(at: slot) : .absent
        }
    }

    /// An error of the method's own.
    ///
    /// - Parameters:
    ///   - number: Its index; `nil` if the spec has none for what happened.
    ///   - otherwise: What it is then.
    func error(_ number: Int?, or otherwise: CountersignError) -> any Error {
        number.flatMap { error($0, otherwise.detail) } ?? otherwise
    }

    /// What requests end in where the application gives nothing that can be sent.
    func error(for failure: CredentialFailure, at server: Origin?) -> any Error {
        let number = program.failures[failure.kind]
        let place = server.map { " for \($0)" } ?? ""
        return switch failure {
        case .cancelled: error(number, or: CountersignError(.cancelled, detail: "the application gave no credential"))
        case .missing:
            error(number, or: CountersignError(.credentialMissing, detail: "the application has no credential\(place)"))
        case .unusable(let detail):
            number.flatMap { error($0, detail) }
                ?? CountersignError(.invalidRequest, detail: "the application's credential cannot be used: \(detail)")
        }
    }

    /// What requests end in where a flight has failed.
    ///
    /// - Parameter origin: The server that the credential is for; `nil` for several.
    func error(of failure: any Error, at origin: Origin?) -> any Error {
        switch failure {
        case FlightFailure.cancelled:
            return error(
                program.failures[.cancelled],
                or: CountersignError(FlightFailure.cancelled, authenticationMethod: program.name, origin: origin))
        case let failure as FlightFailure:
            return CountersignError(failure, authenticationMethod: program.name, origin: origin)
        case let error as TransportError:
            // On the way to the credential, not of the request.
            return CountersignError(
                .unreachable, detail: "a server that the credential comes from could not be asked: \(error.detail)",
                authenticationMethod: program.name, origin: error.origin ?? origin)
        case let error as CountersignError: return error.completed(authenticationMethod: program.name, origin: origin)
        default: return failure
        }
    }

    /// The slots of what a credential consists of.
    var credentialSlots: [Int] { program.credential.fields.map(\.slot) + [program.credential.cookies].compactMap(\.self) }

    /// Whether a user may take part.
    var isInteractive: Bool {
        program.acquire.contains { $0.page != nil } || prompter != nil && program.acquire.contains(where: \.isPrompt)
    }

    /// Whether the steps to a credential take no challenge, nor a user but for one that requests have from the first on.
    var acquiresUnasked: Bool {
        (program.credential.isEager || !isInteractive && !program.acquire.isEmpty) && !usesDigest
            && !program.slots.contains { $0.source == .challenge }
    }

    /// Whether another credential can come of one without a user.
    ///
    /// - Parameter values: All values by slot.
    func canRenew(_ values: [ProgramValue]) -> Bool {
        program.renewal.map { $0.needs.allSatisfy { values[$0] != .absent } } ?? false
    }

    /// Whether the credential is what connections are made with.
    var usesConnection: Bool { program.attach.contains { if case .connection = $0 { true } else { false } } }

    /// Whether requests are signed by the Digest scheme.
    var usesDigest: Bool { program.attach.contains { if case .digest = $0 { true } else { false } } }

    /// Whether a credential has something that must not be sent unencrypted.
    var isSecret: Bool { program.slots.contains(where: \.isSecret) || program.attach.contains(where: \.isPassword) }

    /// How many flights one request can need: a renewal, the first credential, one after each refusal, and the end.
    var mostFlightsOfARequest: Int {
        2 + (program.renewal == nil ? 0 : 1) + (program.rejections.map(\.retries).max() ?? 0)
    }

    /// Who may receive the credential; `nil` for the first origin that the application asks.
    var destinations: ProtectedOrigins? {
        let named = program.credential.destinations.filter { parameters[$0] != .absent }
        if named.isEmpty, program.credential.isForRequested { return nil }
        let origins = named.map { parameters[$0].origins }
        if origins.contains(.anywhere) { return .anywhere }
        return ProtectedOrigins(origins: Set(origins.compactMap(\.origins).joined()))
    }

    /// The place that a challenge is about.
    func place(of challenge: ChallengeReading, at origin: Origin) -> ProtectionSpace {
        var values = parameters
        for (slot, value) in challenge.values { values[slot] = value }
        let server = program.credential.space == .servers ? nil : origin
        return ProtectionSpace(
            server: server, separators: program.credential.separators.map { $0.text(values, origin: origin) })
    }

    /// Where its login pages end.
    var redirects: [AuthorizationRedirect] {
        program.acquire.enumerated().compactMap { index, step in
            step.page.flatMap { AuthorizationRedirect(of: $0, before: program.acquire[(index + 1)...], with: parameters) }
        }
    }

    /// What a challenge says, by the names in the spec, but for secrets.
    func texts(of challenge: ChallengeReading) -> [String: String] {
        var texts: [String: String] = [:]
        for (slot, value) in challenge.values where !program.slots[slot].isSecret { texts[program.slots[slot].name] = value.text }
        return texts
    }
}

extension CredentialPlacement {
    /// Whether it is a password, whatever the spec calls it.
    fileprivate var isPassword: Bool {
        switch self {
        case .basic, .digest: true
        case .header, .connection: false
        }
    }
}

extension ProgramStep {
    /// Whether the application may be asked.
    var isPrompt: Bool {
        switch self {
        case .prompt: true
        case .http, .compute, .present: false
        case .when(_, let step): step.isPrompt
        }
    }

    /// The request that it sends, if it does.
    var call: HTTPCall? {
        switch self {
        case .http(let call): call
        case .prompt, .compute, .present: nil
        case .when(_, let step): step.call
        }
    }

    /// The login page that it shows, if it does.
    var page: LoginPage? {
        switch self {
        case .present(let page): page
        case .prompt, .compute, .http: nil
        case .when(_, let step): step.page
        }
    }

    /// The slot that it works out, and how, if it does.
    var computed: (slot: Int, function: ProgramFunction)? {
        switch self {
        case .compute(let slot, let function): (slot, function)
        case .prompt, .http, .present: nil
        case .when(_, let step): step.computed
        }
    }
}

extension ProgramFunction {
    /// Whether a value of one of these slots is a part of it.
    func uses(_ slots: [Int]) -> Bool {
        switch self {
        case .random: false
        case .totp(let key): key.uses(slots)
        case .json(let json): json.uses(slots)
        }
    }
}
