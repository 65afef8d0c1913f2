#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A ``MethodProgram`` with the values of its parameters, and what of the application takes part; knows no type of the method's own.
struct PreparedProgram: Sendable {
    let program: MethodProgram
    /// The values of the parameters by slot; those of all other slots are absent.
    let parameters: [ProgramValue]
    let prompter: (any ProgramPrompting)?
    /// Shows its pages; gives `nil` for the session's own.
    var presenter: @Sendable () -> (any WebPresenter)?
    /// Its pages that wait for another application; `nil` if it has none.
    let callbacks: AuthenticatorCallbacks?
    /// What of the application takes the place of a part of it, where an exchange says nothing else.
    private(set) var hooks: ApplicationHooks
    /// Can refuse credentials that no request has asked for, and receives all failures on a session.
    private(set) var review: @Sendable (Session) -> AuthenticationReview?
    /// What it has warned of.
    let warnings: SaidOnce
    /// What brings the tokens, of a method whose credential is one; in place of ``MethodProgram/acquire`` and ``MethodProgram/renewal``.
    var tokens: (any TokenSource)?
    /// Whether it is an operation of a landscape, which no challenge leads to.
    let isOperation: Bool
    /// The application's last word on token requests, by slot.
    let preparation: @Sendable (Int) -> RequestPreparation?
    /// What its steps need that the runtime's core has no code for.
    let tools: ProgramTools
    /// What its servers publish.
    let publications: Publications
    /// What its servers want proofs of possession to have in them.
    let nonces = ProofNonces()
    private let error: MakesError

    /// Makes an error of the method's own; ``ProgramParameters/error(_:_:_:)``.
    typealias MakesError = @Sendable (_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)?

    /// - Parameters:
    ///   - values: Those of the parameters, by slot.
    ///   - error: Makes an error of the method's own.
    ///   - callbacks: Its pages that wait for another application; `nil` for those of the program alone.
    ///   - review: The review of what no request has asked for; `nil` for that of `hooks`.
    ///   - publications: What its servers have published and it has fetched, where others share that.
    init(
        _ program: MethodProgram, values: [ProgramValue], prompter: (any ProgramPrompting)? = nil,
        presenter: @escaping @Sendable () -> (any WebPresenter)? = { nil }, callbacks: AuthenticatorCallbacks? = nil,
        hooks: ApplicationHooks = ApplicationHooks(), review: (@Sendable (Session) -> AuthenticationReview?)? = nil,
        warnings: SaidOnce = SaidOnce(), isOperation: Bool = false,
        preparation: @escaping @Sendable (Int) -> RequestPreparation? = { _ in nil },
        tools: ProgramTools = ProgramTools(), publications: Publications = Publications(),
        error: @escaping MakesError
    ) {
        self.isOperation = isOperation
        self.publications = publications
        self.preparation = preparation
        self.tools = tools
        self.program = program
        parameters = values
        self.prompter = prompter
        self.presenter = presenter
        self.callbacks = callbacks ?? AuthenticatorCallbacks(of: program)
        self.hooks = hooks
        self.review = review ?? { _ in hooks.review }
        self.warnings = warnings
        self.error = error
    }

    init<Parameters: ProgramParameters>(
        _ parameters: Parameters, prompter: (any ProgramPrompting)?, hooks: ApplicationHooks = ApplicationHooks()
    ) {
        self.init(
            Parameters.program, values: parameters.values, prompter: prompter, hooks: hooks,
            preparation: { parameters.preparation(at: $0) }, tools: Parameters.allTools, error: Parameters.error)
    }

    /// The same with what of an application takes part.
    func with(_ hooks: ApplicationHooks) -> PreparedProgram {
        var method = self
        method.hooks = hooks
        method.review = { _ in hooks.review }
        return method
    }

    /// An error of the method's own.
    ///
    /// - Parameters:
    ///   - number: Its index; `nil` if the spec has none for what happened.
    ///   - otherwise: What it is then.
    func error(_ number: Int?, or otherwise: CountersignError) -> any Error {
        number.flatMap { error($0, otherwise.detail, otherwise) } ?? otherwise
    }

    /// An error of the method's own; `nil` if it has none of the number.
    func error(_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)? { error(number, detail, cause) }

