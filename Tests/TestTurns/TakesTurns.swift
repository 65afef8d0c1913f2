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
/// Two for each processor run at a time; the others wait before they begin, in the order of their coming.
public struct TakesTurns: SuiteTrait, TestTrait, TestScoping {
    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // A test whose suite carries the trait, too, has its turn already.
        guard !Self.hasTurn else { return try await function() }
        try await Self.turns.take {
            try await Self.$hasTurn.withValue(true) { try await function() }
        }
    }

    @TaskLocal private static var hasTurn = false
    private static let turns = Turns(width: 2 * ProcessInfo.processInfo.activeProcessorCount)
}

extension Trait where Self == TakesTurns {
    /// Runs beside few other tests. See ``TakesTurns``.
    public static var takesTurns: Self { Self() }
}
