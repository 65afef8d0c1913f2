import ArgumentParser
import Synchronization

/// The time limit of a whole command, with all its requests and logins.
struct TimeLimit: ParsableArguments {
    @Option(
        name: [.customShort("m"), .long],
        help: ArgumentHelp(
            "The time limit of the whole command, such as 30 or 0.5; none by default. After it the exit status is 75.",
            valueName: "seconds"))
    var timeout: Double?

    /// The largest limit: a year.
    private static let maximum = 31_536_000.0

    func validate() throws {
        guard let timeout else { return }
        // Neither comparison holds for NaN.
        guard timeout > 0, timeout <= Self.maximum else {
            throw ValidationError("'--timeout' is a number of seconds: more than 0, and at most \(Int(Self.maximum)).")
        }
    }

    /// Runs work, which is cancelled at the end of the time.
    ///
    /// - Throws: ``CommandProblem`` if the work fails after that; otherwise the error of the work.
    func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        guard let timeout else { return try await work() }
        let isOver = Mutex(false)
        let task = Task { try await work() }
        let timer = Task {
            try await Task.sleep(for: .seconds(timeout))
            isOver.withLock { $0 = true }
            task.cancel()
        }
        defer { timer.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch let exit as ExitCode {
            throw exit
        } catch {
            guard isOver.withLock({ $0 }) else { throw error }
            throw CommandProblem(
                "The time limit of \(Self.text(timeout)) has passed.", remedy: "Give more time with '--timeout', or try again.",
                exit: CommandExit.temporary)
        }
    }

    /// Returns a number of seconds as a text, such as `1 second` or `0.5 seconds`.
    static func text(_ seconds: Double) -> String {
        let number = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
        return "\(number) second\(seconds == 1 ? "" : "s")"
    }
}
