import Foundation

/// Reads the QR codes of a picture with the program `zbarimg`.
struct BarcodeProgram: Sendable {
    /// The maximum number of bytes of codes. A QR code holds fewer than 3,000.
    private static let maximumSize = 64 << 10
    /// The prefix that the program writes before each code.
    private static let mark = "QR-Code:"
    /// The exit status of the program if it found no code.
    private static let sawNothing: Int32 = 4

    /// The program's name, or its path.
    var program = "zbarimg"
    /// The folders that contain programs, as in `PATH`.
    var path = ProcessInfo.processInfo.environment["PATH"] ?? ""

    /// Returns the distinct texts of the QR codes in a picture; at least one.
    ///
    /// - Parameters:
    ///   - picture: The picture's bytes; the program gets them as its standard input.
    ///   - name: The name of the picture within a sentence, such as `'code.png'`.
    /// - Throws: ``CommandProblem``, which contains none of the texts.
    func read(_ picture: Data, name: String) async throws -> [String] {
        guard let program = locate() else {
            throw CommandProblem(
                "'zbarimg', which reads QR codes, is not installed.",
                remedy: """
                    Install it (Debian and Ubuntu: apt-get install zbar-tools; macOS: brew install zbar), or give the configuration as a \
                    link or a file.
                    """, exit: CommandExit.noInput)
        }
        return try await withCheckedThrowingContinuation { continuation in
            // Waiting for a program blocks a thread, so it must not run on a thread that tasks share.
            DispatchQueue.global().async { continuation.resume(with: Result { try Self.run(program, picture, name) }) }
        }
    }

    private func locate() -> URL? {
        if program.contains("/") { return FileManager.default.isExecutableFile(atPath: program) ? URL(filePath: program) : nil }
        return ProgramFolders(environment: ["PATH": path]).find(program)
    }

    private static func run(_ program: URL, _ picture: Data, _ name: String) throws -> [String] {
        let (status, data) = try output(of: program, for: picture)
        guard data.count <= maximumSize else {
            throw CommandProblem("The codes of \(name) are too long.", exit: CommandExit.badData)
        }
        guard status == 0 || status == sawNothing, let text = String(data: data, encoding: .utf8) else {
            throw CommandProblem(
                "The decoder cannot read \(name).", remedy: "Save the picture as PNG, and try again.", exit: CommandExit.badData)
        }
        let codes = codes(in: text)
        guard !codes.isEmpty else {
            throw CommandProblem(
                "There is no readable QR code in \(name).", remedy: "Give a sharper or larger picture of it.",
                exit: CommandExit.badData)
        }
        return codes
    }

    /// Returns the exit status of the program and its output, of which at most one byte more than the maximum is read.
    private static func output(of program: URL, for picture: Data) throws -> (status: Int32, Data) {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = program
        process.arguments = ["--quiet", "-Sdisable", "-Sqrcode.enable", "-"]
        process.standardInput = input
        process.standardError = FileHandle.nullDevice
        process.standardOutput = output
        do {
            try process.run()
        } catch {
            throw CommandProblem("'zbarimg' cannot be run.", exit: CommandExit.noInput)
        }
        let writer = input.fileHandleForWriting
        // If the program stops reading early, its exit status tells the reason, so writing to it must not end this process.
        signal(SIGPIPE, SIG_IGN)
        DispatchQueue.global().async {
            try? writer.write(contentsOf: picture)
            try? writer.close()
        }
        let data = (try? output.fileHandleForReading.read(upToCount: maximumSize + 1)) ?? Data()
        try? output.fileHandleForReading.close()
        process.waitUntilExit()
        return (process.terminationStatus, data)
    }

    /// Returns the codes in the output. Each begins with the prefix and can have several lines.
    private static func codes(in output: String) -> [String] {
        var codes: [String] = []
        for part in ("\n" + output).components(separatedBy: "\n" + mark).dropFirst() {
            let code = part.trimmingCharacters(in: .whitespacesAndNewlines)
            if !code.isEmpty, !codes.contains(code) { codes.append(code) }
        }
        return codes
    }
}
