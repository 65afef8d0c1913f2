#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Runs the steps of a ``MethodProgram``.
///
/// It has the values of one run. Extensions run the steps that ask, send requests, show pages, repeat or compute.
package struct StepRunner: Sendable {
    let method: PreparedProgram
    let session: Session
    let report: @Sendable (SessionEvent.Kind) -> Void
    /// All values, by slot.
    package internal(set) var values: [ProgramValue]
    /// The cookies that requests carry and change in place of the session's; `nil` if the method has no cookies of its own.
    let cookies: CookieJar?
    /// The cookies of requests and pages after a logout, none at first; `nil` before. By then the session can have cookies of the
    /// next user.
    private(set) var cookiesAfterLogout: CookieJar?
    /// The session's cookies at the beginning of the run; `nil` if the method has its own cookies or none.
    let sessionCookies: CookieJar.Snapshot?
    /// The slots with the application's answers, and the slots that were computed from them.
    var asked: [Int] = []
    /// The slots that were computed.
    var computed: [Int] = []
    /// The computed slots that combine scopes or claims, and are therefore no secrets.
    var combined: Set<Int> = []
    /// The slots that were computed from the time, from a new key or from values that a server sent for this run only, and copies,
    /// each with the slots that it was computed from.
    var momentary: [Int: Set<Int>] = [:]
    /// The slots with values of responses, and the slots that were computed from them without a hash or a signature.
    var issued: Set<Int> = []
    /// Whether a server has accepted a request with the login's values, or a login page has ended. The cookies since then can be
    /// those of the user's session.
    var hasLoggedIn = false
    /// Whether the previous step has generated a value without input.
    var isGenerating = false
    /// The refused logins, which are not sent again for a while.
    var refusedLogins = RefusedLogins()
    /// Asks for the input that servers request; `nil` if the application has no source of input.
    private(set) var pages: LoginPrompter?
    /// Creates keys and certificates for steps that need them.
    var certificates: (any CertificateMaking)?
    /// The application's answers to input requests, which are removed from servers' messages.
    var secrets: Set<String> = []
    /// The increase of the next pause that servers ask for.
    var delay = Duration.zero
    /// The number of steps with a request since the last pause between repetitions.
    var exchanges = 0
    /// The destination of the last request.
    var place: CallRun.Place?
    /// The further URLs that documents name beside the captured ones, by slot.
    var furtherURLs: [Int: [URL]] = [:]
    /// The state of a run that obtains a token, with the token itself; `nil` for other credentials.
    var token: TokenRun?
    /// The time on the session's clock.
    let now: @Sendable () -> Duration

    /// Creates a runner, and fills the fields of the credential that need no step.
    ///
    /// - Parameters:
    ///   - challenge: The challenge that led to the run.
    ///   - session: The session that sends the requests.
    ///   - report: Called after each completed step.
    init(
        _ method: PreparedProgram, after challenge: ChallengeReading, in session: Session,
        report: @escaping @Sendable (SessionEvent.Kind) -> Void
    ) {
        let shared = method.usesSessionCookies ? session.cookies.fork() : nil
        let own = method.program.credential.cookies == nil ? nil : session.cookies.emptied()
        self.init(method, values: method.parameters, cookies: shared ?? own, of: shared, in: session, report: report)
        for (slot, value) in challenge.values { values[slot] = value }
        for field in method.program.credential.fields {
            if let slot = field.value?.loneSlot, case .duration = values[slot] { values[field.slot] = values[slot] }
            guard let text = field.value?.text(values) else { continue }
            values[field.slot] = method.program.slots[field.slot].isSecret ? .secret(text) : .text(text)
        }
    }

    /// Creates a runner that starts with the values of a credential.
    init(
        _ method: PreparedProgram, with credential: HeldCredential, in session: Session,
        report: @escaping @Sendable (SessionEvent.Kind) -> Void
    ) {
        self.init(
            method, values: method.parameters, cookies: credential.cookies?.fork(), of: nil, in: session, report: report)
        for (slot, value) in zip(method.credentialSlots, credential.values) { values[slot] = value }
        if let token = credential.token { fillSlots(of: token) }
    }

    /// Creates a runner that obtains a token.
    ///
    /// - Parameters:
    ///   - renewing: The token to renew; `nil` for a new token.
    ///   - user: The session whose requests need the token.
    init(
        _ method: PreparedProgram, renewing: OAuth2Token?, at clock: TokenClock, for user: Session, in session: Session,
        report: @escaping @Sendable (SessionEvent.Kind) -> Void
    ) {
        self.init(method, after: .none, in: session, report: report)
        token = TokenRun(clock: clock, renewing: renewing, for: user)
        if let renewing { fillSlots(of: renewing) }
    }

    /// Fills the slots from which steps read a token.
    private mutating func fillSlots(of token: OAuth2Token) {
        let slots = method.program.credential.token
        if let slot = slots?.access { values[slot] = .secret(token.accessToken) }
        if let slot = slots?.refresh, let text = token.refreshToken { values[slot] = .secret(text) }
    }

    /// Creates a runner of an enrolment, for which no request waits.
    ///
    /// - Parameters:
    ///   - given: Additional values, by slot.
    ///   - input: Answers the input requests of servers; `nil` if nothing can.
    package init(
        _ parameters: some ProgramParameters, given: [Int: ProgramValue], input: (any LoginInputSource)?,
        certificates: any CertificateMaking, in session: Session
    ) {
        let method = PreparedProgram(parameters, prompter: nil)
        self.init(method, values: method.parameters, cookies: nil, of: nil, in: session) { kind in
            session.report(SessionEvent(kind, observer: method.program.name))
        }
        for (slot, value) in given { values[slot] = value }
        pages = input.map(LoginPrompter.init)
        self.certificates = certificates
    }

    /// Creates a runner with the given values.
    ///
    /// - Parameter shared: A copy of the session's cookies if the login changes them.
    private init(
        _ method: PreparedProgram, values: [ProgramValue], cookies: CookieJar?, of shared: CookieJar?, in session: Session,
        report: @escaping @Sendable (SessionEvent.Kind) -> Void
    ) {
        self.method = method
        self.session = session
        self.report = report
        self.values = values
        self.cookies = cookies
        sessionCookies = shared?.snapshot()
        pages = method.prompter?.input.map(LoginPrompter.init)
        certificates = method.tools.certificates
        now = session.now
    }

    /// Runs the steps of an enrolment.
    ///
    /// - Throws: The method's errors; ``CountersignError``; ``TransportError``; `ServerPinError`; an error of the application;
    ///   `CancellationError`.
    package mutating func run(_ steps: [ProgramStep]) async throws {
        do {
            try await run(steps, nil)
        } catch let error as CountersignError {
            throw error.completed(authenticationMethod: method.program.name)
        }
    }

    /// Runs the steps after a logout, each independently of the others. It is not a failure if the user closes a page or leaves
    /// it open for too long, since the user has already logged out of the session.
    ///
    /// - Parameter limit: The time for which a page is shown; `nil` to show none.
    /// - Throws: The first failure; see ``run(_:_:)``.
    mutating func end(showingPagesFor limit: Duration?) async throws {
        var failure: (any Error)?
        cookiesAfterLogout = session.cookies.emptied()
        for step in method.program.end {
            do {
                if step.page == nil {
                    try await run([step], nil)
                } else if let limit {
                    try await show(step, for: limit)
                }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Runs the steps.
    ///
    /// - Parameter prompt: The prompt for the application; `nil` if it cannot be asked.
    /// - Throws: ``CallRun/Refusal``; ``OAuth2TokenFailure``; the method's errors; ``CountersignError``; ``TransportError``; an
    ///   error of the application's; `CancellationError`.
    mutating func run(_ steps: [ProgramStep], _ prompt: CredentialPrompt?) async throws {
        // After the first input request, the application waits for the next one until it is notified that there are no more.
        let asking = steps.indices.filter { steps[$0].asksPages }
        // A code is shown while the step after its page runs.
        var shown: LoginPage?
        let firstOfOwn = steps.firstIndex { !$0.isDocument }
        for (index, step) in steps.enumerated() {
            if index == firstOfOwn { try await fetchKeys(for: steps) }
            if let page = step.codePage(values) {
                shown = page
                continue
            }
            do {
                if let page = shown {
                    shown = nil
                    try await run(step, before: steps[(index + 1)...], prompt, while: page)
                } else {
                    try await run(step, before: steps[(index + 1)...], prompt)
                }
            } catch {
                if let first = asking.first, let last = asking.last, first...last ~= index { await pages?.finished() }
                switch error {
                case let failure as OAuth2TokenFailure: throw failure.completed(step: index)
                case let failure as StepFailure:
                    // An endpoint may have moved, so the documents have to be fetched again.
                    if [.status, .network].contains(failure.kind) { method.publications.forgetDocuments() }
                    throw failure.error
                default: throw error
                }
            }
            if index == asking.last { await pages?.finished() }
        }
        guard shown == nil else {
            throw CountersignError(
                .invalidRequest, detail: "a page with a code is shown while the next step runs, but there is no next step")
        }
        if let slot = method.program.credential.cookies, let cookies { values[slot] = .cookies(cookies.all) }
    }

    /// Runs one step.
    ///
    /// - Parameters:
    ///   - later: The steps after this one.
    ///   - prompt: The prompt for the application; `nil` if it cannot be asked.
    mutating func run(_ step: ProgramStep, before later: ArraySlice<ProgramStep>, _ prompt: CredentialPrompt?) async throws {
        if !step.isGeneration { isGenerating = false }
        let asking = step.waitsForUser ? FlightScope.current : nil
        asking?.beginAsking()
        defer { asking?.endAsking() }
        switch step {
        case .prompt(let number, let slots): try await fill(slots, withAnswerTo: number, prompt, before: later)
        case .present(let page): try await show(page, before: later)
        case .http(let call): try await send(call)
        case .token(let call): try await send(call)
        case .document(let number): try await fetchDocument(number)
        case .verify(let verification): try await verify(verification)
        case .compute(let slot, let function): try await compute(slot, function)
        case .when(let conditions, let step):
            guard conditions.allSatisfy({ $0.holds(values) }) else { return }
            try await run(step, before: later, prompt)
        case .ask(let page, let server, let slot, let limit):
            try await fill(slot, withInputFor: page, of: server, within: limit, before: later, isForRequest: prompt != nil)
        case .repeat(let repetition): try await `repeat`(repetition, before: later, prompt)
        case .step(let step, let failures):
            do {
                try await run(step, before: later, prompt)
            } catch let failure as StepFailure {
                throw error(of: failure, failures) ?? failure
            }
        }
    }

    /// Fills a slot. The value becomes a secret if the slot is one.
    mutating func fill(_ slot: Int, _ value: ProgramValue) {
        values[slot] = method.program.slots[slot].isSecret ? value.asSecret : value
    }

    func isPresent(_ slot: Int) -> Bool { values[slot] != .absent }
}
