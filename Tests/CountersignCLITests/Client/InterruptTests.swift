import ArgumentParser
import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

/// Signals that ask a command to end.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct InterruptTests {
    @Test(.exitsAlone) func `SIGTERM cancels the work, which cleans up, and is the exit status`() async {
        await #expect(processExitsWith: .exitCode(143)) {
            let interrupt = Interrupt()
            let work = Task { try await Task.sleep(for: .seconds(600)) }
            interrupt.cancel(with: work.cancel)
            kill(getpid(), SIGTERM)
            do {
                try await work.value
            } catch {
                // The end of the work, which SIGTERM alone would not let happen.
                exit(interrupt.exit?.rawValue ?? 1)
            }
        }
    }

    @Test(.exitsAlone) func `Ctrl-C cancels the work, and is the exit status`() async {
        await #expect(processExitsWith: .exitCode(130)) {
            do {
                try await Interrupt.run {
                    kill(getpid(), SIGINT)
                    try await Task.sleep(for: .seconds(600))
                }
            } catch {
                exit((error as? ExitCode)?.rawValue ?? 1)
            }
        }
    }

    @Test func `a command that ends without a signal ends as it would alone`() async throws {
        struct Failure: Error {}
        try await Interrupt.run {}
        await #expect(throws: Failure.self) { try await Interrupt.run { throw Failure() } }
    }
}
