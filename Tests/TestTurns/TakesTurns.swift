internal import Foundation
public import Testing

/// Runs only a few tests at a time, over all suites of the process that have this trait.
///
/// Swift Testing starts every test of every target at once. A test that uses sockets, starts a process or has real time limits
/// would then share the machine with all others, so that its limits would measure the machine and not the code. It has this trait:
///
/// ```swift @Suite(.takesTurns) struct ProxyTests { … } ```
///
/// Two tests for each processor run at a time. The others wait before they begin, in the order of their arrival. A test that uses
/// all processors by itself, for example with a hundred connections at once, takes all turns: `.takesAllTurns`. The cases of a
/// test with arguments share its turn, one after the other. A time limit starts with a case, so it does not include the wait for
/// a turn.
///
/// A test that only computes, but for seconds, would block the threads of others. It has the trait `.computes`: one such test runs at
/// a time, also beside a test that takes all turns, and uses the processor while that one waits for servers.
///
/// A test that mostly sleeps, because a real time limit has to pass, has the trait `.sleeps`. It needs no turn, so its limits can be
/// long enough for a busy machine, and nobody waits for them.
public struct TakesTurns: SuiteTrait, TestTrait, TestScoping {
    fileprivate var places = 1
    fileprivate var turns = Self.turns

    public var isRecursive: Bool { true }

    public func scopeProvider(for test: Test, testCase: Test.Case?) -> TakesTurns? { test.isSuite ? nil : self }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        if testCase == nil {
            // A test whose suite has the trait, too, already has its turn.
            guard Self.cases == nil else { return try await function() }
            try await turns.take(places) {
                try await Self.$cases.withValue(Turns(width: 1)) { try await function() }
            }
        } else {
            guard let cases = Self.cases, !Self.isInCase else { return try await function() }
            try await cases.take {
                try await Self.$isInCase.withValue(true) { try await function() }
            }
        }
    }

    /// The single place for the cases of the test that has the turn.
    @TaskLocal private static var cases: Turns?
    @TaskLocal private static var isInCase = false
    fileprivate static let width = 2 * ProcessInfo.processInfo.activeProcessorCount
    private static let turns = Turns(width: width)
    fileprivate static let computations = Turns(width: 1)
    fileprivate static let pauses = Turns(width: 2 * width)
}

extension Trait where Self == TakesTurns {
    /// Runs the test beside few others. See ``TakesTurns``.
    public static var takesTurns: Self { Self() }

    /// Runs the test beside no other with this trait. See ``TakesTurns``.
    public static var takesAllTurns: Self { Self(places: TakesTurns.width) }

    /// Runs the test beside no other with this trait. See ``TakesTurns``.
    public static var computes: Self { Self(turns: TakesTurns.computations) }

    /// Runs the test beside few others with this trait, and beside any without it. See ``TakesTurns``.
    public static var sleeps: Self { Self(turns: TakesTurns.pauses) }
}
