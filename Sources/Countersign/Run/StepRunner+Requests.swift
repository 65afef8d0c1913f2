// The steps that send requests, and the errors of the method for their failures.

extension StepRunner {
    /// Sends a request.
    mutating func send(_ call: HTTPCall) async throws {
        try countExchange()
        try requireUnrefused(call)
        var run = CallRun(
            call: call, method: method, session: session, values: values, cookies: cookies ?? cookiesAfterLogout,
            secrets: secrets.union(zip(method.program.slots, values).compactMap { $0.isSecret ? $1.text : nil }),
            user: token?.user)
        defer { place = run.place }
        let said = try await run.saidToTheEnd()
        delay += run.delay
        // The values of a step are captured anew each time that it runs, whereas a credential keeps values that are not
        // replaced.
        for slot in call.captured where method.program.slots[slot].source == .step { values[slot] = .absent }
        for (slot, value) in said { fill(slot, value) }
        issued.formUnion(said.keys.filter { isPresent($0) })
        if hasAsked(for: call) || login(of: call) != nil { hasLoggedIn = true }
        report(.ran(step: "http"))
    }

    /// Sends a form to a token endpoint.
    mutating func send(_ call: TokenCall) async throws {
        try countExchange()
        guard var run = token else {
            throw CountersignError(.invalidRequest, detail: "this credential is not a token")
        }
        try await run.sendToTheEnd(call, of: method, with: values, in: session)
        token = run
        report(.ran(step: "request"))
    }

    /// Fetches a document, unless it is cached.
    mutating func fetchDocument(_ number: Int) async throws {
        try countExchange()
        let found = try await publications.values(ofDocument: number, or: furtherURLs)
        for (slot, value) in found.values { fill(slot, value) }
        // Documents that depend on one URL are all from there.
        for slot in method.program.documents[number].slots { furtherURLs[slot] = nil }
        furtherURLs.merge(found.furtherURLs) { $1 }
        report(.ran(step: "document"))
    }

    /// Verifies a token with the keys of its issuer, and captures its claims.
    mutating func verify(_ verification: TokenVerification) async throws {
        try countExchange()
        for (slot, value) in try await publications.values(of: verification) { fill(slot, value) }
        report(.ran(step: "verify"))
    }

    /// Fetches the keys for the tokens that the steps verify, unless they are cached.
    func fetchKeys(for steps: [ProgramStep]) async throws {
        do {
            try await publications.fetchKeys(for: steps)
        } catch let failure as StepFailure {
            throw failure.error
        }
    }

    private var publications: PublicationRun { PublicationRun(method: method, session: session, values: values) }

    /// The maximum number of requests of a run without a pause, more than the repetitions of a useful login need. It protects a
    /// client, and the servers that a run sends requests to, from a server that always asks for another request.
    private static var maximumExchanges: Int { 128 }

    /// Counts a step with a request.
    ///
    /// - Throws: ``StepFailure`` if there are too many.
    private mutating func countExchange() throws(StepFailure) {
        exchanges += 1
        guard exchanges > Self.maximumExchanges else { return }
        let detail = "the server asks for more than \(Self.maximumExchanges) requests in a row"
        throw StepFailure(
            .endless, detail, error: CountersignError(.tooManyExchanges, detail: detail, origin: place?.origin))
    }

    /// Returns the method's error for a failure; `nil` if it has none.
    func error(of failure: StepFailure, _ numbers: [ProgramStep.Failure: Int]) -> (any AuthenticationError)? {
        guard let error = numbers[failure.kind].flatMap({ method.error($0, failure.detail, failure.error) }) else { return nil }
        // The method's errors have fixed contents, so an event reports where the request failed.
        if let place, [.status, .network, .missing].contains(failure.kind) {
            session.report(
                SessionEvent(
                    .unanswered(code: error.code, status: place.status), observer: method.program.name, origin: place.origin,
                    requestMethod: place.method))
        }
        return error
    }
}
