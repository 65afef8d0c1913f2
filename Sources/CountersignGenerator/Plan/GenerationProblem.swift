package import CountersignSpec

/// A reason why a valid spec cannot be generated as Swift: a conflict with the names and types of Swift, or with the dependencies
/// of the target.
package struct GenerationProblem: Error, Sendable, Hashable {
    /// The place in the spec.
    package let location: SourceLocation
    /// The description of the problem, and how to solve it.
    package let message: String

    /// The rule that is broken.
    package let code: DiagnosticCode

    init(_ code: DiagnosticCode = .invalidValue, at location: SourceLocation, _ message: String) {
        self.code = code
        self.location = location
        self.message = message
    }

    /// Returns the problem that generated code imports a module that the target does not depend on.
    static func missing(module: String, for landscape: Located<String>) -> GenerationProblem {
        GenerationProblem(
            .missingDependency, at: landscape.location,
            """
            the code that is generated for '\(landscape.value)' imports '\(module)', which the target does not depend on; add the \
            product '\(module)' to the target's dependencies
            """)
    }
}

/// All problems that prevent the generation of a landscape, sorted by location.
package struct GenerationProblems: Error, Sendable, Hashable {
    /// At least one.
    package let problems: [GenerationProblem]

    init(_ problems: [GenerationProblem]) {
        self.problems = problems.sorted { ($0.location, $0.message) < ($1.location, $1.message) }
    }
}
