/// The steps of a flow one by one, those within composite steps too, each with a path that stays the same from run to run.
struct StepList {
    struct Entry {
        /// The positions and names on the way to the step.
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
