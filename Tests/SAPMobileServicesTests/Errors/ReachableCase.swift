import Testing

/// The cases of an error type without their associated values, each with a scenario that produces it.
///
/// Neither the initialiser nor the scenarios have a `default`: a case that is added to the type does not compile here until it
/// has a scenario, and its test fails until the scenario produces it.
protocol ReachableCase: CaseIterable, Hashable, Sendable {
    associatedtype Failure: Error

    /// The case of an error.
    init(of error: Failure)

    /// Makes an application fail with the error. No scenario constructs the error itself.
    func reach() async throws -> Ending
}

extension ReachableCase {
    /// Runs the scenario, and checks the error and its texts.
    func expectToBeReached(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let ending = try await reach()
        let error = try #require(
            ending.error as? Failure, "\(self) ended in \(ending.error.map { "\($0)" } ?? "success")",
            sourceLocation: sourceLocation)
        #expect(Self(of: error) == self, sourceLocation: sourceLocation)
        ending.expectUsefulTexts(sourceLocation: sourceLocation)
        ending.expectTrace(sourceLocation: sourceLocation)
    }
}
