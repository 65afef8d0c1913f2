import Dispatch
import Foundation
import Testing

/// A program of this package as a process that is running or has ended. Waiting for it blocks no thread of the cooperative pool.
package final class OtherProcess: Sendable {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let queue = DispatchQueue(label: "other process")

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - program: The name of the executable, which was built with these tests and is in the same folder.
    ///   - arguments: Its arguments.
    ///   - wrapper: A program that starts the process, and the arguments before those of the process.
    package init(_ program: String, _ arguments: [String], wrapper: [String] = []) throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = wrapper + [try Self.url(of: program).path(percentEncoded: false)] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Returns a wrapper that makes mounts which only the process sees, and which disappear when it ends.
    package static func mounting(_ shell: String) -> [String] { ["unshare", "-m", "sh", "-ec", "\(shell)\nexec \"$@\"", "sh"] }

    deinit { signal(SIGKILL) }

    private static func url(of program: String) throws -> URL {
        let bundles = [Bundle.main.executableURL] + Bundle.allBundles.map { Optional($0.bundleURL) }
        let candidates = bundles.compactMap { $0?.deletingLastPathComponent().appending(path: program) }
        return try #require(candidates.first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) })
    }

    /// Writes a line to the input of the process.
    package func tell(_ line: String) async throws {
        try await blocking { [input] in try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }
    }

    /// Waits for the next line of the output; empty at its end.
    package func line() async throws -> String {
        try await blocking { [output] in
            var line = Data()
            while let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte != Data("\n".utf8) {
                line += byte
            }
            return String(decoding: line, as: UTF8.self)
        }
    }

    /// Closes the input, waits for the end of the process, and returns all lines that were not read.
    package func end() async throws -> [String] {
        try await blocking { [process, input, output] in
            try input.fileHandleForWriting.close()
            let rest = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return String(decoding: rest, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }

    /// Kills the process, so that it cannot clean up.
    package func kill() async throws {
        try await blocking { [self] in
            signal(SIGKILL)
            process.waitUntilExit()
        }
    }

    /// Sends the process a signal, such as `SIGSTOP`.
    package func signal(_ signal: Int32) { if process.isRunning { Foundation.kill(process.processIdentifier, signal) } }

    private func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }
}
