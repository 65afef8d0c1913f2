import Dispatch
import Foundation
import Testing

@testable import CountersignFileStore

/// A running `FileStoreContender`, or one that has run. Waiting for it takes no thread on which tasks run.
final class OtherProcess: Sendable {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let queue = DispatchQueue(label: "other process")

    /// Starts one.
    ///
    /// - Parameters:
    ///   - command: What it does.
    ///   - argument: With what.
    ///   - scratch: The test's place.
    ///   - wrapper: A program that starts it, and the arguments that go before its own.
    init(_ command: String, _ argument: String, in scratch: ScratchFolder, wrapper: [String] = []) throws {
        let folder = scratch.store.path(percentEncoded: false)
        let line = [try Self.program.path(percentEncoded: false), command, folder, scratch.keyBytes.hexadecimal, argument]
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = wrapper + line
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// A wrapper that makes mounts which only the process sees, and which are gone when it ends.
    static func mounting(_ shell: String) -> [String] { ["unshare", "-m", "sh", "-ec", "\(shell)\nexec \"$@\"", "sh"] }

    deinit { if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) } }

    /// The program that was built with these tests, which lies beside them.
    private static var program: URL {
        get throws {
            let bundles = [Bundle.main.executableURL] + Bundle.allBundles.map { Optional($0.bundleURL) }
            let candidates = bundles.compactMap { $0?.deletingLastPathComponent().appending(path: "FileStoreContender") }
            return try #require(candidates.first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) })
        }
    }

    /// Writes a line to its input.
    func tell(_ line: String) async throws {
        try await blocking { [input] in try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }
    }

    /// Waits for the next line.
    func line() async throws -> String {
        try await blocking { [output] in
            var line = Data()
            while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) { line += byte }
            return String(decoding: line, as: UTF8.self)
        }
    }

    /// Ends its input, waits for its end, and returns all lines that were not read.
    func end() async throws -> [String] {
        try await blocking { [process, input, output] in
            try input.fileHandleForWriting.close()
            let rest = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return String(decoding: rest, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }

    /// Ends it as the system would: without a chance to clean up.
    func kill() async throws {
        try await blocking { [process] in
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    private func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }
}
