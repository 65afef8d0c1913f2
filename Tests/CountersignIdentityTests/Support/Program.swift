import Foundation

/// An installed program, run as a process in a folder of its own.
enum Program {
    struct Result {
        let status: Int32
        let output: Data
        let errors: String
        /// The content of the requested file that the program wrote.
        let file: [UInt8]?
        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Runs a program and waits for its end.
    ///
    /// - Parameters:
    ///   - line: The program, which is searched for in the path, and its arguments.
    ///   - files: The files in the folder when it starts.
    ///   - file: The name of a file that it writes.
    static func run(_ line: [String], files: [String: [UInt8]] = [:], returning file: String? = nil) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "countersign-program-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, bytes) in files { try Data(bytes).write(to: folder.appending(path: name)) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = line
        process.currentDirectoryURL = folder
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // The standard error has only some lines, and fits into its pipe.
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let written = file.flatMap { try? Data(contentsOf: folder.appending(path: $0)) }.map { Array($0) }
        return Result(status: process.terminationStatus, output: data, errors: text, file: written)
    }
}
