import Countersign
import CountersignGenerator
import Foundation

/// Parses generated files with the Swift compiler, and returns all syntax errors.
///
/// The compiler is the one that will compile the files later. It is called with `-parse`, which resolves no names and takes a
/// fraction of a second.
struct CompilerProof: Sendable {
    /// The program `swiftc`.
    private let compiler: URL

    /// Finds the compiler in the folders of `PATH`.
    ///
    /// - Throws: ``CommandProblem``, with what to install.
    init(environment: [String: String] = ProcessInfo.processInfo.environment) throws {
        guard let compiler = ProgramFolders(environment: environment).find("swiftc") else {
            throw CommandProblem(
                "There is no 'swiftc' in the folders of PATH, which parses the files before they are written.",
                remedy: "Install a Swift toolchain: https://www.swift.org/install.", exit: CommandExit.noInput)
        }
        self.compiler = compiler
    }

    /// Parses files.
    ///
    /// - Throws: ``CommandProblem`` if the compiler cannot be run, or if it fails without naming a place.
    func failures(in files: [GeneratedFile]) async throws -> [ProofFailure] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "countersign-generate-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try OutputFolder(folder).write(files)
        } catch {
            throw CommandProblem(error.description, exit: CommandExit.cannotCreate)
        }
        let paths = files.map { folder.appending(path: $0.name).path(percentEncoded: false) }
        let outcome = try await ChildProgram(program: compiler, arguments: ["-frontend", "-parse"] + paths).run()
        let failures = zip(files, paths).flatMap { file, path in
            outcome.log.split(separator: "\n").compactMap { ProofFailure(compilerLine: $0, path: path, file: file) }
        }
        guard outcome.status == 0 || !failures.isEmpty else {
            throw CommandProblem(
                "'\(compiler.path) -frontend -parse' has failed with status \(outcome.status): \(VisibleText.escaped(outcome.log))",
                exit: CommandExit.defect)
        }
        return failures
    }
}

extension ProofFailure {
    /// Reads a line such as `/tmp/SAML.generated.swift:4:12: error: expected type`; `nil` if it is not about this file.
    fileprivate init?(compilerLine line: Substring, path: String, file: GeneratedFile) {
        guard line.hasPrefix("\(path):") else { return nil }
        let parts = line.dropFirst(path.count + 1).split(separator: ":", maxSplits: 3)
        guard parts.count == 4, let number = Int(parts[0]), let column = Int(parts[1]), number > 0, column > 0,
            [" error", " warning"].contains(parts[2])
        else { return nil }
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        self.init(
            file: file.name, template: file.template(atLine: number), line: number, column: column,
            message: parts[3].trimmingCharacters(in: .whitespaces),
            source: lines.indices.contains(number - 1) ? String(lines[number - 1]) : "")
    }
}
