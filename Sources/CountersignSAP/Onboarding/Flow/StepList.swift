/// The steps of a flow, including those of composite steps, each with a path that is the same in every run.
struct StepList {
    struct Entry {
        /// The positions and names of the enclosing steps and of the step itself.
        let path: String
        let step: any OnboardingStep
    }

    let entries: [Entry]

    init(_ steps: [any OnboardingStep]) { entries = Self.flattened(steps, below: "") }

    private static func flattened(_ steps: [any OnboardingStep], below path: String) -> [Entry] {
        steps.enumerated().flatMap { number, step in
            let path = "\(path)\(number).\(step.stepName)"
            guard let composite = step as? CompositeStep else { return [Entry(path: path, step: step)] }
            return flattened(composite.steps, below: path + "/")
        }
    }
}
