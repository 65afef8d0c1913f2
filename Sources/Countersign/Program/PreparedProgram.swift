#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A ``MethodProgram`` with the values of its parameters and the application's objects that take part in it. It does not depend
/// on the method's generated types.
struct PreparedProgram: Sendable {
    let program: MethodProgram
    /// The values of the parameters by slot; those of all other slots are absent.
    let parameters: [ProgramValue]
    let prompter: (any ProgramPrompting)?
    /// Returns the presenter of the method's pages; `nil` uses the session's.
    var presenter: @Sendable () -> (any WebPresenter)?
    /// The method's pages that wait for another application; `nil` if there are none.
    let callbacks: AuthenticatorCallbacks?
    /// The application's hooks, unless an exchange has its own.
    private(set) var hooks: ApplicationHooks
    /// Returns the review of a session, which can refuse credentials that no request has asked for, and receives all failures.
    private(set) var review: @Sendable (Session) -> AuthenticationReview?
    /// The warnings that have been reported.
    let warnings: SaidOnce
    /// The source of tokens if the credential is a token. It replaces ``MethodProgram/acquire`` and ``MethodProgram/renewal``.
    var tokens: (any TokenSource)?
    /// Whether the program is an operation of a landscape, which no challenge starts.
    let isOperation: Bool
    /// Returns the application's function that prepares a token request, by slot.
    let preparation: @Sendable (Int) -> RequestPreparation?
    /// The functions of steps that are implemented outside of the core module.
    let tools: ProgramTools
    /// The documents and keys that were fetched from the method's servers.
    let publications: Publications
    /// The nonces that the method's servers require in proofs of possession.
    let nonces = ProofNonces()
    /// The order of prompts for single requests.
    let turns = KeyedLocks()
    /// The refused logins of single requests.
    let refusedLogins = SharedRefusedLogins()
    private let error: MakesError

    /// Creates an error of the method; see ``ProgramParameters/error(_:_:_:)``.
    typealias MakesError = @Sendable (_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)?

    /// - Parameters:
    ///   - values: The values of the parameters, by slot.
    ///   - error: Creates an error of the method.
    ///   - callbacks: The pages that wait for another application; `nil` for those of this program only.
    ///   - review: The review of credentials that no request has asked for; `nil` for that of `hooks`.
    ///   - publications: The fetched documents and keys, if they are shared with other programs.
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

    /// Returns the program with other hooks.
    func with(_ hooks: ApplicationHooks) -> PreparedProgram {
        var method = self
        method.hooks = hooks
        method.review = { _ in hooks.review }
        return method
    }

    /// Returns an error of the method, or a general one.
    ///
    /// - Parameters:
    ///   - number: The number of the method's error; `nil` if the spec has none for this failure.
    ///   - otherwise: The error if the method has none.
    func error(_ number: Int?, or otherwise: CountersignError) -> any Error {
        number.flatMap { error($0, otherwise.detail, otherwise) } ?? otherwise
    }

    /// Returns an error of the method; `nil` if it has none with this number.
    func error(_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)? { error(number, detail, cause) }

    /// Returns the error of requests if a parameter is unusable.
    func unusable(_ detail: String, _ code: CountersignError.Code, at origin: Origin? = nil) -> any Error {
        error(
            program.failures[.invalidArgument],
            or: CountersignError(
                code, detail: detail, authenticationMethod: isOperation ? nil : program.name, origin: origin))
    }

    /// Returns a URL to which a login can be sent: encrypted, or on this machine.
    ///
    /// - Parameter name: The name of the URL in the spec, such as `{tokenEndpointURL}`.
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

    /// Returns a template as it is written in the spec, such as `{loginURL}`.
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

    /// Whether the credential consists of the session's own cookies.
    var usesSessionCookies: Bool { program.credential.isSessionCookies }

    /// Returns the error of requests if the application has no usable credential.
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

