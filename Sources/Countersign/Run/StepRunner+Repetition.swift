extension StepRunner {
    /// Runs steps again and again while conditions hold, with the pauses that the spec and the server ask for.
    mutating func `repeat`(
        _ repetition: StepRepetition, before later: ArraySlice<ProgramStep>, _ prompt: CredentialPrompt?
    ) async throws {
        let steps = repetition.steps
        // The values that these steps capture and ask for belong to a single run of them.
        let slots = method.program.slots
        let found = slots.indices.filter { !isPresent($0) } + steps.flatMap(\.prompted)
        let fresh = found.filter { slots[$0].source == .step }
        var pace = RepetitionPace(of: repetition, values, from: now())
        var count = 0
        while repetition.conditions.allSatisfy({ $0.holds(values) }) {
            guard count < repetition.limit else { throw StepFailure(.endless, "the maximum number of repetitions was reached") }
            count += 1
            if let pause = try pace?.pause(at: now(), asking: place?.origin) {
                try await session.configuration.clock.sleep(for: pause, tolerance: nil)
                exchanges = 0
            }
            for slot in fresh { values[slot] = .absent }
            delay = .zero
            do {
                for (index, step) in steps.enumerated() {
                    try await run(step, before: steps[(index + 1)...] + later, prompt)
                }
                pace?.noteAnswer(delayingBy: delay)
            } catch let failure as StepFailure
                where pace != nil && failure.isSilence && repetition.conditions.allSatisfy({ $0.holds(values) })
            {
                pace?.note(failure)
            }
        }
    }
}
