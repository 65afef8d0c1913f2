import Foundation

extension Profile.Source {
    /// Whether what it gives stands in the file of profiles, or on the command line, for others to read.
    var isInTheOpen: Bool { if case .texts = self { true } else { false } }

    /// The texts.
    ///
    /// - Parameter name: Of the value, for messages.
    /// - Throws: ``CommandProblem``, without anything of the value.
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
            guard let data = FileManager.default.contents(atPath: path) else {
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

    /// What files and commands end with, and secrets do not.
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
        // It is in a process group of its own, to which the terminal gives nothing.
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
