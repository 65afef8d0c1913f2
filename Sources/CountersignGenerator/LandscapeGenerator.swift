package import CountersignSpec

/// Generates the Swift files of a landscape in memory: plans them, then renders them.
///
/// The result depends on the specs alone: not on the order of files, the machine's paths, the environment or the clock.
package struct LandscapeGenerator {
    private let renderer: Renderer

    /// Creates a generator.
    ///
    /// - Throws: ``RenderingError`` if a template is invalid.
    package init() throws {
        renderer = try Renderer()
    }

    /// Generates the files of a landscape.
    ///
    /// - Parameters:
    ///   - landscape: The landscape.
    ///   - stems: The specs that a file is generated for; those without a method get a file with a comment.
    ///   - lacking: The modules that the target does not depend on. An import of one is a problem: the compiler may find it
    ///     because another target has built it, and then fail because one of its own dependencies is missing.
    /// - Returns: The files sorted by name, or the problems that prevent their generation.
    /// - Throws: ``RenderingError``.
    package func generate(
        _ landscape: ResolvedLandscape, stems: SpecStems, lacking: Set<String> = []
    ) throws -> Result<[GeneratedFile], GenerationProblems> {
        switch Self.plan(landscape, stems: stems) {
        case .success(let plans):
            let missing = plans.reduce(into: Set<String>()) { $0.formUnion($1.modules) }.intersection(lacking).sorted()
            guard missing.isEmpty else {
                return .failure(GenerationProblems(missing.map { .missing(module: $0, for: landscape.name) }))
            }
            return .success(try plans.map(renderer.render))
        case .failure(let problems): return .failure(problems)
        }
    }

    /// Plans the files, and collects all problems.
    private static func plan(_ landscape: ResolvedLandscape, stems: SpecStems) -> Result<[FilePlan], GenerationProblems> {
        var problems: [GenerationProblem] = []
        var plans: [FilePlan] = []
        func collect(_ make: () throws -> FilePlan) {
            do {
                plans.append(try make())
            } catch let problem as GenerationProblem {
                problems.append(problem)
            } catch {
                problems.append(GenerationProblem(at: landscape.name.location, "\(error)"))
            }
        }
        do {
            let scope = try LandscapeScope(landscape)
            let methods = landscape.programMethods
            for stem in stems.all {
                if SpecStems.isLandscape(stem) {
                    collect { try FilePlan(scope, stem: stem) }
                } else if let method = methods.first(where: { SpecStems.areSame($0.program.stem, stem) }) {
                    collect { try FilePlan(method, in: scope, stem: stem) }
                } else if let program = landscape.programs.first(where: { SpecStems.areSame($0.stem, stem) }) {
                    collect { try FilePlan(program, in: scope, stem: stem) }
                } else {
                    let isOmitted = landscape.omittedStems.contains { SpecStems.areSame($0, stem) }
                    plans.append(.empty(stem: stem, comment: Self.reason(isOmitted: isOmitted, landscape)))
                }
            }
        } catch let problem as GenerationProblem {
            problems.append(problem)
        } catch {
            problems.append(GenerationProblem(at: landscape.name.location, "\(error)"))
        }
        return problems.isEmpty ? .success(plans) : .failure(GenerationProblems(problems))
    }

    private static func reason(isOmitted: Bool, _ landscape: ResolvedLandscape) -> String {
        isOmitted
            ? "Landscape \(landscape.name.value) omits this method, so there is nothing here."
            : "Landscape \(landscape.name.value) has no such method, so there is nothing here."
    }
}
