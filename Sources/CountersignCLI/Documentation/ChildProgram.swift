import Foundation
import Synchronization

/// A program that a command runs and whose output it reads.
struct ChildProgram: Sendable {
    /// The output of a program, and how it ended.
    struct Outcome: Sendable {
        /// The exit status. If a signal has ended the program, it is the number of the signal, which is no success either.
        let status: Int32
        /// The standard output.
        let output: String
        /// The standard output and the standard error, in the order of arrival.
        let log: String
    }

    let program: URL
    let arguments: [String]

    /// Runs the program to its end.
    ///
    /// Cancelling the task ends the program and the programs that it has started, and waits for their end.
    ///
    /// - Parameter line: Called with each line that the program writes, as it is written.
    /// - Throws: ``CommandProblem`` if the program cannot be started, or `CancellationError`.
    func run(line: @escaping @Sendable (String) -> Void = { _ in }) async throws -> Outcome {
        try Task.checkCancellation()
        let (process, output, errors) = try await Self.launch(program, arguments)
        let number = process.processIdentifier
        let written = Written()
        let outcome = await withTaskCancellationHandler {
            async let first: Void = Self.read(output.fileHandleForReading, line: line) { written.add($0, isOutput: true) }
            async let second: Void = Self.read(errors.fileHandleForReading, line: line) { written.add($0, isOutput: false) }
            _ = await (first, second)
            process.waitUntilExit()
            written.end()
            let (output, log) = written.texts
            return Outcome(status: process.terminationStatus, output: output, log: log)
        } onCancel: {
            // SwiftPM ends its own child programs at the first signal. Other programs may ignore that signal.
            Task.detached {
                for (signal, pause) in [(SIGINT, 1), (SIGTERM, 4), (SIGKILL, 0)] {
                    guard !written.hasEnded else { return }
                    kill(-number, signal)
                    kill(number, signal)
                    try? await Task.sleep(for: .seconds(pause))
                }
            }
        }
        try Task.checkCancellation()
        return outcome
    }

    /// Starts the program, with pipes for its output.
    ///
    /// This runs on the main thread, because the threads of tasks block signals and a program inherits that.
    @MainActor
    private static func launch(_ program: URL, _ arguments: [String]) throws -> sending (Process, output: Pipe, errors: Pipe) {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = program
        process.arguments = arguments
        // The program runs in a separate process group, which cannot read from the terminal.
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        do {
            try process.run()
        } catch {
            throw CommandProblem("'\(program.path)' cannot be run.", exit: CommandExit.noInput)
        }
        return (process, output, errors)
    }

    /// Reads to the end, on a thread that may block.
    private static func read(
        _ handle: FileHandle, line: @escaping @Sendable (String) -> Void, keep: @escaping @Sendable (Data) -> Void
    ) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var rest = Data()
                while true {
                    // `availableData` returns the bytes that have arrived, but `read(upToCount:)` waits for all requested bytes.
                    let data = handle.availableData
                    if data.isEmpty { break }
                    keep(data)
                    rest += data
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        line(String(decoding: rest[..<end], as: UTF8.self))
                        rest = Data(rest[rest.index(after: end)...])
                    }
                }
                if !rest.isEmpty { line(String(decoding: rest, as: UTF8.self)) }
                continuation.resume()
            }
        }
    }
}

/// The output that a program has written so far to its two streams, and whether it has ended.
private final class Written: Sendable {
    private let data = Mutex((output: Data(), log: Data()))
    private let ended = Mutex(false)

    var hasEnded: Bool { ended.withLock(\.self) }

    func end() { ended.withLock { $0 = true } }

    func add(_ piece: Data, isOutput: Bool) {
        data.withLock { data in
            if isOutput { data.output += piece }
            data.log += piece
        }
    }

    var texts: (output: String, log: String) {
        data.withLock { (String(decoding: $0.output, as: UTF8.self), String(decoding: $0.log, as: UTF8.self)) }
    }
}
