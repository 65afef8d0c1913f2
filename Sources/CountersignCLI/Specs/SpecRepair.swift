import CountersignGenerator
import CountersignSpec
import Foundation

/// Corrects the mistakes in specs whose messages name one correction, in memory, until there are none.
struct SpecRepair {
    /// The maximum number of rounds. A corrected key can show mistakes below it, which were hidden.
    private static let maximumRounds = 8

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

    /// Writes the corrected files, each atomically and with its mode.
    ///
    /// - Throws: ``CommandProblem``.
    func write() throws {
        let paths = Set(corrections.map(\.location.file))
        for file in sources.own where paths.contains(file.path) {
            // A link stays one.
            let target = URL(filePath: file.path).resolvingSymlinksInPath()
            let path = target.path(percentEncoded: false)
            do {
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
                try Data(file.bytes).write(to: target, options: .atomic)
                if let mode { try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path) }
            } catch {
                let failure = WriteFailure(path: file.path, reason: error)
                throw CommandProblem(
                    "'\(failure.path)' cannot be written: \(failure.reason)", exit: CommandExit.cannotCreate)
            }
        }
    }
}
