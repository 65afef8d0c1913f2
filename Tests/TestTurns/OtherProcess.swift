import Dispatch
import Foundation
import Testing

/// A running program of this package, or one that has run. Waiting for it takes no thread on which tasks run.
package final class OtherProcess: Sendable {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let queue = DispatchQueue(label: "other process")

    /// Starts one.
    ///
    /// - Parameters:
    ///   - program: The executable, which was built with these tests and lies beside them.
    ///   - arguments: Its arguments.
    ///   - wrapper: A program that starts it, and the arguments that go before its own.
    package init(_ program: String, _ arguments: [String], wrapper: [String] = []) throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = wrapper + [try Self.url(of: program).path(percentEncoded: false)] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// A wrapper that makes mounts which only the process sees, and which are gone when it ends.
    package static func mounting(_ shell: String) -> [String] { ["unshare", "-m", "sh", "-ec", "\(shell)\nexec \"$@\"", "sh"] }

    deinit { signal(SIGKILL) }

    private static func url(of program: String) throws -> URL {
        let bundles = [Bundle.main.executableURL] + Bundle.allBundles.map { Optional($0.bundleURL) }
        let candidates = bundles.compactMap { $0?.deletingLastPathComponent().appending(path: program) }
        return try #require(candidates.first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) })
    }

    /// Writes a line to its input.
    package func tell(_ line: String) async throws {
        try await blocking { [input] in try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }
    }

    /// Waits for the next line; empty at the end of its output.
    package func line() async throws -> String {
        try await blocking { [output] in
            var line = Data()
            while let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte != Data("\n".utf8) {
                line += byte
            }
            return String(decoding: line, as: UTF8.self)
        }
    }

    /// Ends its input, waits for its end, and returns all lines that were not read.
    package func end() async throws -> [String] {
        try await blocking { [process, input, output] in
            try input.fileHandleForWriting.close()
            let rest = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return String(decoding: rest, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }

    /// Ends it as the system would: without a chance to clean up.
    package func kill() async throws {
        try await blocking { [self] in
            signal(SIGKILL)
            process.waitUntilExit()
        }
    }

    /// Sends it a signal, such as `SIGSTOP`.
    package func signal(_ signal: Int32) { if process.isRunning { Foundation.kill(process.processIdentifier, signal) } }

    private func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }
}
