internal import Foundation
public import Testing

/// Lets only a few tests run at a time, over all suites of the process that carry this trait.
///
/// Swift Testing starts every test of every target at once. A test that talks to a server through sockets, starts a process or has
/// limits of real time in it would then share the machine with all others, so that its limits measure the machine and not the
/// code. So does a test that computes for long, which keeps the threads from everyone else. Both carry this trait:
///
/// ```swift
/// @Suite(.takesTurns) struct ProxyTests { … }
/// ```
///
/// Two for each processor run at a time; the others wait before they begin, in the order of their coming. One that keeps all processors busy by
/// itself, such as with a hundred connections at once, takes all the turns: `.takesAllTurns`. The cases of a test with
/// arguments share its turn, one after the other. A time limit counts from the beginning of a case: it does not measure how many tests wait.
public struct TakesTurns: SuiteTrait, TestTrait, TestScoping {
    fileprivate var isAlone = false

    public var isRecursive: Bool { true }

    public func scopeProvider(for test: Test, testCase: Test.Case?) -> TakesTurns? { test.isSuite ? nil : self }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        if testCase == nil {
            // A test whose suite carries the trait, too, has its turn already.
            guard Self.cases == nil else { return try await function() }
            try await Self.turns.take(isAlone ? Self.width : 1) {
                try await Self.$cases.withValue(Turns(width: 1)) { try await function() }
            }
        } else {
            guard let cases = Self.cases, !Self.isInCase else { return try await function() }
            try await cases.take {
                try await Self.$isInCase.withValue(true) { try await function() }
            }
        }
    }

    /// The one place for the cases of the test that has the turn.
    @TaskLocal private static var cases: Turns?
    @TaskLocal private static var isInCase = false
    private static let width = 2 * ProcessInfo.processInfo.activeProcessorCount
    private static let turns = Turns(width: width)
}

extension Trait where Self == TakesTurns {
    /// Runs beside few other tests. See ``TakesTurns``.
    public static var takesTurns: Self { Self() }

    /// Runs beside none of those tests. See ``TakesTurns``.
    public static var takesAllTurns: Self { Self(isAlone: true) }
}
