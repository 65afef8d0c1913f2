import Foundation

/// Reads the QR code of a picture with the program `zbarimg`.
struct BarcodeProgram: Sendable {
    /// The most bytes of a code that are taken; a QR code holds less than 3,000.
    private static let maximumBytes = 64 << 10

    /// The program's name, or its path.
    var program = "zbarimg"
    /// Where programs are looked for.
    var path = ProcessInfo.processInfo.environment["PATH"] ?? ""

    /// The text of the one QR code in a picture.
    ///
    /// - Throws: ``OnboardProblem``; the text is in none of them.
    func read(_ picture: URL) async throws -> String {
        guard let program = locate() else {
            throw OnboardProblem(
                """
                'zbarimg', which reads QR codes, is not installed. Install it (Debian and Ubuntu: apt-get install zbar-tools; macOS: brew \
                install zbar), or give the configuration as a link or a file.
                """, exit: CommandExit.noInput)
        }
        return try await withCheckedThrowingContinuation { continuation in
            // Waiting for a program blocks, so not on the threads that tasks share.
            DispatchQueue.global().async { continuation.resume(with: Result { try Self.run(program, picture) }) }
        }
    }

    private func locate() -> URL? {
        if program.contains("/") { return FileManager.default.isExecutableFile(atPath: program) ? URL(filePath: program) : nil }
        return path.split(separator: ":").lazy.map { URL(filePath: String($0)).appending(path: program) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    private static func run(_ program: URL, _ picture: URL) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = program
        // An absolute path, so that a file whose name begins with a hyphen is no option.
        process.arguments = ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", picture.absoluteURL.path]
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let data = (try? output.fileHandleForReading.read(upToCount: maximumBytes + 1)) ?? Data()
        try? output.fileHandleForReading.close()
        process.waitUntilExit()
        guard data.count <= maximumBytes else {
            throw OnboardProblem("The code of the picture is too long.", exit: CommandExit.badData)
        }
        guard process.terminationStatus == 0, let text = String(data: data, encoding: .utf8), !text.isEmpty else {
            throw OnboardProblem("There is no readable QR code in '\(picture.lastPathComponent)'.", exit: CommandExit.badData)
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
