public import Testing

/// Lets one test at a time run whose expectation is that a process exits (`processExitsWith`).
///
/// Swift Testing of Swift 6.3 reads what such a process says on threads of the tasks' own pool, and waits there: two of these tests at a time take
/// both threads of a machine with two processors, and none is left that would see that the processes have ended. Then all tests wait for ever.
///
/// `.ci/thread-sanitizer` leaves out the tests that have this trait, which it finds by `@Test(.exitsAlone)`.
public struct ExitsAlone: TestTrait, TestScoping {
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Self.turn.take { try await function() }
    }

    private static let turn = Turns(width: 1)
}

extension Trait where Self == ExitsAlone {
    /// Runs beside no other test that expects a process to exit. See ``ExitsAlone``.
    public static var exitsAlone: Self { Self() }
}