    /// What requests end in where a parameter cannot be used.
    func unusable(_ detail: String, _ code: CountersignError.Code, at origin: Origin? = nil) -> any Error {
        error(
            program.failures[.invalidArgument],
            or: CountersignError(
                code, detail: detail, authenticationMethod: isOperation ? nil : program.name, origin: origin))
    }

    /// An address to which a login can be sent: encrypted, or on this machine.
    ///
    /// - Parameter name: What the spec calls it, such as `{tokenEndpointURL}`.
    func address(_ url: URL?, calledAs name: String) throws -> URL {
        guard let url, url.user == nil, url.password == nil, let origin = Origin(url) else {
            throw unusable("\(name) is not an absolute http or https URL without a user", .invalidRequest)
        }
        try check(origin, calledAs: name)
        return url
    }

    /// Throws unless a login can be sent to a server.
    func check(_ origin: Origin, calledAs name: String) throws {
        guard !origin.isPrivate else { return }
        throw unusable(
            "\(name) leads to \(origin), where credentials would be sent unencrypted", .insecureDestination, at: origin)
    }

    /// A text as the spec has it, such as `{loginURL}`.
    func spelling(of template: ProgramTemplate) -> String {
        template.pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .slot(let slot):
                program.slots[slot].name.contains("{") || program.slots[slot].name.contains("://")
                    ? program.slots[slot].name : "{\(program.slots[slot].name)}"
            case .requestOrigin: "{request.origin}"
            case .request(let part): "{request.\(part.rawValue)}"
            case .computed: "{computed}"
            }
        }.joined()
    }

    /// Whether a login leaves its credential in the session's own cookies.
    var usesSessionCookies: Bool { program.credential.isSessionCookies }

    /// What requests end in where the application gives nothing that can be sent.
    func error(for failure: CredentialFailure, at server: Origin?) -> any Error {
        let number = program.failures[failure.kind]
        let place = server.map { " for \($0)" } ?? ""
        return switch failure {
        case .cancelled: error(number, or: CountersignError(.cancelled, detail: "the application gave no credential"))
        case .missing:
            error(number, or: CountersignError(.credentialMissing, detail: "the application has no credential\(place)"))
        case .unusable(let detail):
            number.flatMap { error($0, detail, failure) }
                ?? CountersignError(.invalidRequest, detail: "the application's credential cannot be used: \(detail)")
        }
    }

    /// What requests end in where a flight has failed.
    ///
    /// - Parameter origin: The server that the credential is for; `nil` for several.
    func error(of failure: any Error, at origin: Origin?) -> any Error {
        switch failure {
        case FlightFailure.cancelled, FlightFailure.busy:
            let isBusy = failure as? FlightFailure == .busy
            let otherwise = CountersignError(
                isBusy ? FlightFailure.busy : .cancelled, authenticationMethod: program.name, origin: origin)
            return error(program.failures[isBusy ? .busy : .cancelled], or: otherwise)
        case let failure as FlightFailure:
            return CountersignError(failure, authenticationMethod: program.name, origin: origin)
        case let error as TransportError:
            // On the way to the credential, not of the request.
            return CountersignError(
                .unreachable, detail: "a server that the credential comes from could not be asked: \(error.detail)",
                authenticationMethod: program.name, origin: error.origin ?? origin)
        case let failure as ApplicationFailure: return failure.error
        case let error as CountersignError: return error.completed(authenticationMethod: program.name, origin: origin)
        default: return failure
        }
    }

    /// The slots of what a credential consists of.
    var credentialSlots: [Int] { program.credential.fields.map(\.slot) + [program.credential.cookies].compactMap(\.self) }

    /// The slots in which steps find what the credential before had, with those of its fields.
    var slotsBefore: [(slot: Int, field: Int)] {
        program.credential.fields.compactMap { field in
            let name = "before.\(program.slots[field.slot].name)"
            return program.slots.firstIndex { $0.name == name }.map { ($0, field.slot) }
        }
    }

    /// Whether a user may take part.
    var isInteractive: Bool {
        if let tokens { return tokens.isInteractive }
        return program.acquire.contains { $0.page != nil } || prompter != nil && program.acquire.contains(where: \.isPrompt)
    }

    /// Whether the credential is a token of OAuth 2.0. Then it is taken from the store before the first request is sent, and what has run
    /// out is replaced before the next, also by a user.
    var isToken: Bool { program.credential.token != nil }

    /// Whether there is a way to a credential but for what a challenge says.
    var obtains: Bool { isToken || !program.acquire.isEmpty }

    /// Whether servers' refusals are counted, and a credential is given up that they refuse too often. Otherwise the first challenge to a
    /// request asks for another credential, whatever servers have accepted, and the second one ends the request and nothing else.
    var countsRefusals: Bool { !usesSessionCookies && !isToken }

    /// Whether all that a credential takes is to ask the application, which has it already.
    var onlyAsks: Bool { !program.acquire.isEmpty && program.acquire.allSatisfy(\.isPrompt) }

    /// Whether the steps to a credential take no challenge, nor a user but for a token and for what requests have from the first on.
    var acquiresUnasked: Bool {
        isToken
            || program.credential.isEager
            || !isInteractive && !program.acquire.isEmpty && !usesDigest && !program.slots.contains { $0.source == .challenge }
    }

    /// Whether the steps to a credential are taken ahead of time, while requests go on with the present one.
    var acquiresEarly: Bool { isToken ? !isInteractive : acquiresUnasked }

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

    /// How requests prove who the user is, by the Negotiate scheme; `nil` if they do not.
    var negotiation: Negotiation? {
        program.attach.lazy.compactMap { if case .negotiate(let negotiation) = $0 { negotiation } else { nil } }.first
    }

    /// What requests end in where there is no ticket, or something else is wrong with the security context.
    func error(of failure: SecurityContextError, at origin: Origin) -> any Error {
        guard failure.code != .serverNotProven else {
            return CountersignError(
                .serverNotProven, detail: failure.detail, authenticationMethod: program.name, origin: origin)
        }
        let missing = CountersignError(
            .credentialMissing, detail: failure.detail, authenticationMethod: program.name, origin: origin)
        // Without the library, a ticket would not help.
        guard [.noTicket, .expiredTicket, .unknownServer].contains(failure.code) else { return missing }
        return error(program.failures[.missing], or: missing)
    }

    /// Whether requests prove that they come from the client that the credential was issued to.
    var provesPossession: Bool { program.attach.contains { if case .proof = $0 { true } else { false } } }

    /// Whether a credential has something that must not be sent unencrypted.
    var isSecret: Bool {
        guard !usesSessionCookies else { return false }
        return isToken || program.slots.contains(where: \.isSecret) || program.attach.contains(where: \.isPassword)
    }

    /// How many flights one request can need: what is stored, a renewal, the first credential, one after each refusal, and the end.
    var mostFlightsOfARequest: Int {
        guard countsRefusals else { return 1 }
        return 3 + (program.renewal == nil ? 0 : 1) + (program.rejections.map(\.retries).max() ?? 0)
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
        let server = program.credential.space == .servers || usesSessionCookies ? nil : origin
        guard !program.credential.separators.isEmpty else { return ProtectionSpace(server: server, separators: []) }
        var values = parameters
        for (slot, value) in challenge.values { values[slot] = value }
        return ProtectionSpace(
            server: server, separators: program.credential.separators.map { $0.text(values, origin: origin) })
    }

    /// Where its login pages end.
    var redirects: [AuthorizationRedirect] {
        if let tokens { return tokens.redirects }
        return program.acquire.enumerated().compactMap { index, step in
            step.page.flatMap {
                AuthorizationRedirect(of: $0, before: program.acquire[(index + 1)...], with: parameters, of: self)
            }
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
        case .basic, .digest, .signature, .messageSignature, .negotiate: true
        case .header, .connection, .computed, .proof: false
        }
    }
}