    /// Returns the error of requests after a failed flight.
    ///
    /// - Parameter origin: The server of the credential; `nil` for several.
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
            // The error belongs to a request for the credential, not to the application's request.
            return CountersignError(
                .unreachable, detail: "a server that provides the credential could not be reached: \(error.detail)",
                authenticationMethod: program.name, origin: error.origin ?? origin)
        case let failure as ApplicationFailure: return failure.error
        case let error as CountersignError: return error.completed(authenticationMethod: program.name, origin: origin)
        default: return failure
        }
    }

    /// The slots of the credential's fields and cookies.
    var credentialSlots: [Int] { program.credential.fields.map(\.slot) + [program.credential.cookies].compactMap(\.self) }

    /// The slots that hold the values of the previous credential, each with the slot of the field.
    var slotsBefore: [(slot: Int, field: Int)] {
        program.credential.fields.compactMap { field in
            let name = "before.\(program.slots[field.slot].name)"
            return program.slots.firstIndex { $0.name == name }.map { ($0, field.slot) }
        }
    }

    /// Whether obtaining a credential may involve the user.
    var isInteractive: Bool {
        if let tokens { return tokens.isInteractive }
        return program.acquire.contains { $0.page != nil } || prompter != nil && program.acquire.contains(where: \.isPrompt)
    }

    /// Whether the credential is an OAuth 2.0 token. It is then loaded from the store before the first request, and an expired
    /// token is replaced before the next request, even if this involves the user.
    var isToken: Bool { program.credential.token != nil }

    /// Whether a credential can be obtained from anything other than a challenge.
    var obtains: Bool { isToken || !program.acquire.isEmpty }

    /// Whether refusals by servers are counted, and a credential is discarded if it is refused too often. Otherwise the first
    /// challenge to a request asks for another credential, even if servers have accepted the current one, and the second one
    /// fails only that request.
    var countsRefusals: Bool { !usesSessionCookies && !isToken }

    /// Whether obtaining a credential only asks the application, which already has it.
    var onlyAsks: Bool { !program.acquire.isEmpty && program.acquire.allSatisfy(\.isPrompt) }

    /// Whether requests obtain the credential without a challenge, before it expires or when it has expired. The user is involved
    /// only for a token or for a credential that requests carry from the first one on.
    ///
    /// A challenge with values for the steps, even optional ones such as a scope, is waited for: a credential without them could be
    /// refused. An application that calls ``obtainsWithoutChallenge`` methods in advance accepts that.
    var acquiresUnasked: Bool {
        isToken
            || program.credential.isEager
            || !isInteractive && !program.acquire.isEmpty && !usesDigest && !program.slots.contains { $0.source == .challenge }
    }

    /// Whether a new credential is obtained ahead of time, while requests continue to use the current one.
    var acquiresEarly: Bool { isToken ? !isInteractive : acquiresUnasked }

    /// Whether a credential can be renewed without the user.
    ///
    /// - Parameter values: All values by slot.
    func canRenew(_ values: [ProgramValue]) -> Bool {
        program.renewal.map { $0.needs.allSatisfy { values[$0] != .absent } } ?? false
    }

    /// Whether the credential is the client certificate of connections.
    var usesConnection: Bool { program.attach.contains { if case .connection = $0 { true } else { false } } }

    /// Whether requests are signed by the Digest scheme.
    var usesDigest: Bool { program.attach.contains { if case .digest = $0 { true } else { false } } }

    /// The settings of the Negotiate scheme; `nil` if requests do not use it.
    var negotiation: Negotiation? {
        program.attach.lazy.compactMap { if case .negotiate(let negotiation) = $0 { negotiation } else { nil } }.first
    }

    /// Returns the error of requests if there is no ticket, or if the security context fails for another reason.
    func error(of failure: SecurityContextError, at origin: Origin) -> any Error {
        guard failure.code != .serverNotProven else {
            return CountersignError(
                .serverNotProven, detail: failure.detail, authenticationMethod: program.name, origin: origin)
        }
        let missing = CountersignError(
            .credentialMissing, detail: failure.detail, authenticationMethod: program.name, origin: origin)
        // Other failures, such as a missing library, would persist with a ticket.
        guard [.noTicket, .expiredTicket, .unknownServer].contains(failure.code) else { return missing }
        return error(program.failures[.missing], or: missing)
    }

    /// Whether requests prove that they come from the client that the credential was issued to.
    var provesPossession: Bool { program.attach.contains { if case .proof = $0 { true } else { false } } }

    /// Whether a credential contains a secret that must not be sent unencrypted.
    var isSecret: Bool {
        guard !usesSessionCookies else { return false }
        return isToken || program.slots.contains(where: \.isSecret) || program.attach.contains(where: \.isPassword)
    }

    /// The maximum number of flights that one request can need: the stored credential, a renewal, the first credential, one after
    /// each refusal, and the end.
    var mostFlightsOfARequest: Int {
        guard countsRefusals else { return 1 }
        return 3 + (program.renewal == nil ? 0 : 1) + (program.rejections.map(\.retries).max() ?? 0)
    }

    /// The origins that may receive the credential; `nil` for the first origin that the application requests.
    var destinations: ProtectedOrigins? {
        let named = program.credential.destinations.filter { parameters[$0] != .absent }
        if named.isEmpty, program.credential.isForRequested { return nil }
        let origins = named.map { parameters[$0].origins }
        if origins.contains(.anywhere) { return .anywhere }
        return ProtectedOrigins(origins: Set(origins.compactMap(\.origins).joined()))
    }

    /// Whether each challenged request has its own credential.
    var isForOneRequest: Bool { program.credential.space == .request }

    /// Returns the protection space of an exchange, for a credential that is for one request.
    func ownPlace(in exchange: ExchangeContext) -> ProtectionSpace {
        ProtectionSpace(server: exchange.origin, separators: [], exchange: exchange.number)
    }

    /// The place of the credential in bodies; `nil` if it is not in bodies.
    var bodyPlace: BodyPlace? {
        let members = program.attach.compactMap { $0.memberName(parameters) }
        return members.first.map { BodyPlace(format: $0.format, names: members.map(\.name)) }
    }

    /// Returns the protection space of a challenge.
    func place(of challenge: ChallengeReading, at origin: Origin) -> ProtectionSpace {
        let server = program.credential.space == .servers || usesSessionCookies ? nil : origin
        guard !program.credential.separators.isEmpty else { return ProtectionSpace(server: server, separators: []) }
        var values = parameters
        for (slot, value) in challenge.values { values[slot] = value }
        return ProtectionSpace(
            server: server, separators: program.credential.separators.map { $0.text(values, origin: origin) })
    }

    /// The redirects that end the login pages.
    var redirects: [AuthorizationRedirect] {
        if let tokens { return tokens.redirects }
        return program.acquire.enumerated().compactMap { index, step in
            step.page.flatMap {
                AuthorizationRedirect(of: $0, before: program.acquire[(index + 1)...], with: parameters, of: self)
            }
        }
    }

    /// Returns the non-secret values of a challenge, by their names in the spec.
    func texts(of challenge: ChallengeReading) -> [String: String] {
        var texts: [String: String] = [:]
        for (slot, value) in challenge.values where !program.slots[slot].isSecret { texts[program.slots[slot].name] = value.text }
        return texts
    }
}

