import Foundation

extension Profile.Source {
    /// Whether others can read the value, because it is in the file of profiles or on the command line.
    var isInTheOpen: Bool { if case .texts = self { true } else { false } }

    /// Returns the texts of the value.
    ///
    /// - Parameter name: The value's name, for messages.
    /// - Throws: ``CommandProblem``, which does not contain the value.
    func texts(of name: String) async throws -> [String] {
        switch self {
        case .texts(let texts): return texts
        case .environment(let variable):
            guard let text = ProcessInfo.processInfo.environment[variable], !text.isEmpty else {
                throw CommandProblem(
                    "'\(name)' comes from the environment variable \(variable), which is not set.", exit: CommandExit.badData)
            }
            return [text]
        case .file(let path):
            guard let data = try await Blocking.run({ WholeFile.bytes(atPath: path) }) else {
                throw CommandProblem("'\(name)' comes from a file that cannot be read: \(path).", exit: CommandExit.noInput)
            }
            let text = Self.line(data)
            guard !text.isEmpty else {
                throw CommandProblem("'\(name)' comes from a file that is empty: \(path).", exit: CommandExit.badData)
            }
            return [text]
        case .command(let command):
            let (status, data) = try await Self.output(of: command)
            guard status == 0, !data.isEmpty else {
                throw CommandProblem(
                    "'\(name)' comes from a command that \(status == 0 ? "printed nothing" : "ended with status \(status)").",
                    exit: CommandExit.badData)
            }
            return [Self.line(data)]
        }
    }

    /// Returns the text without trailing line breaks, which files and commands have but secrets do not.
    private static func line(_ data: Data) -> String {
        var text = String(decoding: data, as: UTF8.self)
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }

    private static func output(of command: String) async throws -> (status: Int32, output: Data) {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        let pipe = Pipe()
        process.standardOutput = pipe
        // The command runs in a separate process group, which cannot read from the terminal.
        process.standardInput = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            throw CommandProblem("The shell could not be started.", exit: CommandExit.noInput)
        }
        let number = process.processIdentifier
        let output = try await withTaskCancellationHandler {
            try await Blocking.run { (try? pipe.fileHandleForReading.readToEnd()) ?? Data() }
        } onCancel: {
            kill(-number, SIGKILL)
            kill(number, SIGKILL)
        }
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }
}