extension ProgramStep {
    /// Whether the application may be asked.
    var isPrompt: Bool {
        switch self {
        case .prompt, .ask: true
        case .http, .token, .compute, .present, .document, .verify: false
        case .when(_, let step), .step(let step, _): step.isPrompt
        case .repeat(let repetition): repetition.steps.contains(where: \.isPrompt)
        }
    }

    /// The slots that the application is asked for.
    var prompted: [Int] {
        switch self {
        case .prompt(_, let slots): slots
        case .ask(_, _, let slot, _): [slot]
        case .http, .token, .compute, .present, .document, .verify: []
        case .when(_, let step), .step(let step, _): step.prompted
        case .repeat(let repetition): repetition.steps.flatMap(\.prompted)
        }
    }

    /// Whether the application may be asked for what a server wants to know.
    var asksPages: Bool {
        switch self {
        case .ask: true
        case .prompt, .http, .token, .compute, .present, .document, .verify: false
        case .when(_, let step), .step(let step, _): step.asksPages
        case .repeat(let repetition): repetition.steps.contains(where: \.asksPages)
        }
    }

    /// Whether it makes a value that no one gives.
    var isGeneration: Bool {
        switch self {
        case .compute(_, .random), .compute(_, .signingKey): true
        case .prompt, .present, .http, .token, .compute, .ask, .repeat, .document, .verify: false
        case .when(_, let step), .step(let step, _): step.isGeneration
        }
    }