extension CredentialPlacement {
    /// Whether the placement sends a secret, even if the spec does not mark its values as secret.
    fileprivate var isPassword: Bool {
        switch self {
        case .basic, .digest, .signature, .messageSignature, .negotiate: true
        case .header, .query, .json, .form, .connection, .computed, .proof: false
        }
    }
}

extension ProgramStep {
    /// Whether the step may ask the application.
    var isPrompt: Bool {
        switch self {
        case .prompt, .ask: true
        case .http, .token, .compute, .present, .document, .verify: false
        case .when(_, let step), .step(let step, _): step.isPrompt
        case .repeat(let repetition): repetition.steps.contains(where: \.isPrompt)
        }
    }

    /// The slots that the step asks the application for.
    var prompted: [Int] {
        switch self {
        case .prompt(_, let slots): slots
        case .ask(_, _, let slot, _): [slot]
        case .http, .token, .compute, .present, .document, .verify: []
        case .when(_, let step), .step(let step, _): step.prompted
        case .repeat(let repetition): repetition.steps.flatMap(\.prompted)
        }
    }

    /// Whether the step may ask the application for input that a server requests.
    var asksPages: Bool {
        switch self {
        case .ask: true
        case .prompt, .http, .token, .compute, .present, .document, .verify: false
        case .when(_, let step), .step(let step, _): step.asksPages
        case .repeat(let repetition): repetition.steps.contains(where: \.asksPages)
        }
    }

    /// Whether the step generates a value without any input.
    var isGeneration: Bool {
        switch self {
        case .compute(_, .random), .compute(_, .signingKey): true
        case .prompt, .present, .http, .token, .compute, .ask, .repeat, .document, .verify: false
        case .when(_, let step), .step(let step, _): step.isGeneration
        }
    }

