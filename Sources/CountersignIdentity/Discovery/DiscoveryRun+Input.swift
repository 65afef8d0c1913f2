internal import Countersign

extension DiscoveryRun {
    mutating func rounds(_ step: RoundsStep<Values, Failure>) async throws {
        do {
            try await mapping(step.call.failure) { try await $0.ask(step) }
        } catch {
            await input?.finished()
            throw error
        }
        await input?.finished()
    }

    private mutating func ask(_ step: RoundsStep<Values, Failure>) async throws {
        var count = 0
        guard answer?.tree != nil else { throw DiscoveryFailure.missing("the answer is no JSON") }
        while let answer = answer?.tree, let page = try step.page.input(in: answer) {
            guard count < step.limit else { throw DiscoveryFailure.endless }
            count += 1
            let given = try await given(for: page, within: step.within)
            try await exchange(step.call, adding: given, as: step.values)
        }
        try capture(step.call)
    }

    /// What the application answers; asked again while two fields that have to be the same are not.
    private mutating func given(for page: LoginInput, within limit: Duration) async throws -> [String: String] {
        guard let input else { throw error(.credentialMissing, "the server asks for input, and there is no source of it") }
        var page = page
        for _ in 0..<Self.confirmationLimit {
            let answers = try await LoginRace.answer(of: input, to: page, within: limit, clock: session.configuration.clock)
            guard let answers else { throw CancellationError() }
            let names = Set(page.inputFields.map(\.fieldName))
            let values = Dictionary(answers.filter { names.contains($0.fieldName) }.map { ($0.fieldName, $0.value) }) { $1 }
            given.formUnion(values.values)
            let wrong = page.inputFields.first { !$0.confirmField.isEmpty && values[$0.fieldName] != values[$0.confirmField] }
            guard let wrong else { return values }
            let other = page.inputFields.first { $0.fieldName == wrong.confirmField }?.prompt ?? ""
            page.clientMessage = "'\(wrong.prompt)' is not the same as '\(other)'."
            page.messageType = .error
        }
        throw DiscoveryFailure.refused(
            error(.answerRefused, "two fields that have to be the same were not, \(Self.confirmationLimit) times in a row"))
    }

    /// How often the user may mistype what has to be typed twice.
    private static var confirmationLimit: Int { 10 }
}
