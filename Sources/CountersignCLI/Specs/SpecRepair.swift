import CountersignGenerator
import CountersignSpec
import Foundation

/// Corrects the mistakes in specs whose messages name one correction, in memory, until there are none.
struct SpecRepair {
    /// The maximum number of rounds. A corrected key can show mistakes below it, which were hidden.
    private static let maximumRounds = 8

    /// The sources as they were read.
    private let original: SpecSources
    private(set) var sources: SpecSources
    private(set) var generation: Generation
    /// The corrections in the order in which they were made.
    private(set) var corrections: [SpecCorrection] = []
    private let companions: Set<String>

    /// - Parameters:
    ///   - unreadable: The diagnostics of files that could not be read.
    ///   - generation: The result for the uncorrected sources.
    ///   - companions: The paths of files that are not corrected.
    /// - Throws: An error if a template is invalid.
    init(_ sources: SpecSources, unreadable: [Diagnostic], generation: Generation, except companions: [String]) throws {
        original = sources
        self.sources = sources
        self.generation = generation
        self.companions = Set(companions)
        var refused: Set<SpecCorrection> = []
        var rounds = 0
        while rounds < Self.maximumRounds {
            let (next, made) = corrected(except: refused)
            guard !made.isEmpty else { return }
            let result = try LandscapeGenerator().generate(next, unreadable: unreadable)
            // A correction that is a mistake itself, such as a second key of the same name, is not made.
            let mistakes = Set(result.diagnostics.filter { $0.severity == .error }.map(\.location))
            let wrong = made.filter { mistakes.contains($0.place) }
            guard wrong.isEmpty else {
                refused.formUnion(wrong.map(\.correction))
                continue
            }
            rounds += 1
            self.sources = next
            self.generation = result
            corrections += made.map(\.correction)
        }
    }

    /// Returns the sources with the suggested corrections, and these.
    private func corrected(
        except refused: Set<SpecCorrection>
    ) -> (sources: SpecSources, made: [(correction: SpecCorrection, place: SourceLocation)]) {
        var next = sources
        var made: [(correction: SpecCorrection, place: SourceLocation)] = []
        for index in next.own.indices where !companions.contains(next.own[index].path) {
            let suggested = SpecCorrection.suggested(by: generation.diagnostics, for: next.own[index])
            let result = SpecCorrection.applying(suggested.filter { !refused.contains($0) }, to: next.own[index])
            next.own[index] = result.file
            made += result.made
        }
        return (next, made)
    }

    /// Writes the corrected files, each atomically and with its mode. If one of them cannot be written, none is changed.
    ///
    /// - Throws: ``CommandProblem`` if a file may not be written, has been changed since it was read, or cannot be replaced.
    func write() throws {
        let paths = Set(corrections.map(\.location.file))
        let files = sources.own.filter { paths.contains($0.path) }
        for file in original.own where paths.contains(file.path) { try Self.check(file) }
        for file in files {
            let target = Self.target(of: file)
            let path = target.path(percentEncoded: false)
            do {
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
                try Data(file.bytes).write(to: target, options: .atomic)
                if let mode { try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path) }
            } catch {
                throw Self.problem(with: file, reason: WriteFailure(path: file.path, reason: error).reason)
            }
        }
    }

    /// Checks that a file may be written, which replacing it does not need, and still has the bytes that were read.
    ///
    /// - Throws: ``CommandProblem``.
    private static func check(_ file: SpecFile) throws {
        let path = target(of: file).path(percentEncoded: false)
        let mode = (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]) as? NSNumber
        // The superuser may write every file, but a file without permission to write is not to be changed.
        guard FileManager.default.isWritableFile(atPath: path), (mode?.intValue ?? 0) & 0o222 != 0 else {
            throw problem(with: file, reason: "Permission denied")
        }
        guard let bytes = FileManager.default.contents(atPath: path), Array(bytes) == file.bytes else {
            throw CommandProblem(
                "'\(file.path)' has been changed since it was read, so nothing was written.", remedy: "Run the command again.",
                exit: CommandExit.temporary)
        }
    }

    private static func problem(with file: SpecFile, reason: String) -> CommandProblem {
        CommandProblem("'\(file.path)' cannot be written: \(reason)", exit: CommandExit.cannotCreate)
    }

    /// The file that is replaced. A link stays one.
    private static func target(of file: SpecFile) -> URL { URL(filePath: file.path).resolvingSymlinksInPath() }
}