    /// The first request that the step sends; `nil` if it sends none.
    var call: HTTPCall? {
        switch self {
        case .http(let call): call
        case .prompt, .compute, .present, .token, .ask, .document, .verify: nil
        case .when(_, let step), .step(let step, _): step.call
        case .repeat(let repetition): repetition.steps.lazy.compactMap(\.call).first
        }
    }

    /// The steps that a repetition repeats, without their conditions; the step itself if it is no repetition.
    var single: [ProgramStep] {
        switch self {
        case .repeat(let repetition): repetition.steps.flatMap(\.single)
        case .when(_, let step), .step(let step, _): step.single
        case .prompt, .present, .http, .token, .compute, .ask, .document, .verify: [self]
        }
    }

    /// All requests that the step can send.
    var calls: [HTTPCall] {
        if case .repeat(let repetition) = self { repetition.steps.flatMap(\.calls) } else { [call].compactMap(\.self) }
    }

    /// The first token request that the step sends; `nil` if it sends none.
    var tokenCall: TokenCall? {
        switch self {
        case .token(let call): call
        case .prompt, .compute, .present, .http, .ask, .document, .verify: nil
        case .when(_, let step), .step(let step, _): step.tokenCall
        case .repeat(let repetition): repetition.steps.lazy.compactMap(\.tokenCall).first
        }
    }

    /// The tokens that the step verifies.
    var verifications: [TokenVerification] {
        switch self {
        case .verify(let verification): [verification]
        case .when(_, let step), .step(let step, _): step.verifications
        case .repeat(let repetition): repetition.steps.flatMap(\.verifications)
        case .prompt, .present, .http, .token, .document, .compute, .ask: []
        }
    }

    /// Whether the step fetches a document of a server.
    var isDocument: Bool { if case .document = self { true } else { false } }

    /// The URL of the step's request; `nil` if it sends none.
    var endpoint: ProgramTemplate? { call?.url ?? tokenCall?.url }

    /// The login page that the step shows; `nil` if it shows none.
    var page: LoginPage? {
        switch self {
        case .present(let page): page
        case .prompt, .compute, .http, .token, .ask, .document, .verify: nil
        case .when(_, let step), .step(let step, _): step.page
        case .repeat(let repetition): repetition.steps.lazy.compactMap(\.page).first
        }
    }

    /// Whether the step polls: it repeats the request, with pauses, until the server sends its final answer.
    func polls(_ call: HTTPCall) -> Bool {
        switch self {
        case .repeat(let repetition): repetition.interval != nil && repetition.steps.contains { $0.calls.contains(call) }
        case .when(_, let step), .step(let step, _): step.polls(call)
        case .prompt, .present, .http, .token, .compute, .ask, .document, .verify: false
        }
    }

    /// Returns the page with a code that the step shows if its conditions hold; `nil` if it shows none.
    func codePage(_ values: [ProgramValue]) -> LoginPage? {
        switch self {
        case .present(let page): page.code == nil ? nil : page
        case .when(let conditions, let step): conditions.allSatisfy { $0.holds(values) } ? step.codePage(values) : nil
        case .step(let step, _): step.codePage(values)
        case .prompt, .http, .token, .compute, .ask, .repeat, .document, .verify: nil
        }
    }

    /// The slot that the step computes and the function; `nil` if it computes none.
    var computed: (slot: Int, function: ProgramFunction)? {
        switch self {
        case .compute(let slot, let function): (slot, function)
        case .prompt, .http, .token, .present, .ask, .repeat, .document, .verify: nil
        case .when(_, let step), .step(let step, _): step.computed
        }
    }
}

extension ProgramFunction {
    /// Returns the scopes (RFC 6749, section 3.3) of texts and lists without repetition; `nil` if there is none. A server can send
    /// as many as a body holds.
    static func distinctScopes(of texts: [ProgramTemplate], _ values: [ProgramValue]) -> String? {
        var scopes: [Substring] = []
        var known: Set<Substring> = []
        for text in texts {
            let found = text.loneSlot.map { values[$0].texts } ?? [text.text(values)].compactMap(\.self)
            for scope in found.flatMap({ $0.split(separator: " ") }) where known.insert(scope).inserted { scopes.append(scope) }
        }
        return scopes.isEmpty ? nil : scopes.joined(separator: " ")
    }

    /// Whether the function uses one of these slots.
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
