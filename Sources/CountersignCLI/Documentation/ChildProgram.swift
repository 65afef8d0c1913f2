import Foundation
import Synchronization

/// A program that a command runs, whose output it reads.
struct ChildProgram: Sendable {
    /// What a program has written, and how it ended.
    struct Outcome: Sendable {
        /// The status; one that a signal has ended has the signal's number here, and is no success either.
        let status: Int32
        /// The standard output.
        let output: String
        /// The standard output and the standard error, as they came.
        let log: String
    }

    let program: URL
    let arguments: [String]

    /// Runs the program to its end.
    ///
    /// A task that is cancelled ends the program and those that it has started, and waits for that.
    ///
    /// - Parameter line: Gets each line that the program writes, as it is written.
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
            // SwiftPM ends its own programs at the first signal, which others may ignore.
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

    /// Starts the program, with pipes for what it writes.
    ///
    /// On the main thread: those that tasks share block signals, and a program inherits that.
    @MainActor
    private static func launch(_ program: URL, _ arguments: [String]) throws -> sending (Process, output: Pipe, errors: Pipe) {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = program
        process.arguments = arguments
        // It is in a process group of its own, to which the terminal gives nothing.
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

    /// Reads to the end, on a thread that may be blocked.
    private static func read(
        _ handle: FileHandle, line: @escaping @Sendable (String) -> Void, keep: @escaping @Sendable (Data) -> Void
    ) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var rest = Data()
                while true {
                    // What is there; `read(upToCount:)` waits for all that it is asked for.
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

/// What a program has written so far, by two streams, and whether it has ended.
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