    /// The request that it sends, if it does.
    var call: HTTPCall? {
        switch self {
        case .http(let call): call
        case .prompt, .compute, .present, .token, .ask, .document, .verify: nil
        case .when(_, let step), .step(let step, _): step.call
        case .repeat(let repetition): repetition.steps.lazy.compactMap(\.call).first
        }
    }

    /// All requests that it can send.
    var calls: [HTTPCall] {
        if case .repeat(let repetition) = self { repetition.steps.flatMap(\.calls) } else { [call].compactMap(\.self) }
    }

    /// The token request that it sends, if it does.
    var tokenCall: TokenCall? {
        switch self {
        case .token(let call): call
        case .prompt, .compute, .present, .http, .ask, .document, .verify: nil
        case .when(_, let step), .step(let step, _): step.tokenCall
        case .repeat(let repetition): repetition.steps.lazy.compactMap(\.tokenCall).first
        }
    }

    /// The tokens that it checks.
    var verifications: [TokenVerification] {
        switch self {
        case .verify(let verification): [verification]
        case .when(_, let step), .step(let step, _): step.verifications
        case .repeat(let repetition): repetition.steps.flatMap(\.verifications)
        case .prompt, .present, .http, .token, .document, .compute, .ask: []
        }
    }

    /// Whether it fetches what a server publishes.
    var isDocument: Bool { if case .document = self { true } else { false } }

    /// Where its request goes, if it sends one.
    var endpoint: ProgramTemplate? { call?.url ?? tokenCall?.url }

    /// The login page that it shows, if it does.
    var page: LoginPage? {
        switch self {
        case .present(let page): page
        case .prompt, .compute, .http, .token, .ask, .document, .verify: nil
        case .when(_, let step), .step(let step, _): step.page
        case .repeat(let repetition): repetition.steps.lazy.compactMap(\.page).first
        }
    }

    /// Whether it sends a request again and again until a server has its final answer.
    func polls(_ call: HTTPCall) -> Bool {
        switch self {
        case .repeat(let repetition): repetition.interval != nil && repetition.steps.contains { $0.calls.contains(call) }
        case .when(_, let step), .step(let step, _): step.polls(call)
        case .prompt, .present, .http, .token, .compute, .ask, .document, .verify: false
        }
    }

    /// The page that it shows with a code, where its conditions hold; `nil` if it does not.
    func codePage(_ values: [ProgramValue]) -> LoginPage? {
        switch self {
        case .present(let page): page.code == nil ? nil : page
        case .when(let conditions, let step): conditions.allSatisfy { $0.holds(values) } ? step.codePage(values) : nil
        case .step(let step, _): step.codePage(values)
        case .prompt, .http, .token, .compute, .ask, .repeat, .document, .verify: nil
        }
    }

    /// The slot that it works out, and how, if it does.
    var computed: (slot: Int, function: ProgramFunction)? {
        switch self {
        case .compute(let slot, let function): (slot, function)
        case .prompt, .http, .token, .present, .ask, .repeat, .document, .verify: nil
        case .when(_, let step), .step(let step, _): step.computed
        }
    }
}

extension ProgramFunction {
    /// Whether a value of one of these slots is a part of it.
    func uses(_ slots: [Int]) -> Bool {
        switch self {
        case .random, .signingKey: false
        case .totp(let text), .thumbprint(let text): text.uses(slots)
        case .join(let texts), .scopes(let texts), .same(let texts): texts.contains { $0.uses(slots) }
        case .value(let slot): slots.contains(slot)
        case .json(let json): json.uses(slots)
        case .merge(let objects): objects.contains { $0.uses(slots) }
        case .certificate(let function): function.uses(slots)
        case .digest(let digest): digest.templates.contains { $0.uses(slots) }
        case .time(_, let clock): clock.map(slots.contains) ?? false
        }
    }
}
