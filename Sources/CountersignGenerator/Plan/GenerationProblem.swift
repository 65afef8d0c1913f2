package import CountersignSpec

/// Why no Swift can be made of a spec that was read without an error: something that only shows in the names and types of Swift, or in the
/// target that it is for.
package struct GenerationProblem: Error, Sendable, Hashable {
    /// The place in the spec.
    package let location: SourceLocation
    /// What is wrong there, and what to do about it.
    package let message: String

    /// The rule that is broken.
    package let code: DiagnosticCode

    init(_ code: DiagnosticCode = .invalidValue, at location: SourceLocation, _ message: String) {
        self.code = code
        self.location = location
        self.message = message
    }

    /// A module that generated code imports and the target does not depend on.
    static func missing(module: String, for landscape: Located<String>) -> GenerationProblem {
        GenerationProblem(
            .missingDependency, at: landscape.location,
            """
            the code that is generated for '\(landscape.value)' imports '\(module)', which the target does not depend on; add the \
            product '\(module)' to the target's dependencies
            """)
    }
}

/// All that stands in the way of generating a landscape, in the order of the places.
package struct GenerationProblems: Error, Sendable, Hashable {
    /// At least one.
    package let problems: [GenerationProblem]

    init(_ problems: [GenerationProblem]) {
        self.problems = problems.sorted { ($0.location, $0.message) < ($1.location, $1.message) }
    }
}
