import Testing

/// The cases of an error type without what they carry, each with a scenario that ends in it.
///
/// Neither the initialiser nor the scenarios have a `default`: a case that is added to the type does not compile here until it has a
/// scenario, and fails its test until the scenario ends in it.
protocol ReachableCase: CaseIterable, Hashable, Sendable {
    associatedtype Failure: Error

    /// The case of an error.
    init(of error: Failure)

    /// Runs an application into the error; none makes it by hand.
    func reach() async throws -> Ending
}

extension ReachableCase {
    /// Reaches the case and reads what it says.
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
