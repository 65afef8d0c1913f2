public import Testing

/// Runs only one test at a time that expects a process to exit (`processExitsWith`).
///
/// Swift Testing of Swift 6.3 reads the output of such a process on threads of the cooperative pool, and blocks them. Two of
/// these tests block both threads of a machine with two processors, and no thread is left to notice that the processes have
/// ended. Then all tests hang.
///
/// `.ci/thread-sanitizer` leaves out the tests with this trait, which it finds by `@Test(.exitsAlone)`.
public struct ExitsAlone: TestTrait, TestScoping {
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Self.turn.take { try await function() }
    }

    private static let turn = Turns(width: 1)
}

extension Trait where Self == ExitsAlone {
    /// Does not run the test beside another one that expects a process to exit. See ``ExitsAlone``.
    public static var exitsAlone: Self { Self() }
}
