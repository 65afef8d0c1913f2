// The steps that ask the application or the user: prompts of the method, and input that a server requests.

extension StepRunner {
    /// Asks the application, unless all slots have a value.
    mutating func fill(
        _ slots: [Int], withAnswerTo number: Int, _ prompt: CredentialPrompt?, before later: ArraySlice<ProgramStep>
    ) async throws {
        guard var prompt, slots.contains(where: { !isPresent($0) }) else { return }
        if let receiver = receiver(of: slots, among: later) { prompt.origin = receiver }
        let answer = try await ask(number, prompt)
        for (slot, value) in zip(slots, answer) where !isPresent(slot) {
            values[slot] = value
            asked.append(slot)
        }
        report(.ran(step: "prompt"))
    }

    /// Asks the application for the input that a server requests.
    ///
    /// - Parameters:
    ///   - server: The slot of the server's JSON.
    ///   - isForRequest: Whether a request waits for the run, so that a cancellation is the user's decision.
    mutating func fill(
        _ slot: Int, withInputFor page: PromptPage, of server: Int, within limit: Duration, before later: ArraySlice<ProgramStep>,
        isForRequest: Bool
    ) async throws {
        guard let pages else {
            throw CountersignError(.credentialMissing, detail: "the server asks for input, and there is no input source")
        }
        guard let server = values[server].tree else { throw StepFailure(.missing, "the response is not JSON") }
        // The user may have logged out in the meantime.
        try FlightScope.requireWanted()
        do {
            let answers = try await pages.values(
                for: server, describedBy: page, sentTo: receiver(of: [slot], among: later), within: limit,
                clock: session.configuration.clock)
            secrets.formUnion(answers.values)
            values[slot] = .members(answers)
        } catch is CancellationError where isForRequest {
            FlightScope.noteDismissal()
            throw CredentialFailure.cancelled
        }
        asked.append(slot)
        report(.ran(step: "prompt"))
    }

    /// Returns the server to which a later request sends the values, as far as its URL is known; `nil` if there is none.
    private func receiver(of slots: [Int], among steps: ArraySlice<ProgramStep>) -> Origin? {
        var slots = slots
        for step in steps.flatMap(\.unwrapped) {
            if case .compute(let slot, let function) = step, function.uses(slots) { slots.append(slot) }
            if let call = step.call, call.uses(slots) { return call.url.url(values).flatMap { Origin($0) } }
            if let page = step.page, page.uses(slots) { return page.url.url(values).flatMap { Origin($0) } }
        }
        return nil
    }

    /// - Throws: ``CredentialFailure``; an error of the application.
    private func ask(_ number: Int, _ prompt: CredentialPrompt) async throws -> [ProgramValue] {
        // The user may have logged out in the meantime.
        try FlightScope.requireWanted()
        do {
            guard let answer = try await method.prompter?.answer(prompt: number, prompt) else { throw CredentialFailure.missing }
            return answer
        } catch  where error is CancellationError || error as? CredentialFailure == .cancelled {
            FlightScope.noteDismissal()
            throw CredentialFailure.cancelled
        } catch let error as TransportError {
            throw ApplicationFailure(error: error)
        }
    }
}
