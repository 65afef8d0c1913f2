import ArgumentParser
import Foundation
import Testing

@testable import CountersignCLI

/// A folder with the key of a store, and the commands that run with it.
final class CommandBench: Sendable {
    /// The output of a command, and its exit status.
    struct Run: Sendable {
        var output = "", messages = ""
        var exit = ExitCode(0)

        /// The output as a JSON object.
        func object() throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
        }
    }

    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "countersign-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path(percentEncoded: false)
        try write(Data((0..<32).map { _ in UInt8.random(in: 0...255) }).base64EncodedString(), to: "key")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path + "/key")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try text.write(toFile: path + "/" + name, atomically: true, encoding: .utf8)
        return path + "/" + name
    }

    /// The options for the store and its key.
    var store: [String] { ["--store", path + "/store", "--key-file", path + "/key"] }

    /// Makes a pipe, to which the text is written when a reader has opened it.
    func pipe(_ text: String, to name: String) throws -> String {
        let path = path + "/" + name
        try #require(mkfifo(path, 0o600) == 0)
        DispatchQueue.global().async {
            let file = FileHandle(forWritingAtPath: path)
            try? file?.write(contentsOf: Data(text.utf8))
            try? file?.close()
        }
        return path
    }

    func run(_ arguments: [String]) async -> Run { await Self.run(arguments) }

    static func run(_ arguments: [String], console recorded: RecordedConsole = RecordedConsole()) async -> Run {
        var run = Run()
        do {
            switch try CountersignCommand.parseAsRoot(arguments) {
            case let command as RequestCommand: try await command.run(console: recorded.console)
            case let command as LoginCommand: try await command.run(console: recorded.console)
            case let command as LogoutCommand: try await command.run(console: recorded.console)
            case let command as TokenCommand: try await command.run(console: recorded.console)
            case let command as StatusCommand: try await command.run(console: recorded.console)
            case let command as ProbeCommand: try await command.run(console: recorded.console)
            case let command as ExplainCommand: try command.run(console: recorded.console)
            case let command as CredentialHelperCommand: try await command.run(console: recorded.console, input: { nil })
            default: Issue.record("\(arguments) is another command")
            }
        } catch let exit as ExitCode {
            run.exit = exit
        } catch {
            Issue.record(error)
        }
        run.output = recorded.output
        run.messages = recorded.messages
        return run
    }
}
