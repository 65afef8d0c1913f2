import CountersignGenerator
import Foundation

/// Files that are created in a folder, either all or none. No existing file is replaced.
struct NewFiles {
    private let folder: URL

    /// Creates a reference to a folder. The folder is created when the first file is written.
    init(_ folder: URL) {
        self.folder = folder
    }

    /// - Throws: ``CommandProblem``.
    func write(_ files: [GeneratedFile]) throws {
        let existing = existing(files)
        guard existing.isEmpty else {
            throw CommandProblem(
                "Nothing was written, since there \(existing.count == 1 ? "is" : "are") already "
                    + existing.map { "'\(path($0))'" }.joined(separator: ", ") + ".",
                remedy: "Choose another folder with '--output', or remove the existing files.", exit: CommandExit.cannotCreate)
        }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw Self.problem(path: folder.path(percentEncoded: false), error)
        }
        var written: [URL] = []
        for file in files {
            let target = folder.appending(path: file.name, directoryHint: .notDirectory)
            do {
                // Another process may have created the file in the meantime.
                try Data(file.text.utf8).write(to: target, options: .withoutOverwriting)
                written.append(target)
            } catch {
                // The file that failed may be incomplete, unless it is another process's.
                if (error as? CocoaError)?.code != .fileWriteFileExists { written.append(target) }
                for url in written { try? FileManager.default.removeItem(at: url) }
                throw Self.problem(path: path(file.name), error)
            }
        }
    }

    /// Returns the names of existing files that have the name of a file, or declare the same spec. Case is ignored, since some file
    /// systems ignore it.
    private func existing(_ files: [GeneratedFile]) -> [String] {
        let names = Set(files.map { Self.key($0.name) })
        let present = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        return present.filter { names.contains(Self.key($0)) }.sorted()
    }

    /// Returns a text that is the same for files that cannot be in one folder: `SAML.yml` and `saml.yaml`.
    private static func key(_ name: String) -> String {
        let name = name.lowercased()
        return name.hasSuffix(".yml") ? name.dropLast(4) + ".yaml" : name
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

    private static func problem(path: String, _ error: any Error) -> CommandProblem {
        let failure = WriteFailure(path: path, reason: error)
        return CommandProblem("'\(failure.path)' cannot be written: \(failure.reason)", exit: CommandExit.cannotCreate)
    }
}
