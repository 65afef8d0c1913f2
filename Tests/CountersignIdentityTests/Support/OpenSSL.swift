import Foundation
import Testing

/// The `openssl` of the machine, as a process: what others read of ours, and what we read of others.
enum OpenSSL {
    struct Result {
        let status: Int32
        let output: Data
        let errors: String
        var text: String { String(decoding: output, as: UTF8.self) }
    }

    static let whatToInstall = "there is no OpenSSL 3 here; install one, such as the package openssl"

    /// Whether the tests run: in CI they do without it too, and fail.
    static let isExpected: Bool = {
        let version = try? run(["version"]).text
        let isThere = version?.hasPrefix("OpenSSL 3") == true
        if !isThere { print(whatToInstall) }
        return isThere || ProcessInfo.processInfo.environment["CI"] != nil
    }()

    /// Runs a command in a folder of its own.
    ///
    /// - Parameter files: What lies in the folder when the command starts.
    static func run(_ arguments: [String], files: [String: [UInt8]] = [:]) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "countersign-openssl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, bytes) in files { try Data(bytes).write(to: folder.appending(path: name)) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = folder
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // What goes to the second pipe is some lines, and fits into it.
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return Result(status: process.terminationStatus, output: data, errors: text)
    }

    /// Runs a command that has to succeed.
    static func output(_ arguments: [String], files: [String: [UInt8]] = [:]) throws -> [UInt8] {
        let result = try run(arguments, files: files)
        try #require(result.status == 0, "openssl \(arguments.joined(separator: " ")): \(result.errors)")
        return Array(result.output)
    }
}
