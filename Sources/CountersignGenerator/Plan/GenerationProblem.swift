package import CountersignSpec

/// Why no Swift can be made of a spec that was read without an error: something that only shows in the names and types of Swift.
package struct GenerationProblem: Error, Sendable, Hashable {
    /// The place in the spec.
    package let location: SourceLocation
    /// What is wrong there, and what to do about it.
    package let message: String

    init(at location: SourceLocation, _ message: String) {
        self.location = location
        self.message = message
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
